#pragma once
#include "messages/clock.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace sliceferry::log {

/// Decides which of many equal lines are worth printing: one per `quiet`, with the number of
/// those left out since. A steady error of each of many keys would else fill the disk (pitfall CR28).
///
/// Remembers at most `lines_max` lines, by hash; beyond that the one printed longest ago is
/// forgotten, and with it its count.
class log_repeats {
public:
  explicit log_repeats(std::size_t lines_max = 1024, std::chrono::seconds quiet = std::chrono::seconds{60});

  /// Nothing when the line is to be left out. Else how many equal ones were since it last passed.
  std::optional<std::size_t> admit(std::string_view line, tick now);

private:
  struct entry {
    tick printed{};
    std::size_t left_out = 0;
  };

  std::size_t lines_max_;
  std::chrono::seconds quiet_;
  std::unordered_map<std::size_t, entry> lines_;
};

} // namespace sliceferry::log
