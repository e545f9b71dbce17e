#pragma once
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sliceferry::core {

/// The slices whose inputs may have changed: each once, in the order in which the news came.
/// `all` means every slice of the table, so that a first sync doesn't list a million of them.
struct touched {
  bool all = false;
  std::vector<std::string> uids;
};

/// Collects what one batch touches.
class touch_list {
public:
  touch_list() = default;
  /// `hears` false: nothing can be decided yet, and of single slices nobody wants to know.
  explicit touch_list(bool hears) : hears_(hears) {}
  /// One that leaves this slice out.
  explicit touch_list(const std::string& without) : seen_{without} {}

  bool hears() const { return hears_; }
  void add(const std::string& uid) {
    if (hears_ && seen_.insert(uid).second)
      out_.uids.push_back(uid);
  }
  void add_all() { out_.all = true; }
  touched take() { return std::move(out_); }

private:
  bool hears_ = true;
  touched out_;
  std::unordered_set<std::string> seen_;
};

} // namespace sliceferry::core
