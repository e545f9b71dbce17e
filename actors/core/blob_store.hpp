#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace sliceferry::core {

/// Byte strings of any length by a small number, their slot, in little more memory than their bytes.
///
/// They lie one behind the other in pages. One that changes its length is written anew behind the last one; where
/// that leaves more than a fraction of all bytes unused, the page with most of them is emptied and given back. So churn
/// of any kind and length neither leaks nor fragments: the pages hold at most `slack` parts more than what is stored,
/// and a page or two. No call moves more than a page.
class blob_store {
public:
  /// An eighth of what is stored may lie unused.
  static constexpr std::size_t slack = 8;

  /// Valid until the next `put` or `erase`. Empty for a slot that holds nothing.
  std::string_view at(std::uint32_t slot) const;
  /// It will be asked for soon: rows that are visited one after the other lie all over the memory.
  void expect(std::uint32_t slot) const {
    if (slot < where_.size() && where_[slot] != 0) {
      const char* const bytes = pages_[split(where_[slot]).page].bytes.get() + split(where_[slot]).offset;
      __builtin_prefetch(bytes);
      __builtin_prefetch(bytes + 64);
      __builtin_prefetch(bytes + 128);
    }
  }
  /// The same, to be overwritten in place.
  std::span<char> edit(std::uint32_t slot);
  void put(std::uint32_t slot, std::string_view bytes);
  void erase(std::uint32_t slot);
  /// Bytes of the pages.
  std::size_t capacity() const { return capacity_; }

private:
  struct page {
    std::unique_ptr<char[]> bytes;
    std::uint32_t size = 0;
    std::uint32_t used = 0;
    std::uint32_t live = 0; ///< of the bytes used
  };
  struct place {
    std::uint32_t page = 0;
    std::uint32_t offset = 0;
  };

  static constexpr std::uint32_t unit = 4;
  // An address is a page's number and an offset in units, in 16 bits each; 0 is no address, as no page has number 0.
  static std::uint32_t join(const place& at) { return at.page << 16 | at.offset / unit; }
  static place split(std::uint32_t address) { return {address >> 16, (address & 0xffffU) * unit}; }
  /// The slot and the bytes that lie there, and how far it is to the next.
  struct item {
    std::uint32_t slot = 0;
    std::string_view bytes;
    std::uint32_t stride = 0;
  };
  static item read(const char* from);
  static std::uint32_t stride_of(std::uint32_t slot, std::size_t size);
  static void write(char* to, std::uint32_t slot, std::string_view bytes);

  void append(std::uint32_t slot, std::string_view bytes);
  void open_page(std::size_t least);
  void free_page(std::uint32_t which);
  void leave(std::uint32_t slot);
  void tidy();
  void empty_page(std::uint32_t which);

  std::vector<page> pages_;
  std::vector<std::uint32_t> free_pages_; ///< numbers of pages that were given back
  std::vector<std::uint32_t> where_;      ///< by slot: 0 for none, else an address
  std::uint32_t head_ = 0;                ///< the page that is written to
  std::size_t capacity_ = 0;
  std::size_t live_ = 0;
};

} // namespace sliceferry::core
