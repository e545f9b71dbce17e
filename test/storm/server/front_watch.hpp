#pragma once
#include "test/storm/server/cluster.hpp"
#include "test/storm/server/fault_injector.hpp"

#include <deque>

namespace sliceferry::storm {

/// What waits to be sent on one watch's stream. Lines are shared between the streams until they are written.
///
/// Bounded: whoever reads too slowly loses the watch, as an API server's watchers do. What was there when the watch
/// began doesn't count, for no reader could have taken it yet.
class front_watch {
public:
  /// Asked once for each line.
  using line_rule = std::function<line_treatment()>;
  enum class state { open, finished, cut };

  explicit front_watch(line_rule rule) : rule_{std::move(rule)} {}

  void push(const shared_text& line);
  /// From here on what is pushed counts.
  void begun() { bytes_max_ = bytes_ + backlog_bytes_max; }
  /// After the lines that wait, the stream ends properly: the cluster has ended the watch.
  void finish() { finishing_ = true; }
  bool is_finishing() const { return finishing_; }
  /// Nothing more is told; what waits is forgotten.
  void mute();
  bool is_mute() const { return mute_; }
  bool overflown() const { return bytes_ > bytes_max_; }

  /// Appends chunks until `out` holds `bytes` or nothing waits. `cut`: the connection must be closed after them.
  state encode(std::string& out, std::size_t bytes);
  state now() const { return state_; }

  static constexpr std::size_t backlog_bytes_max = 8 << 20;

  std::uint64_t id = 0; ///< the cluster's

private:
  void encode_line(std::string& out, const std::string& line, line_treatment how);

  line_rule rule_;
  std::deque<shared_text> lines_;
  std::size_t bytes_ = 0;
  std::size_t bytes_max_ = static_cast<std::size_t>(-1);
  bool finishing_ = false;
  bool mute_ = false;
  state state_ = state::open;
};

} // namespace sliceferry::storm
