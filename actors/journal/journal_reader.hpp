#pragma once
#include "actors/journal/journal_record.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sliceferry::journal {

/// What a journal's file says of itself at one moment.
struct journal_outline {
  std::uint64_t first = 0; ///< position of the oldest record in the log; 0: the log is empty
  std::uint64_t last = 0;  ///< of the newest
  std::uint64_t start = 1; ///< what lies before was cut once a snapshot covered it
  bool has_snapshot = false;
  unsigned snapshot = 0;          ///< which of the two
  std::uint64_t covers = 0;       ///< the newest position of which the snapshot knows
  std::uint64_t kept_streams = 0; ///< in the snapshot

  bool operator==(const journal_outline&) const = default;
};

/// Reads the journal of a directory beside the process that writes it, in short transactions: a long one would keep
/// the writer from using pages again. So what is read isn't of one moment: records are there or are cut meanwhile, and
/// a snapshot may be replaced (`outline` tells).
///
/// Takes the file's word for its structure; see `read_in_child`. A process may not have one journal open twice.
class journal_reader {
public:
  /// The text says what stands in the way, in one sentence.
  static std::variant<std::unique_ptr<journal_reader>, std::string> open(const std::string& directory);
  ~journal_reader();
  journal_reader(const journal_reader&) = delete;
  journal_reader& operator=(const journal_reader&) = delete;

  /// Both get the bytes as they are kept, for `decode_record` and `decode_memory`, outside of any transaction, so they
  /// may take their time. False: enough.
  using record_visitor = std::function<bool(std::uint64_t position, std::string_view bytes)>;
  using memory_visitor = std::function<bool(std::string_view stream_key, std::string_view bytes)>;

  // Each of these returns what is wrong, or nothing.
  std::string outline(journal_outline& out);
  /// In the order of positions; `from` and `to` included.
  std::string read_log(std::uint64_t from, std::uint64_t to, const record_visitor& visit);
  /// In the order of keys, from the first that isn't before `from_key`.
  std::string read_snapshot(unsigned which, std::string_view from_key, const memory_visitor& visit);

private:
  class parts;
  explicit journal_reader(std::unique_ptr<parts> made);

  std::unique_ptr<parts> parts_;
};

} // namespace sliceferry::journal
