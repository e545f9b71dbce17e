#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::journal {

/// Reads a file of LMDB's (data version 1) page by page, without LMDB: that keeps no checksums, and takes each page for
/// what it says it is, so a flipped bit ends the program that opens the file or, worse, lets it write where it
/// shouldn't.
///
/// Each page must be used once, by one tree or the list of free pages; each tree must have the pages, entries and
/// order that it says it has; and in each page all bytes in use belong to one node. What lies in the values is for the
/// visitor to judge. Never reads beyond `file`, whatever it holds; if that is a mapped file that has been cut short
/// meanwhile, reading it ends the process.
class lmdb_file_walk {
public:
  /// A tree's own description of itself.
  struct tree {
    std::uint16_t flags = 0;
    std::uint16_t depth = 0;
    std::uint64_t branch_pages = 0;
    std::uint64_t leaf_pages = 0;
    std::uint64_t overflow_pages = 0;
    std::uint64_t entries = 0;
    std::uint64_t root = 0;
  };
  /// Called for each entry, in order.
  using visitor = std::function<void(std::string_view key, std::string_view value)>;

  explicit lmdb_file_walk(std::string_view file) : file_(file) {}

  /// Looks at the two pages that tell where all others are. Each of these returns what is wrong; nothing: all is well.
  std::string open();
  /// True after `open` if the file is not LMDB's at all.
  bool is_foreign() const { return foreign_; }
  /// The named trees, after `open`.
  std::string read_names();
  const std::map<std::string, tree, std::less<>>& names() const { return names_; }
  std::string walk(const tree& which, const visitor& visit);
  /// To be called once all trees have been walked.
  std::string check_free_pages();

private:
  struct node {
    std::string_view key;
    std::string_view value; ///< of a leaf
    std::uint64_t page = 0; ///< below a branch, or where a big value is
    std::uint64_t size = 0; ///< of the value
    std::uint16_t flags = 0;
  };
  struct path; // of one walk
  struct meta;

  bool read_meta(std::uint64_t page, meta& out) const;
  std::string_view page(std::uint64_t number) const;
  bool claim(std::uint64_t number);
  std::string fault(std::uint64_t page, const char* what) const;
  std::string walk_page(std::uint64_t number, unsigned level, path& way);
  std::string walk_leaf(std::uint64_t number, const std::vector<node>& nodes, path& way);
  std::string read_nodes(std::uint64_t number, bool is_leaf, std::vector<node>& out) const;
  std::string read_overflow(std::uint64_t number, std::size_t size, path& way, std::string_view& out);

  std::string_view file_;
  bool foreign_ = false;
  std::size_t page_bytes_ = 0;
  std::uint64_t pages_ = 0; ///< how many the file says it has
  tree free_;
  tree main_;
  std::vector<bool> used_;
  std::map<std::string, tree, std::less<>> names_;
};

} // namespace sliceferry::journal
