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
  snapshot(server_state& state, const resource_kind& kind, std::uint64_t version)
    : now_(state.of(kind)), undone_(state.log.undone(kind.id, version)) {}

  /// Calls with namespace, name and object.
  template <class Use>
  void each(std::string_view nspace, const std::optional<continue_token>& after, Use use) const {
    const auto wanted = [&](std::string_view space, std::string_view name) {
      return (nspace.empty() || space == nspace) &&
             (!after ||
              std::pair{space, name} > std::pair<std::string_view, std::string_view>{after->nspace, after->name});
    };
    auto past = undone_.begin();
    const auto use_past = [&](const auto& until) {
      for (; past != undone_.end() && until(past->first); ++past)
        if (past->second && wanted(past->first.first, past->first.second))
          use(past->first.first, past->first.second, past->second);
    };
    // A list of one namespace needn't look at the others.
    const auto& all = now_.all();
    auto space = nspace.empty() ? all.begin() : all.find(nspace);
    const auto end = nspace.empty() || space == all.end() ? all.end() : std::next(space);
    for (; space != end; ++space)
      for (const auto& [name, object] : space->second) {
        const std::pair here{std::string_view{space->first}, std::string_view{name}};
        if (!undone_.empty()) {
          use_past([&](const auto& key) { return std::pair<std::string_view, std::string_view>{key} < here; });
          if (past != undone_.end() && std::pair<std::string_view, std::string_view>{past->first} == here) {
            use_past([&](const auto& key) { return std::pair<std::string_view, std::string_view>{key} == here; });
            continue;
          }
        }
        if (wanted(space->first, name))
          use(space->first, name, object);
      }
    use_past([](const auto&) { return true; });
  }

private:
  const collection& now_;
  event_log::differences undone_;
};

struct list_page {
  std::string items;
  std::size_t shown = 0;
  std::size_t left = 0;
  continue_token last;
};

std::string list_text(const verb_request& request, const list_page& page, std::uint64_t version, bool counts) {
  const resource_kind& kind = request.kind();
  std::string more;
  if (page.left > 0)
    more = encode({version, page.last.nspace, page.last.name});
  std::string out;
  out.reserve(page.items.size() + 300);
  if (kind.custom) {
    out.append(R"({"apiVersion":")").append(request.api_version()).append(R"(","items":[)").append(page.items);
    out.append(R"(],"kind":")").append(kind.kind).append(R"(List","metadata":{"continue":")").append(more);
    if (page.left > 0 && counts)
      out.append(R"(","remainingItemCount":)").append(std::to_string(page.left)).append(R"(,"resourceVersion":")");
    else
      out.append(R"(","resourceVersion":")");
    return out.append(std::to_string(version)).append("\"}}\n");
  }
  out.append(R"({"kind":")").append(kind.kind).append(R"(List","apiVersion":")").append(request.api_version());
  out.append(R"(","metadata":{"resourceVersion":")").append(std::to_string(version)).append("\"");
  if (page.left > 0)
    out.append(R"(,"continue":")").append(more).append("\"");
  if (page.left > 0 && counts)
    out.append(R"(,"remainingItemCount":)").append(std::to_string(page.left));
  return out.append(R"(},"items":[)").append(page.items).append("]}\n");
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
  const std::size_t most = options.limit == 0 || seen.whole ? SIZE_MAX : options.limit;
  const snapshot objects{state, request.kind(), seen.version};
  objects.each(request.path.nspace, seen.after,
               [&](std::string_view nspace, std::string_view name, const shared_revision& object) {
                 if (!options.keeps.matches(nspace, name, *object))
                   return;
                 if (page.shown == most) {
                   ++page.left;
                   return;
                 }
                 if (page.shown > 0)
                   page.items += ',';
                 append_item(page.items, request.kind(), request.of.version, *object);
                 ++page.shown;
                 page.last = {seen.version, std::string{nspace}, std::string{name}};
               });
  // How many are left is told only where no selector had to be tried for it.
  return {answer_json(200, list_text(request, page, seen.version, options.keeps.is_empty())), {}, {}};
}

} // namespace sliceferry::storm
