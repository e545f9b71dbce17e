#include "test/storm/server/cluster_state.hpp"
#include "test/storm/server/discovery.hpp"
#include "test/storm/server/list_options.hpp"

#include <algorithm>
#include <cctype>

namespace sliceferry::storm {

namespace {

api_answer plain(std::string text) {
  api_answer out = answer_json(200, std::move(text));
  out.content_type = "text/plain; charset=utf-8";
  return out;
}

bool is_probe(std::string_view path) {
  for (const std::string_view probe : {"/readyz", "/livez", "/healthz"})
    if (path == probe || (path.starts_with(probe) && path.substr(probe.size()).starts_with('/')))
      return true;
  return false;
}

/// What an RBAC authorizer says.
std::string denial(const api_request& asked, const api_path& path) {
  std::string out = "User " + quoted(asked.user) + " cannot ";
  const std::string verb{verb_of(asked, path)};
  if (path.where != api_path::place::resource)
    return out + verb + " path " + quoted(path.path);
  const std::string slash = path.subresource.empty() ? "" : "/" + std::string{path.subresource};
  out += verb + " resource " + quoted(std::string{path.resource} + slash) + " in API group " + quoted(path.group);
  const auto where = path.resource == "namespaces" ? path.name : path.nspace;
  return out + (where.empty() ? " at the cluster scope" : " in the namespace " + quoted(where));
}

/// A path of a built-in group gets a Status, any other one plain text.
api_answer nothing_there(const kind_table& kinds, std::string_view group) {
  return kinds.is_builtin_group(group) ? no_such_path() : page_not_found();
}

} // namespace

std::string_view verb_of(const api_request& asked, const api_path& path) {
  if (asked.method == "GET") {
    if (path.where != api_path::place::resource || !path.name.empty())
      return "get";
    return cluster::is_watch(asked) ? "watch" : "list";
  }
  if (asked.method == "POST")
    return "create";
  if (asked.method == "PUT")
    return "update";
  if (asked.method == "PATCH")
    return "patch";
  if (asked.method == "DELETE")
    return path.name.empty() ? "deletecollection" : "delete";
  return "";
}

namespace {

bool is_forbidden(const server_state& state, const api_request& asked, const api_path& path) {
  const std::string user{asked.user};
  const std::string_view verb = verb_of(asked, path);
  const bool reads_many = verb == "list" || verb == "watch";
  return state.forbidden.contains({user, rights::all}) ||
         (verb != "get" && state.forbidden.contains({user, reads_many ? rights::watches : rights::writes}));
}

} // namespace

std::optional<api_answer> cluster::impl::refuse_user(const api_request& asked, const api_path& path) const {
  if (asked.user.empty())
    return unauthorized();
  if (!state.forbidden.empty() && is_forbidden(state, asked, path)) {
    const bool names = asked.method != "POST";
    return forbidden_by({path.group, path.resource, {}, names ? path.name : std::string_view{}}, denial(asked, path));
  }
  return std::nullopt;
}

api_answer cluster::impl::answer_other(const api_path& path, const api_request& asked) {
  if (is_probe(path.path))
    return plain("ok");
  if (auto refusal = refuse_user(asked, path))
    return std::move(*refusal);
  if (path.where == api_path::place::document) {
    if (auto document = discovery_document(state.kinds, path))
      return answer_json(200, std::move(*document));
    return path.path.starts_with("/apis") ? nothing_there(state.kinds, path.group) : no_such_path();
  }
  if (path.path == "/metrics") {
    api_answer out = plain(state.counts.text());
    out.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return out;
  }
  if (path.path == "/version")
    return asked.method == "GET" ? answer_json(200, version_document()) : method_not_allowed();
  if (path.path == "/")
    return answer_json(200, R"({"paths":["/api","/apis","/livez","/metrics","/readyz","/version"]})"
                            "\n");
  return page_not_found();
}

verb_outcome cluster::impl::answer_object(const verb_request& request) {
  const resource_kind& kind = request.kind();
  const std::string_view method = request.asked.method;
  const std::string_view below = request.path.subresource;
  const bool is_status = below == "status" && kind.status_subresource;
  const bool is_finalize = below == "finalize" && kind.how == resource_kind::rules::nspace;
  if (!below.empty() && !is_status && !is_finalize)
    return {kind.custom ? not_found(request.about(request.path.name)) : no_such_path(), {}, {}};
  if (is_finalize && method != "PUT")
    return {method_not_allowed(), {}, {}};
  if (method == "GET")
    return get_object(state, request);
  if (method == "PUT")
    return replace_object(state, request);
  if (method == "PATCH")
    return patch_object(state, request);
  if (method == "DELETE" && below.empty())
    return delete_object(state, request);
  if (method == "POST" && below.empty())
    return create_object(state, request);
  return {method_not_allowed(), {}, {}};
}

verb_outcome cluster::impl::answer_collection(const verb_request& request) {
  const std::string_view method = request.asked.method;
  if (method == "GET")
    return list_objects(state, request);
  if (method == "POST")
    return create_object(state, request);
  if (method == "DELETE")
    return delete_collection(state, request);
  if (!request.kind().custom)
    return {method_not_allowed(), {}, {}};
  if (method == "PUT" || method == "PATCH")
    return {bad_request("name must be provided"), {}, {}};
  const subject about = request.about({});
  return {method_not_supported(about, " is not supported on resources of kind " + quoted(about.qualified())), {}, {}};
}

verb_outcome cluster::impl::answer_resource(const api_request& asked, const api_path& path) {
  const verb_request request{asked, path, state.kinds.find(path.group, path.version, path.resource)};
  if (!request.of.kind)
    return {nothing_there(state.kinds, path.group), {}, {}};
  const bool misplaced = request.kind().namespaced ? path.nspace.empty() && !path.name.empty() : !path.nspace.empty();
  if (misplaced || path.too_deep)
    return {nothing_there(state.kinds, path.group), {}, {}};
  return path.name.empty() ? answer_collection(request) : answer_object(request);
}

api_answer cluster::impl::handle(const api_request& asked, const api_path& path) {
  const std::string_view verb = verb_of(asked, path);
  if (path.where != api_path::place::resource) {
    api_answer out = answer_other(path, asked);
    state.counts.count(verb, {}, out.status);
    return out;
  }
  verb_outcome out;
  if (auto refusal = refuse_user(asked, path))
    out.answer = std::move(*refusal);
  else
    out = answer_resource(asked, path);
  state.counts.count(verb, path.resource, out.answer.status);
  // The pages of a list are one request of its reader.
  if (verb != "list" || query_value(path.query, "continue").empty())
    note(asked, path, out.answer.status, &out, {});
  return std::move(out.answer);
}

std::variant<std::uint64_t, api_answer> cluster::impl::watch(const api_request& asked, const api_path& path,
                                                             watcher sinks) {
  const served_kind of =
    path.where == api_path::place::resource ? state.kinds.find(path.group, path.version, path.resource) : served_kind{};
  const bool refused = refuse_user(asked, path).has_value();
  if (refused || !of.kind || !path.name.empty() || (!of.kind->namespaced && !path.nspace.empty()))
    return handle(asked, path);
  list_options options = read_list_options(path.query, *of.kind);
  const auto version = version_number(options.version);
  if (!options.refusal && !version && !options.version.empty())
    options.refusal = internal_error(bad_version(options.version));
  const unsigned status = options.refusal ? options.refusal->status : 200;
  state.counts.count("watch", path.resource, status);
  note(asked, path, status, nullptr, {});
  if (options.refusal)
    return std::move(*options.refusal);

  watch_request wanted;
  wanted.of = of;
  wanted.nspace = path.nspace;
  wanted.keeps = std::move(options.keeps);
  wanted.bookmarks = options.bookmarks;
  const bool from_now = version.value_or(0) == 0;
  wanted.starts_with_state = options.initial_events.value_or(from_now);
  if (!from_now && !wanted.starts_with_state)
    wanted.from = version;
  // The oldest clients ask for the state by leaving the version out; they are told of its end, too.
  wanted.marks_end_of_state = options.bookmarks && options.initial_events.value_or(options.version.empty());
  if (options.timeout_s)
    wanted.until = state.now + std::chrono::seconds{*options.timeout_s};
  static_cast<void>(state.of(*of.kind)); // so that the store has a collection of it
  return state.board.open(std::move(wanted), std::move(sinks), state.now);
}

void cluster::impl::note(const api_request& asked, const api_path& path, unsigned status, const verb_outcome* outcome,
                         std::string_view fault) {
  if (path.where != api_path::place::resource || !state.history)
    return;
  history_entry entry;
  entry.at = state.now;
  entry.cluster = state.options.name;
  entry.user = asked.user;
  entry.verb = verb_of(asked, path);
  if (entry.verb == "deletecollection")
    entry.verb = "delete";
  entry.resource = path.resource;
  entry.nspace = path.nspace;
  entry.name = outcome && !outcome->name.empty() ? std::string_view{outcome->name} : path.name;
  entry.subresource = path.subresource;
  entry.code = static_cast<int>(status);
  entry.fault = fault;
  if (outcome) {
    entry.what = outcome->done.what;
    if (outcome->done.object)
      entry.object = outcome->done.object->text;
  }
  state.history(std::move(entry));
}

} // namespace sliceferry::storm
