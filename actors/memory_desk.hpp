#pragma once
#include "actors/admin/admin_server.hpp"
#include "actors/journal/replay.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sliceferry {

/// Somebody wants to compare what a member's slices remember with the journal.
struct memories_question {
  std::function<void(std::string lines)> answer; ///< from any thread; `memory_line`s
};

/// `MEMBER UID DIGEST` of a slice at rest (`journal::digest_of`, hexadecimal), or `MEMBER UID -` while its exporter is
/// awake: its memory is changing.
std::string memory_line(const std::string& member, const std::string& slice_uid, std::optional<std::uint64_t> digest);
/// Reads such lines; nothing if one of them is none.
std::optional<journal::memory_digests> read_memory_lines(const std::string& text);

/// The answer, a line, to a question about a member that isn't served; whoever asks tells it from other 404s by it.
inline constexpr const char* no_such_member_here = "no such member is served here";

/// Where the admin server's question about memories meets the members' dispatchers. Thread-safe; outlives the fleet,
/// which may be built anew. One question at a time, as each costs a look at every slice.
class memory_desk {
public:
  explicit memory_desk(const std::vector<std::string>& members);

  void attach(const std::string& member, std::function<void(memories_question)> put);
  void detach();

  /// `/memories[?member=M]`
  admin_questions pages();

private:
  void take(const asked_path& asked, const admin_reply& reply);

  std::mutex lock_;
  std::map<std::string, std::function<void(memories_question)>> seats_;
  std::shared_ptr<std::atomic<bool>> busy_ = std::make_shared<std::atomic<bool>>(false);
};

} // namespace sliceferry
