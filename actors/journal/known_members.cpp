#include "actors/journal/known_members.hpp"

#include "actors/journal/journal_reader.hpp"
#include "actors/journal/memory_codec.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/stream_key.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

namespace sliceferry::journal {
namespace {

constexpr std::size_t hash_bytes = 8; // that a key begins with
constexpr std::size_t named_max = 20;

/// The members whose streams were seen, up to the one that is looked for.
class member_search {
public:
  explicit member_search(const std::string& wanted) : wanted_(wanted) {}

  bool take_kept(std::string_view key, std::string_view bytes) {
    if (!is_hashed_key(key))
      return take(key);
    const auto kept = decode_memory(bytes);
    return !kept || add(kept->whose.member);
  }
  bool take_record(std::string_view bytes) {
    const std::string_view key = stream_key_in(bytes);
    if (!is_hashed_key(key))
      return take(key);
    const auto record = decode_record(0, bytes);
    return !record || add(record->whose.member);
  }
  bool is_found() const { return found_; }
  std::string names() const {
    std::string out;
    std::size_t named = 0;
    for (auto each = seen_.begin(); each != seen_.end() && named < named_max; ++each, ++named)
      out += (named == 0 ? "" : ", ") + *each;
    if (named < seen_.size())
      out += " and " + std::to_string(seen_.size() - named) + " more";
    return out.empty() ? "none" : out;
  }

private:
  /// False: enough.
  bool take(std::string_view key) {
    const std::string_view rest = key.substr(std::min(hash_bytes, key.size()));
    const std::string_view member = rest.substr(0, rest.find('\0'));
    // Most follow one of the same. What is new is looked at: bytes that are no key name nobody.
    if (member.empty() || seen_.contains(member))
      return true;
    return !stream_of(key) || add(member);
  }
  bool add(std::string_view member) {
    seen_.emplace(member);
    found_ = found_ || member == wanted_;
    return !found_;
  }

  const std::string& wanted_;
  std::set<std::string, std::less<>> seen_;
  bool found_ = false;
};

} // namespace

member_judgement judge_member(journal_reader& from, const std::string& member) {
  journal_outline seen;
  member_search search(member);
  std::string wrong = from.outline(seen);
  if (wrong.empty() && seen.has_snapshot)
    wrong = from.read_snapshot(seen.snapshot, {}, [&](auto key, auto bytes) { return search.take_kept(key, bytes); });
  if (wrong.empty() && !search.is_found() && seen.first != 0)
    wrong = from.read_log(seen.first, seen.last, [&](auto, auto bytes) { return search.take_record(bytes); });
  if (!wrong.empty() || search.is_found())
    return {{}, std::move(wrong)};
  return {"the journal knows no member " + member + "; it knows " + search.names() + '\n', {}};
}

} // namespace sliceferry::journal
