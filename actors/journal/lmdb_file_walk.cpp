#include "actors/journal/lmdb_file_walk.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace sliceferry::journal {
namespace {

// The format, as LMDB 0.9 writes it in the machine's own byte order.
constexpr std::size_t header_bytes = 16; // page number u64, pad u16, flags u16, lower u16, upper u16
constexpr std::size_t flags_at = 10;
constexpr std::size_t lower_at = 12; // of an overflow page: how many pages, u32
constexpr std::size_t upper_at = 14;
constexpr std::uint16_t is_branch = 1;
constexpr std::uint16_t is_leaf_page = 2;
constexpr std::uint16_t is_overflow = 4;
constexpr std::uint16_t is_meta = 8;
constexpr std::size_t node_header_bytes = 8;
constexpr std::uint16_t big_data = 1;
constexpr std::uint16_t sub_data = 2;
constexpr std::uint32_t magic = 0xBEEFC0DE;
constexpr std::uint32_t data_version = 1;
constexpr std::uint64_t no_page = ~std::uint64_t{0};
constexpr std::size_t tree_bytes = 48;
constexpr std::uint16_t integer_keys = 8;
constexpr std::size_t meta_bytes = header_bytes + 24 + 2 * tree_bytes + 16;
constexpr unsigned depth_max = 32;

template <class Number>
Number read(std::string_view from, std::size_t at) {
  static_assert(std::is_trivially_copyable_v<Number>);
  Number out{};
  std::memcpy(&out, from.data() + at, sizeof out);
  return out;
}

lmdb_file_walk::tree read_tree(std::string_view from) {
  return {read<std::uint16_t>(from, 4),  read<std::uint16_t>(from, 6),  read<std::uint64_t>(from, 8),
          read<std::uint64_t>(from, 16), read<std::uint64_t>(from, 24), read<std::uint64_t>(from, 32),
          read<std::uint64_t>(from, 40)};
}

std::size_t even(std::size_t size) {
  return (size + 1) & ~std::size_t{1};
}

bool is_before(std::string_view left, std::string_view right, bool integers) {
  if (integers && left.size() == 8 && right.size() == 8)
    return read<std::uint64_t>(left, 0) < read<std::uint64_t>(right, 0);
  return left < right;
}

} // namespace

struct lmdb_file_walk::meta {
  std::uint32_t page_bytes = 0;
  tree free;
  tree main;
  std::uint64_t last_page = 0;
  std::uint64_t transaction = 0;
};

struct lmdb_file_walk::path {
  const tree& which;
  const visitor& visit;
  tree seen;
  std::string_view last_key{};
  std::string_view floor{};
};

bool lmdb_file_walk::read_meta(std::uint64_t number, meta& out) const {
  const std::size_t at = number * page_bytes_;
  if (file_.size() < at + meta_bytes)
    return false;
  const std::string_view from = file_.substr(at, meta_bytes);
  if (read<std::uint16_t>(from, flags_at) != is_meta || read<std::uint64_t>(from, 0) != number ||
      read<std::uint32_t>(from, header_bytes) != magic || read<std::uint32_t>(from, header_bytes + 4) != data_version)
    return false;
  constexpr std::size_t trees_at = header_bytes + 24;
  out.page_bytes = read<std::uint32_t>(from, trees_at); // kept where the first tree has nothing to say
  out.free = read_tree(from.substr(trees_at));
  out.main = read_tree(from.substr(trees_at + tree_bytes));
  out.last_page = read<std::uint64_t>(from, trees_at + 2 * tree_bytes);
  out.transaction = read<std::uint64_t>(from, trees_at + 2 * tree_bytes + 8);
  return true;
}

std::string lmdb_file_walk::open() {
  meta metas[2];
  page_bytes_ = 0;
  if (!read_meta(0, metas[0])) {
    foreign_ = true;
    return "it is no LMDB file";
  }
  page_bytes_ = metas[0].page_bytes;
  if (page_bytes_ < 512 || page_bytes_ > 65536 || (page_bytes_ & (page_bytes_ - 1)) != 0)
    return "its page size is none";
  if (!read_meta(1, metas[1]) || metas[1].page_bytes != page_bytes_)
    return "its second page is not what it should be";
  const std::uint64_t even_number = metas[0].transaction;
  const std::uint64_t odd_number = metas[1].transaction;
  // Transactions write the two pages in turn.
  if ((even_number | odd_number) != 0 && (even_number % 2 != 0 || odd_number % 2 != 1 ||
                                          std::max(even_number, odd_number) - std::min(even_number, odd_number) != 1))
    return "its first two pages contradict each other";
  const meta& newest = even_number < odd_number ? metas[1] : metas[0];
  free_ = newest.free;
  main_ = newest.main;
  // The last pages of a transaction may have been given up before they were written; there are no more of them.
  constexpr std::uint64_t given_up_max = 131072;
  if (newest.last_page < 1 || newest.last_page > file_.size() / page_bytes_ + given_up_max)
    return "it is shorter than it says";
  pages_ = newest.last_page + 1;
  used_.assign(pages_, false);
  return {};
}

std::string_view lmdb_file_walk::page(std::uint64_t number) const {
  if (number < 2 || number >= pages_ || (number + 1) * page_bytes_ > file_.size())
    return {};
  return file_.substr(number * page_bytes_, page_bytes_);
}

bool lmdb_file_walk::claim(std::uint64_t number) {
  if (number >= used_.size() || used_[number])
    return false;
  used_[number] = true;
  return true;
}

std::string lmdb_file_walk::fault(std::uint64_t page, const char* what) const {
  return "page " + std::to_string(page) + " " + what;
}

std::string lmdb_file_walk::read_names() {
  const auto take = [&](std::string_view name, std::string_view value) {
    // A value that is no tree's belongs to somebody else's database.
    if (value.size() == tree_bytes)
      names_.emplace(name, read_tree(value));
    else
      foreign_ = true;
  };
  return walk(main_, take);
}

std::string lmdb_file_walk::walk(const tree& which, const visitor& visit) {
  path way{which, visit, {}};
  if (which.root == no_page) {
    if (which.depth != 0 || which.entries != 0)
      return "an empty tree claims to hold something";
    return {};
  }
  if (which.depth == 0 || which.depth > depth_max)
    return "a tree is impossibly deep";
  if (std::string wrong = walk_page(which.root, 1, way); !wrong.empty())
    return wrong;
  const tree& seen = way.seen;
  if (seen.branch_pages != which.branch_pages || seen.leaf_pages != which.leaf_pages ||
      seen.overflow_pages != which.overflow_pages || seen.entries != which.entries)
    return "a tree holds something else than it says";
  return {};
}

std::string lmdb_file_walk::walk_page(std::uint64_t number, unsigned level, path& way) {
  const std::string_view bytes = page(number);
  if (bytes.empty())
    return fault(number, "is outside of the file");
  if (!claim(number))
    return fault(number, "is used twice");
  const auto flags = read<std::uint16_t>(bytes, flags_at);
  const bool leaf = level == way.which.depth;
  if (flags != (leaf ? is_leaf_page : is_branch) || read<std::uint64_t>(bytes, 0) != number)
    return fault(number, "is not what it should be");
  std::vector<node> nodes;
  if (std::string wrong = read_nodes(number, leaf, nodes); !wrong.empty())
    return wrong;
  if (leaf)
    return walk_leaf(number, nodes, way);
  ++way.seen.branch_pages;
  const bool integers = (way.which.flags & integer_keys) != 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    // All below lies between this key and the next; the first has none.
    if (i > 0 && !is_before(way.last_key, nodes[i].key, integers))
      return fault(number, "is out of order");
    if (i > 0)
      way.floor = nodes[i].key;
    const std::uint64_t entries_before = way.seen.entries;
    if (std::string wrong = walk_page(nodes[i].page, level + 1, way); !wrong.empty())
      return wrong;
    if (way.seen.entries == entries_before)
      return fault(nodes[i].page, "is empty");
  }
  return {};
}

std::string lmdb_file_walk::walk_leaf(std::uint64_t number, const std::vector<node>& nodes, path& way) {
  ++way.seen.leaf_pages;
  const bool integers = (way.which.flags & integer_keys) != 0;
  for (const node& each : nodes) {
    if (each.key.empty() || (!way.last_key.empty() && !is_before(way.last_key, each.key, integers)) ||
        is_before(each.key, way.floor, integers))
      return fault(number, "is out of order");
    way.last_key = each.key;
    ++way.seen.entries;
    std::string_view value = each.value;
    if ((each.flags & big_data) != 0) {
      if (std::string wrong = read_overflow(each.page, each.size, way, value); !wrong.empty())
        return wrong;
    }
    way.visit(each.key, value);
  }
  return {};
}

std::string lmdb_file_walk::read_nodes(std::uint64_t number, bool is_leaf, std::vector<node>& out) const {
  const std::string_view bytes = page(number);
  const std::size_t lower = read<std::uint16_t>(bytes, lower_at);
  const std::size_t upper = read<std::uint16_t>(bytes, upper_at);
  if (lower < header_bytes || lower % 2 != 0 || lower > upper || upper > bytes.size())
    return fault(number, "has no sound frame");
  const std::size_t count = (lower - header_bytes) / 2;
  std::size_t taken = 0;
  std::vector<std::pair<std::size_t, std::size_t>> places; // of nodes, and their ends
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = read<std::uint16_t>(bytes, header_bytes + 2 * i);
    if (at < upper || at + node_header_bytes > bytes.size())
      return fault(number, "points beyond its end");
    const std::size_t key_bytes = read<std::uint16_t>(bytes, at + 6);
    node found;
    found.size = read<std::uint32_t>(bytes, at);
    found.flags = read<std::uint16_t>(bytes, at + 4);
    std::uint64_t value_bytes = 0;
    if (is_leaf) {
      if ((found.flags & ~(big_data | sub_data)) != 0)
        return fault(number, "has a node of an unknown kind");
      value_bytes = (found.flags & big_data) != 0 ? sizeof(std::uint64_t) : found.size;
    } else {
      found.page = found.size | std::uint64_t{found.flags} << 32;
    }
    if (at + node_header_bytes + key_bytes + value_bytes > bytes.size())
      return fault(number, "has a node beyond its end");
    found.key = bytes.substr(at + node_header_bytes, key_bytes);
    found.value = bytes.substr(at + node_header_bytes + key_bytes, value_bytes);
    if (is_leaf && (found.flags & big_data) != 0)
      found.page = read<std::uint64_t>(found.value, 0);
    const std::size_t whole = even(node_header_bytes + key_bytes + value_bytes);
    taken += whole;
    places.emplace_back(at, at + whole);
    out.push_back(found);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].first < places[i - 1].second)
      return fault(number, "has nodes that overlap");
  return taken == bytes.size() - upper ? std::string{} : fault(number, "has a gap");
}

std::string lmdb_file_walk::read_overflow(std::uint64_t number, std::size_t size, path& way, std::string_view& out) {
  const std::string_view head = page(number);
  if (head.empty() || read<std::uint16_t>(head, flags_at) != is_overflow || read<std::uint64_t>(head, 0) != number)
    return fault(number, "is no overflow page");
  const std::uint64_t count = read<std::uint32_t>(head, lower_at);
  if (count == 0 || count > pages_ || page(number + count - 1).empty() || header_bytes + size > count * page_bytes_)
    return fault(number, "is too short for what it holds");
  for (std::uint64_t i = 0; i < count; ++i)
    if (!claim(number + i))
      return fault(number + i, "is used twice");
  way.seen.overflow_pages += count;
  out = file_.substr(number * page_bytes_ + header_bytes, size);
  return {};
}

std::string lmdb_file_walk::check_free_pages() {
  std::string wrong;
  std::vector<std::uint64_t> free;
  const auto take = [&](std::string_view key, std::string_view value) {
    if (key.size() != 8 || value.size() < 8 || value.size() % 8 != 0 ||
        read<std::uint64_t>(value, 0) > value.size() / 8 - 1) {
      wrong = "the list of free pages is damaged";
      return;
    }
    for (std::uint64_t i = 1; i <= read<std::uint64_t>(value, 0); ++i) {
      free.push_back(read<std::uint64_t>(value, 8 * i));
      if (i > 1 && free[free.size() - 2] <= free.back())
        wrong = "the list of free pages is out of order";
    }
  };
  if (std::string broken = walk(free_, take); !broken.empty())
    return broken;
  if (!wrong.empty())
    return wrong;
  for (const std::uint64_t each : free)
    if (each < 2 || !claim(each))
      return fault(each, "is free and in use");
  return {};
}

} // namespace sliceferry::journal
