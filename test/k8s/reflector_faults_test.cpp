#include "k8s/reflector.hpp"

#include "messages/endpoint_slice.hpp"
#include "test/k8s/mirrored.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

#include <map>

// Every step of a session fails in turn, in every way it can; afterwards the mirror must be right.

namespace sliceferry::k8s {
namespace {

using namespace std::chrono_literals;

/// The collection of an API server with its whole history, paged by two, that compacts when told.
class cluster {
public:
  using state = std::map<std::string, std::string>;

  void put(const std::string& name) { history_.push_back({++version_, name, false}); }
  void remove(const std::string& name) { history_.push_back({++version_, name, true}); }
  void compact() { compacted_ = version_; }
  state at(int version) const {
    state out;
    for (const auto& past : history_)
      if (past.version <= version) {
        if (past.removed)
          out.erase(past.name);
        else
          out[past.name] = std::to_string(past.version);
      }
    return out;
  }
  state now() const { return at(version_); }
  state listed() const { return at(list_version_); } ///< as the latest first page showed it

  struct answer {
    unsigned status;
    std::string body;
  };
  answer get(const std::string& target) {
    const auto value = [&](const std::string& name) {
      const auto begin = target.find(name + "=");
      return begin == std::string::npos
               ? std::string{}
               : target.substr(begin + name.size() + 1, target.find('&', begin) - begin - name.size() - 1);
    };
    if (target.find("watch=1") == std::string::npos)
      return list(value("continue"), target.find("limit=") != std::string::npos ? 2 : 1000);
    const int since = std::stoi(value("resourceVersion"));
    if (since < compacted_)
      return {200, samples::error(410, "Expired")};
    std::string body;
    for (const auto& past : history_)
      if (past.version > since) {
        const bool existed = at(past.version - 1).count(past.name) != 0;
        body += samples::event(past.removed ? "DELETED"
                               : existed    ? "MODIFIED"
                                            : "ADDED",
                               samples::small_slice(past.name, std::to_string(past.version)));
      }
    return {200, body + samples::bookmark(std::to_string(version_))};
  }

private:
  struct change {
    int version;
    std::string name;
    bool removed;
  };

  answer list(const std::string& token, int page) {
    const int version = token.empty() ? version_ : std::stoi(token);
    const auto skip = token.empty() ? 0 : std::stoi(token.substr(token.find('.') + 1));
    if (version < compacted_)
      return {410, R"({"kind":"Status","reason":"Expired","message":"too old","code":410})"};
    list_version_ = version;
    std::string items;
    int index = 0;
    const state all = at(version);
    for (const auto& [name, seen] : all)
      if (index++ >= skip && index <= skip + page)
        items += (items.empty() ? "" : ",") + samples::small_slice(name, seen);
    const bool more = skip + page < static_cast<int>(all.size());
    return {200, samples::list(std::to_string(version), items,
                               more ? std::to_string(version) + "." + std::to_string(skip + page) : "")};
  }

  int version_ = 100;
  int compacted_ = 0;
  int list_version_ = 0;
  std::vector<change> history_;
};

/// One GET of the session ends otherwise than it should.
struct fault {
  std::size_t get = 0;
  std::size_t byte = 0; ///< of the body, from which on nothing arrives
  bool cut = true;      ///< else the end looks clean
  unsigned status = 200;
  std::string instead; ///< follows what arrived
  bool compaction = false;
};

constexpr std::size_t gets_with_changes = 9;

/// What happens in the cluster before each GET.
void change(cluster& world, std::size_t get) {
  const std::string name{static_cast<char>('a' + get)};
  world.put(name);
  world.put("changing");
  if (get % 2 == 1)
    world.remove(std::string{static_cast<char>('a' + get - 1)});
}

/// A session of the reflector against the cluster, one GET after the other.
struct session {
  cluster world;
  reflector<endpoint_slice> mirror{endpoint_slices, "", {.page_items_max = 2}};
  mirrored seen;
  tick now{1h};

  session() {
    for (const char* name : {"v", "w", "x", "y", "z"})
      world.put(name);
  }

  /// One GET, which fails if there is a fault; returns the length of its whole body.
  std::size_t get(const fault* failing, std::size_t step) {
    now += 1s;
    reflected<endpoint_slice> begun;
    const auto request = mirror.next(now, begun);
    note(begun);
    auto [status, whole] = world.get(request.target);
    std::string arrives = whole;
    if (failing != nullptr) {
      arrives = whole.substr(0, failing->byte) + failing->instead;
      status = failing->status != 200 ? failing->status : status;
    }
    mirror.head(status, std::nullopt);
    now += 2s;
    bool good = true;
    for (std::string_view left = arrives; good && !left.empty(); left.remove_prefix(std::min(step, left.size()))) {
      reflected<endpoint_slice> out;
      good = mirror.feed(left.substr(0, step), now, out);
      note(out);
    }
    std::optional<failure> broken;
    if (failing != nullptr && failing->cut && good)
      broken = failure{errc::unavailable, "reset", std::nullopt, 0};
    reflected<endpoint_slice> out;
    mirror.ended(broken, now, out);
    note(out);
    return whole.size();
  }

  void note(const reflected<endpoint_slice>& out) {
    for (const auto& event : out.batch.events) {
      seen.take(event);
      if (event.change == watch_change::init_done) {
        EXPECT_EQ(seen.objects, world.listed()) << "a list concluded something else than the server said";
      }
    }
  }

  bool is_right() const { return seen.objects == world.now() && seen.lists > 0 && !seen.in_list; }
};

/// Runs a session until the mirror is right; returns the lengths of the bodies.
std::vector<std::size_t> run(const std::optional<fault>& with, std::size_t step) {
  session one;
  std::vector<std::size_t> lengths;
  for (std::size_t get = 0; get < 60; ++get) {
    if (get < gets_with_changes)
      change(one.world, get);
    const bool failing = with && with->get == get;
    if (failing && with->compaction)
      one.world.compact();
    lengths.push_back(one.get(failing ? &*with : nullptr, step));
    if (get >= gets_with_changes && !failing && one.is_right())
      return lengths;
  }
  ADD_FAILURE() << "the mirror never became right";
  return lengths;
}

TEST(ReflectorFaults, WithoutThemTheMirrorIsRight) {
  EXPECT_GT(run(std::nullopt, 1U << 20U).size(), gets_with_changes);
  EXPECT_EQ(run(std::nullopt, 1), run(std::nullopt, 1U << 20U));
}

TEST(ReflectorFaults, EachByteMayBeTheLast) {
  const auto lengths = run(std::nullopt, 1U << 20U);
  for (std::size_t get = 0; get < lengths.size(); ++get)
    for (std::size_t byte = 0; byte <= lengths[get]; byte += byte + 3 < lengths[get] ? 3 : 1)
      for (const bool cut : {true, false}) {
        if (!cut && byte == lengths[get])
          continue;
        SCOPED_TRACE("GET " + std::to_string(get) + " ends " + (cut ? "broken" : "as if complete") + " after " +
                     std::to_string(byte));
        run(fault{get, byte, cut, 200, "", false}, 1U << 20U);
        if (::testing::Test::HasFailure())
          return;
      }
}

TEST(ReflectorFaults, EachGetMayBeRefused) {
  const auto lengths = run(std::nullopt, 1U << 20U);
  for (std::size_t get = 0; get < lengths.size(); ++get)
    for (const unsigned status : {301U, 400U, 401U, 403U, 404U, 410U, 429U, 500U, 502U, 503U, 504U})
      for (const bool cut : {true, false}) {
        SCOPED_TRACE("GET " + std::to_string(get) + " is answered " + std::to_string(status));
        run(fault{get, 0, cut, status, "<html>" + std::string(100'000, ' '), false}, 4096);
        if (::testing::Test::HasFailure())
          return;
      }
}

TEST(ReflectorFaults, EachStreamMayTurnIntoAnError) {
  const auto lengths = run(std::nullopt, 1U << 20U);
  for (std::size_t get = 0; get < lengths.size(); ++get)
    for (std::size_t byte = 0; byte <= lengths[get]; byte += 40)
      for (const int code : {410, 429, 500}) {
        SCOPED_TRACE("GET " + std::to_string(get) + " yields ERROR " + std::to_string(code) + " after " +
                     std::to_string(byte));
        run(fault{get, byte, false, 200, "\n" + samples::error(code, "Expired"), false}, 64);
        if (::testing::Test::HasFailure())
          return;
      }
}

TEST(ReflectorFaults, CompactionMayHappenAtAnyTime) {
  const auto lengths = run(std::nullopt, 1U << 20U);
  for (std::size_t get = 0; get < lengths.size(); ++get)
    for (std::size_t byte = 0; byte <= lengths[get]; byte += 100) {
      SCOPED_TRACE("compacted before GET " + std::to_string(get) + ", which breaks after " + std::to_string(byte));
      run(fault{get, byte, true, 200, "", true}, 1U << 20U);
      if (::testing::Test::HasFailure())
        return;
    }
}

} // namespace
} // namespace sliceferry::k8s
