#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::k8s {

/// Cuts the body of a list into its items without reading them, in any split of the bytes.
///
/// So one broken item can't take the others with it, and a list of 200 MB (servers may ignore
/// `limit`, pitfall LW27) needs memory for one item. What surrounds the items is kept as
/// `envelope()`, with an empty `items`; members may come in any order (custom resources: sorted).
class list_splitter {
public:
  static constexpr std::size_t item_bytes_max = std::size_t{16} << 20U;
  static constexpr std::size_t envelope_bytes_max = std::size_t{1} << 20U;

  /// Takes from the front of `bytes` what the next item needs. The item is valid until the next
  /// call; nothing means that `bytes` is used up.
  std::optional<std::string_view> next(std::string_view& bytes);

  /// What is left of the list when all of it was fed.
  const std::string& envelope() const { return envelope_; }
  /// True when the outermost object was closed, its items were told apart and no bound was passed.
  bool complete() const { return closed_ && !is_torn_ && !overflowed_; }
  bool overflowed() const { return overflowed_; }

private:
  bool read_envelope(std::string_view& bytes);
  bool find_item(std::string_view& bytes);
  std::size_t item_end(std::string_view bytes);
  bool opens_items() const;
  void step(char c);

  std::string envelope_;
  std::string pending_; // an item's bytes of earlier calls
  bool handed_out_ = false;
  std::size_t depth_ = 0; // containers open: in the envelope, or within the item
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_items_ = false; // between the brackets of `items`
  bool in_item_ = false;
  bool closed_ = false;
  bool is_torn_ = false;
  bool overflowed_ = false;
};

} // namespace sliceferry::k8s
