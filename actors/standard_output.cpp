#include "actors/standard_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sliceferry {

bool standard_output::write(std::string_view text) {
  while (error_ == 0 && !text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) { // others share it, and one of them wanted it so
      pollfd ready{file_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  return error_ == 0;
}

std::optional<std::string> standard_output::trouble() const {
  if (error_ == 0 || error_ == EPIPE)
    return std::nullopt;
  return std::string{"cannot write the answer: "} + std::strerror(error_);
}

} // namespace sliceferry
