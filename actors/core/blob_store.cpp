#include "actors/core/blob_store.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sliceferry::core {
namespace {

constexpr std::size_t page_bytes_min = 4096;
constexpr std::size_t page_bytes_max = std::size_t{1} << 18;
constexpr std::size_t pages_max = std::size_t{1} << 16;

std::uint32_t number_size(std::size_t value) {
  std::uint32_t size = 1;
  for (; value >= 0x80; value >>= 7)
    ++size;
  return size;
}

char* write_number(char* to, std::size_t value) {
  for (; value >= 0x80; value >>= 7)
    *to++ = static_cast<char>((value & 0x7f) | 0x80U);
  *to++ = static_cast<char>(value);
  return to;
}

const char* read_number(const char* from, std::uint32_t& value) {
  value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto next = static_cast<unsigned char>(*from++);
    value |= static_cast<std::uint32_t>(next & 0x7fU) << shift;
    if (next < 0x80)
      return from;
  }
}

} // namespace

blob_store::item blob_store::read(const char* from) {
  item out;
  std::uint32_t size = 0;
  const char* at = read_number(read_number(from, out.slot), size);
  out.bytes = {at, size};
  out.stride = stride_of(out.slot, size);
  return out;
}

std::uint32_t blob_store::stride_of(std::uint32_t slot, std::size_t size) {
  const auto bytes = number_size(slot) + number_size(size) + size;
  return static_cast<std::uint32_t>((bytes + unit - 1) / unit * unit);
}

void blob_store::write(char* to, std::uint32_t slot, std::string_view bytes) {
  to = write_number(write_number(to, slot), bytes.size());
  std::memcpy(to, bytes.data(), bytes.size());
}

std::string_view blob_store::at(std::uint32_t slot) const {
  if (slot >= where_.size() || where_[slot] == 0)
    return {};
  const auto [which, offset] = split(where_[slot]);
  return read(pages_[which].bytes.get() + offset).bytes;
}

std::span<char> blob_store::edit(std::uint32_t slot) {
  const auto bytes = at(slot);
  if (bytes.empty())
    return {};
  char* const base = pages_[split(where_[slot]).page].bytes.get();
  return {base + (bytes.data() - base), bytes.size()};
}

void blob_store::put(std::uint32_t slot, std::string_view bytes) {
  if (slot >= where_.size())
    where_.resize(slot + 1);
  if (where_[slot] != 0) {
    const auto [which, offset] = split(where_[slot]);
    char* const there = pages_[which].bytes.get() + offset;
    if (read(there).stride == stride_of(slot, bytes.size()))
      return write(there, slot, bytes);
    leave(slot);
  }
  append(slot, bytes);
  tidy();
}

void blob_store::erase(std::uint32_t slot) {
  if (slot >= where_.size() || where_[slot] == 0)
    return;
  leave(slot);
  while (!where_.empty() && where_.back() == 0)
    where_.pop_back();
  if (where_.capacity() > 64 && where_.size() < where_.capacity() / 4)
    where_.shrink_to_fit();
  tidy();
}

void blob_store::append(std::uint32_t slot, std::string_view bytes) {
  const std::uint32_t stride = stride_of(slot, bytes.size());
  if (head_ == 0 || pages_[head_].size - pages_[head_].used < stride)
    open_page(stride);
  page& head = pages_[head_];
  write(head.bytes.get() + head.used, slot, bytes);
  where_[slot] = join({head_, head.used});
  head.used += stride;
  head.live += stride;
  live_ += stride;
}

void blob_store::open_page(std::size_t least) {
  const auto old = head_;
  const std::size_t size =
    std::max(least, std::clamp(live_ / 16 / page_bytes_min * page_bytes_min, page_bytes_min, page_bytes_max));
  if (pages_.empty())
    pages_.emplace_back(); // the page without a number
  if (free_pages_.empty()) {
    assert(pages_.size() < pages_max && "16 GB of records");
    free_pages_.push_back(static_cast<std::uint32_t>(pages_.size()));
    pages_.emplace_back();
  }
  head_ = free_pages_.back();
  free_pages_.pop_back();
  // Not make_unique: it would write, and so make resident, what isn't used yet.
  pages_[head_] = {std::unique_ptr<char[]>(new char[size]), static_cast<std::uint32_t>(size), 0, 0};
  capacity_ += size;
  if (old != 0 && pages_[old].live == 0)
    free_page(old);
}

void blob_store::free_page(std::uint32_t which) {
  capacity_ -= pages_[which].size;
  pages_[which] = {};
  free_pages_.push_back(which);
}

void blob_store::leave(std::uint32_t slot) {
  const auto [which, offset] = split(where_[slot]);
  const auto stride = read(pages_[which].bytes.get() + offset).stride;
  where_[slot] = 0;
  live_ -= stride;
  pages_[which].live -= stride;
  if (pages_[which].live != 0)
    return;
  if (which == head_)
    pages_[which].used = 0;
  else
    free_page(which);
}

void blob_store::tidy() {
  const std::size_t spare = pages_.empty() ? 0 : pages_[head_].size - pages_[head_].used;
  if (capacity_ - spare - live_ <= live_ / slack + page_bytes_min)
    return;
  std::uint32_t worst = 0;
  const auto unused = [&](std::uint32_t which) {
    return which == 0 || pages_[which].size == 0
             ? 0.0
             : static_cast<double>(pages_[which].size - pages_[which].live) / pages_[which].size;
  };
  for (std::uint32_t which = 1; which < pages_.size(); ++which)
    if (which != head_ && unused(which) > unused(worst))
      worst = which;
  if (worst == 0)
    worst = head_, open_page(page_bytes_min);
  if (pages_[worst].size != 0)
    empty_page(worst);
}

void blob_store::empty_page(std::uint32_t which) {
  const page from = std::move(pages_[which]);
  pages_[which] = {};
  capacity_ -= from.size;
  live_ -= from.live;
  for (std::uint32_t offset = 0; offset < from.used;) {
    const item each = read(from.bytes.get() + offset);
    if (each.slot < where_.size() && where_[each.slot] == join({which, offset}))
      append(each.slot, each.bytes);
    offset += each.stride;
  }
  free_pages_.push_back(which);
}

} // namespace sliceferry::core
