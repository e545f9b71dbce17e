#include "test/storm/server/request_object.hpp"

#include "test/storm/server/json_text.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

/// As the real server shows a body: at most 26 bytes.
std::string shortened(std::string_view body) {
  if (body.empty())
    return "<empty>";
  return body.size() <= 26 ? std::string{body} : std::string{body.substr(0, 26)} + " ...";
}

std::string unrecognized(const verb_request& request, const std::string& why) {
  return "the object provided is unrecognized (must be of type " + request.kind().kind + "): " + why + " (" +
         shortened(request.asked.body) + ")";
}

std::string_view version_in(std::string_view api_version) {
  const auto slash = api_version.find('/');
  return slash == std::string_view::npos ? api_version : api_version.substr(slash + 1);
}

std::string unhandled(const verb_request& request, std::string_view kind, std::string_view api_version) {
  return std::string{kind} + " in version " + quoted(version_in(api_version)) + " cannot be handled as a " +
         request.kind().kind + ": ";
}

/// What is wrong with the object's apiVersion and kind, or nothing.
std::string misnamed(const verb_request& request, const boost::json::value& object) {
  std::string_view kind = text_of(&object, "kind");
  std::string_view api_version = text_of(&object, "apiVersion");
  if (request.kind().custom) {
    if (kind.empty())
      return unrecognized(request, "Object 'Kind' is missing in '" + std::string{request.asked.body} + "'");
  } else {
    // Built-in kinds are what the path says unless the object says otherwise.
    kind = kind.empty() ? std::string_view{request.kind().kind} : kind;
    api_version = api_version.empty() ? std::string_view{request.api_version()} : api_version;
    const auto slash = api_version.find('/');
    const auto group = slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
    if (kind != request.kind().kind || group != request.kind().group)
      return unhandled(request, kind, api_version) + "no kind " + quoted(kind) + " is registered for version " +
             quoted(api_version) + " in scheme \"pkg/runtime/scheme.go:111\"";
  }
  if (api_version != request.api_version())
    return "the API version in the data (" + std::string{api_version} + ") does not match the expected API version (" +
           request.api_version() + ")";
  return {};
}

} // namespace

request_object read_object(const verb_request& request, boost::json::storage_ptr where) {
  const auto type = request.asked.content_type.substr(0, request.asked.content_type.find(';'));
  if (!type.empty() && type != "application/json") // YAML and protobuf are what this server doesn't read
    return {std::nullopt, unsupported_media("the body of the request was in an unknown format - accepted media types "
                                            "include: application/json, application/yaml, "
                                            "application/vnd.kubernetes.protobuf")};
  json_reading read = read_json(request.asked.body, std::move(where));
  std::string problem = std::move(read.problem);
  if (read.value && !read.value->is_object())
    problem = "json: cannot unmarshal " + std::string{go_kind(*read.value)} +
              " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
              "\"json:\\\"kind,omitempty\\\"\" }";
  if (!problem.empty())
    return {std::nullopt,
            bad_request(unrecognized(request, "couldn't get version/kind; json parse error: " + problem))};
  if (auto wrong = misnamed(request, *read.value); !wrong.empty())
    return {std::nullopt, bad_request(wrong)};
  return {std::move(read.value), std::nullopt};
}

const field_error* undecodable_in(const field_errors& errors) {
  const auto found = std::find_if(errors.begin(), errors.end(),
                                  [](const field_error& each) { return each.what == field_error::kind::undecodable; });
  return found == errors.end() ? nullptr : &*found;
}

api_answer refuse_undecodable(const verb_request& request, const field_error& what) {
  return bad_request(unhandled(request, request.kind().kind, request.api_version()) + what.message);
}

void check_kind_name(const verb_request& request, const boost::json::value& object, field_errors& errors) {
  const auto kind = text_of(&object, "kind");
  if (kind != request.kind().kind && request.kind().custom)
    errors.push_back(invalid("kind", quoted(kind), "must be " + request.kind().kind));
}

subject subject_of(const verb_request& request, const boost::json::value& object, std::string_view name) {
  subject out = request.about(name);
  if (const auto kind = text_of(&object, "kind"); !kind.empty())
    out.kind = kind;
  return out;
}

std::optional<api_answer> refuse_namespace(server_state& state, const verb_request& request, std::string_view name,
                                           bool creates) {
  if (!request.kind().namespaced)
    return std::nullopt;
  const shared_kind spaces = state.kinds.find("", "v1", "namespaces").kind;
  const shared_revision found = state.of(*spaces).find("", request.path.nspace);
  if (!found)
    return not_found(spaces->subject_of(request.path.nspace));
  if (found->terminating && creates)
    return namespace_terminating(request.about(name), request.path.nspace);
  return std::nullopt;
}

} // namespace sliceferry::storm
