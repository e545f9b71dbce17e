#include "k8s/text_file.hpp"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace sliceferry::k8s {

namespace {

constexpr std::size_t bytes_max = 4 << 20;

failure unreadable(const std::string& path, const std::string& why) {
  return {errc::unavailable, "cannot read " + path + ": " + why, {}, 0};
}

} // namespace

result<std::string> read_text_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return unreadable(path, std::generic_category().message(errno));
  std::string out;
  std::array<char, 16'384> part{};
  ssize_t got = 0;
  while ((got = ::read(fd, part.data(), part.size())) > 0 && out.size() <= bytes_max)
    out.append(part.data(), static_cast<std::size_t>(got));
  const int why = errno;
  ::close(fd);
  if (got < 0)
    return unreadable(path, std::generic_category().message(why));
  if (out.size() > bytes_max)
    return unreadable(path, "it is larger than 4 MB");
  return out;
}

} // namespace sliceferry::k8s
