#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sliceferry::core {

/// Texts that many records share, each held once and known by a small number. Uses are counted: a text that nobody
/// uses any more is forgotten, and its number given to another one.
class text_pool {
public:
  /// One more use of this text. Whoever acquires it must release it.
  std::uint32_t acquire(std::string_view text);
  void release(std::uint32_t id);
  const std::string& at(std::uint32_t id) const { return entries_[id].text; }
  /// How many texts are in use.
  std::size_t size() const { return ids_.size(); }

private:
  struct entry {
    std::string text;
    std::uint32_t uses = 0;
  };

  std::deque<entry> entries_; ///< entries don't move: `ids_` looks into them
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

} // namespace sliceferry::core
