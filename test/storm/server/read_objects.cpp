#include "test/storm/server/continue_token.hpp"
#include "test/storm/server/list_options.hpp"
#include "test/storm/server/verbs.hpp"

namespace sliceferry::storm {

namespace {

constexpr std::string_view page_too_old =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
  "the continue parameter.";
constexpr std::string_view list_too_old = "The resourceVersion for the provided list is too old.";

/// What a list shows: a state of the store and where in it to begin.
struct list_view {
  std::uint64_t version = 0;
  std::optional<continue_token> after;
  bool whole = false; ///< the limit doesn't count
  std::optional<api_answer> refusal;
};

list_view refused(api_answer answer) {
  list_view out;
  out.refusal = std::move(answer);
  return out;
}

list_view view_of(const server_state& state, const list_options& options) {
  list_view out;
  if (!options.continues.empty()) {
    auto read = decode_continue(options.continues);
    if (!read.problem.empty())
      return refused(bad_request("invalid continue token: " + read.problem));
    if (!options.version.empty() && options.version != "0")
      return refused(bad_request("specifying resource version is not allowed when using continue"));
    out.version = read.token.version;
    out.after = std::move(read.token);
    return out.version < state.log.floor() || out.version > state.version ? refused(expired(page_too_old))
                                                                          : std::move(out);
  }
  out.version = state.version;
  if (options.version.empty())
    return out;
  const auto asked = version_number(options.version);
  if (!asked)
    return refused(bad_request("invalid resource version: " + bad_version(options.version)));
  if (*asked > state.version)
    return refused(too_large_version(options.version, state.version));
  out.whole = *asked == 0;
  // With a limit, a version is meant exactly unless it is said otherwise.
  const bool exact = options.match == "Exact" || (options.match.empty() && options.limit > 0);
  if (*asked == 0 || !exact)
    return out;
  out.version = *asked;
  return out.version < state.log.floor() ? refused(expired(list_too_old)) : std::move(out);
}

/// Goes through a kind's objects as they were at a version, in order, beginning after a place.
class snapshot {
public:
  using place = std::pair<std::string_view, std::string_view>;

  snapshot(server_state& state, const resource_kind& kind, std::uint64_t version)
    : now_(state.of(kind)), undone_(state.log.undone(kind.id, version)) {}

  /// How many objects there are.
  std::size_t size(std::string_view nspace) const {
    std::size_t out = now_.size_of(nspace);
    for (const auto& [where, object] : undone_)
      if (nspace.empty() || where.first == nspace) {
        out += object ? 1U : 0U;
        out -= now_.find(where.first, where.second) ? 1U : 0U;
      }
    return out;
  }

  /// Calls with namespace, name and object until it gets `false`.
  template <class Use>
  void each(std::string_view nspace, const std::optional<continue_token>& after, Use use) const {
    auto past = undone_.begin();
    bool more = true;
    const auto visit = [&](place here, const shared_revision& object) {
      const bool wanted =
        object && (nspace.empty() || here.first == nspace) && (!after || here > place{after->nspace, after->name});
      more = more && (!wanted || use(here.first, here.second, object));
    };
    const auto visit_past = [&](auto until) {
      for (; more && past != undone_.end() && until(place{past->first}); ++past)
        visit(past->first, past->second);
    };
    const auto& all = now_.all();
    const std::string_view first = !nspace.empty() ? nspace
                                   : after         ? std::string_view{after->nspace}
                                                   : std::string_view{};
    for (auto space = all.lower_bound(first); more && space != all.end(); ++space) {
      if (!nspace.empty() && space->first != nspace)
        break;
      const auto& names = space->second.names();
      const bool begun = after && space->first == after->nspace;
      for (auto each = begun ? names.upper_bound(after->name) : names.begin(); more && each != names.end(); ++each) {
        const place here{space->first, each->first};
        visit_past([&](place then) { return then < here; });
        if (past != undone_.end() && place{past->first} == here)
          visit_past([&](place then) { return then == here; });
        else
          visit(here, each->second);
      }
    }
    visit_past([](place) { return true; });
  }

private:
  const collection& now_;
  event_log::differences undone_;
};

struct list_page {
  std::vector<const revision*> items; ///< the snapshot holds them
  bool full = false;                  ///< and there are more
  std::optional<std::size_t> left;    ///< how many; not known where a selector would have to be tried on each
  continue_token last;
};

/// The members of the list's metadata that only some pages have; each with a comma after it.
std::string page_members(const list_page& page, bool custom) {
  std::string out;
  if (page.full || custom)
    out.append(R"("continue":")").append(page.full ? encode(page.last) : std::string{}).append("\",");
  if (page.left)
    out.append(R"("remainingItemCount":)").append(std::to_string(*page.left)).append(",");
  return out;
}

std::string list_text(const verb_request& request, const list_page& page, std::uint64_t version) {
  const resource_kind& kind = request.kind();
  const std::string meta =
    R"("metadata":{)" + page_members(page, kind.custom) + R"("resourceVersion":")" + std::to_string(version) + "\"}";
  const std::string name = R"("kind":")" + kind.kind + R"(List",)";
  std::size_t size = meta.size() + 200;
  for (const auto* each : page.items)
    size += each->text.size() + 1;
  std::string out;
  out.reserve(size);
  out.append("{").append(kind.custom ? "" : name).append(R"("apiVersion":")").append(request.api_version());
  out.append("\",").append(kind.custom ? "" : meta + ",").append(R"("items":[)");
  for (const auto* each : page.items) {
    if (each != page.items.front())
      out += ',';
    append_item(out, kind, request.of.version, *each);
  }
  out += "]";
  if (kind.custom)
    out.append(",").append(name).append(meta);
  return out += "}\n";
}

} // namespace

verb_outcome get_object(server_state& state, const verb_request& request) {
  const std::string_view wanted = query_value(request.path.query, "resourceVersion");
  if (const auto asked = version_number(wanted); asked && *asked > state.version)
    return {too_large_version(wanted, state.version), {}, {}};
  const shared_revision found = state.of(request.kind()).find(request.path.nspace, request.path.name);
  if (!found)
    return {not_found(request.about(request.path.name)), {}, {}};
  api_answer answer;
  answer.body = shown(request.kind(), request.of.version, found);
  return {std::move(answer), {}, {}};
}

verb_outcome list_objects(server_state& state, const verb_request& request) {
  const list_options options = read_list_options(request.path.query, request.kind());
  if (options.refusal)
    return {*options.refusal, {}, {}};
  const list_view seen = view_of(state, options);
  if (seen.refusal)
    return {*seen.refusal, {}, {}};
  list_page page;
  page.last.version = seen.version;
  page.last.shown = seen.after ? seen.after->shown : 0;
  const std::size_t most = options.limit == 0 || seen.whole ? SIZE_MAX : options.limit;
  const snapshot objects{state, request.kind(), seen.version};
  objects.each(request.path.nspace, seen.after,
               [&](std::string_view nspace, std::string_view name, const shared_revision& object) {
                 if (!options.keeps.matches(nspace, name, *object) || state.hides(request.asked.user, {nspace, name}))
                   return true;
                 page.full = page.items.size() == most;
                 if (page.full)
                   return false;
                 page.items.push_back(object.get());
                 if (page.items.size() == most) {
                   page.last.nspace = nspace;
                   page.last.name = name;
                 }
                 return true;
               });
  page.last.shown += page.items.size();
  if (page.full && options.keeps.is_empty())
    page.left = objects.size(request.path.nspace) - page.last.shown;
  return {answer_json(200, list_text(request, page, seen.version)), {}, {}};
}

} // namespace sliceferry::storm
