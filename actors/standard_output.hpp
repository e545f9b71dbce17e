#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry {

/// Where a command's answer goes. Whatever can't be written there is remembered until the command ends.
class standard_output {
public:
  /// `file`: an open one, which stays its owner's.
  explicit standard_output(int file) : file_(file) {}
  standard_output(const standard_output&) = delete;
  standard_output& operator=(const standard_output&) = delete;

  /// Waits for whoever reads. False, now and ever after: nobody gets any more of it.
  bool write(std::string_view text);
  /// Why the answer isn't whole, in one sentence. Nothing if it is, and nothing if the reader of a pipe went away, as
  /// it may when it has seen enough.
  std::optional<std::string> trouble() const;

private:
  int file_;
  int error_ = 0;
};

} // namespace sliceferry
