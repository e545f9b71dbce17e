#include "test/storm/server/status_body.hpp"

#include "test/storm/server/json_text.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace {

std::string joined(std::string_view first, std::string_view group) {
  std::string out{first};
  if (!group.empty())
    out.append(".").append(group);
  return out;
}

/// Writes a Failure; members that are empty are left out, as the real one does.
class failure_text {
public:
  failure_text& message(std::string_view text) { return member("message", text); }
  failure_text& reason(std::string_view text) { return member("reason", text); }

  failure_text& details(const subject& what, std::string_view kind) {
    out_ += ",\"details\":{";
    first_ = true;
    inner("name", what.name);
    inner("group", what.group);
    inner("kind", kind);
    return *this;
  }
  failure_text& causes(const field_errors& all) {
    comma();
    out_ += "\"causes\":[";
    for (const auto& [what, field, said] : all) {
      if (out_.back() != '[')
        out_ += ',';
      out_.append("{\"reason\":\"").append(reason_of(what)).append("\",\"message\":");
      append_string(out_, said);
      out_ += ",\"field\":";
      append_string(out_, field);
      out_ += '}';
    }
    out_ += ']';
    return *this;
  }
  failure_text& raw(std::string_view text) {
    comma();
    out_ += text;
    return *this;
  }
  failure_text& end_details() {
    out_ += '}';
    return *this;
  }

  std::string code(unsigned number) { return out_ + ",\"code\":" + std::to_string(number) + "}"; }
  api_answer answer(unsigned number) { return answer_json(number, code(number) + "\n"); }

private:
  failure_text& member(std::string_view name, std::string_view text) {
    out_.append(",\"").append(name).append("\":");
    append_string(out_, text);
    return *this;
  }
  void comma() {
    if (!first_)
      out_ += ',';
    first_ = false;
  }
  void inner(std::string_view name, std::string_view text) {
    if (text.empty())
      return;
    comma();
    out_.append("\"").append(name).append("\":");
    append_string(out_, text);
  }

  std::string out_ = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure")";
  bool first_ = true;
};

/// As Go's aggregate shows them: each text once, brackets where there are several.
std::string list_of(const field_errors& causes) {
  std::vector<std::string> texts;
  for (const auto& cause : causes) {
    std::string text = cause.field + ": " + cause.message;
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  }
  if (texts.size() == 1)
    return texts.front();
  std::string out = "[";
  for (const auto& text : texts)
    out.append(&text == &texts.front() ? "" : ", ").append(text);
  return out + "]";
}

api_answer invalid_as(const subject& what, const std::string& qualified, std::string_view kind,
                      const field_errors& causes) {
  return failure_text{}
    .message(qualified + " " + quoted(what.name) + " is invalid: " + list_of(causes))
    .reason("Invalid")
    .details(what, kind)
    .causes(causes)
    .end_details()
    .answer(422);
}

api_answer conflict_as(const subject& what, const std::string& qualified, std::string_view kind,
                       std::string_view detail) {
  return failure_text{}
    .message("Operation cannot be fulfilled on " + qualified + " " + quoted(what.name) + ": " + std::string{detail})
    .reason("Conflict")
    .details(what, kind)
    .end_details()
    .answer(409);
}

} // namespace

std::string subject::qualified() const {
  return joined(resource, group);
}

std::string subject::qualified_kind() const {
  return joined(kind, group);
}

api_answer answer_json(unsigned status, std::string body) {
  api_answer out;
  out.status = status;
  out.body = std::make_shared<const std::string>(std::move(body));
  return out;
}

api_answer not_found(const subject& what) {
  return failure_text{}
    .message(what.qualified() + " " + quoted(what.name) + " not found")
    .reason("NotFound")
    .details(what, what.resource)
    .end_details()
    .answer(404);
}

api_answer already_exists(const subject& what, bool terminating) {
  return failure_text{}
    .message((terminating ? "object is being deleted: " : "") + what.qualified() + " " + quoted(what.name) +
             " already exists")
    .reason("AlreadyExists")
    .details(what, what.resource)
    .end_details()
    .answer(409);
}

api_answer conflict(const subject& what, std::string_view detail) {
  return conflict_as(what, what.qualified(), what.resource, detail);
}

api_answer modified_conflict(const subject& what) {
  return conflict(what, "the object has been modified; please apply your changes to the latest version and try again");
}

api_answer precondition_conflict(const subject& what, std::string_view field, std::string_view wanted,
                                 std::string_view found) {
  std::string said = "the ";
  said.append(field).append(" in the precondition (").append(wanted).append(") does not match the ").append(field);
  said.append(" in record (").append(found).append("). The object might have been ");
  said.append(field == "UID" ? "deleted and then recreated" : "modified");
  return conflict_as(what, what.qualified_kind(), what.kind, said);
}

api_answer invalid_object(const subject& what, const field_errors& causes) {
  return invalid_as(what, what.qualified_kind(), what.kind, causes);
}

api_answer invalid_resource(const subject& what, const field_errors& causes) {
  return invalid_as(what, what.qualified(), what.resource, causes);
}

api_answer bad_request(std::string_view message) {
  return failure_text{}.message(message).reason("BadRequest").answer(400);
}

api_answer bad_patch(std::string_view patched, std::string_view why) {
  const field_errors causes{invalid("patch", quoted(patched), why)};
  return invalid_as({}, "", "", causes);
}

api_answer forbidden_by(const subject& what, std::string_view why) {
  std::string said = what.qualified();
  if (!what.name.empty())
    said.append(" ").append(quoted(what.name));
  if (!said.empty())
    said += " is ";
  return failure_text{}
    .message(said + "forbidden: " + std::string{why})
    .reason("Forbidden")
    .details(what, what.resource)
    .end_details()
    .answer(403);
}

api_answer namespace_terminating(const subject& what, std::string_view nspace) {
  const std::string where{nspace};
  std::string cause = R"("causes":[{"reason":"NamespaceTerminating","message":)";
  append_string(cause, "namespace " + where + " is being terminated");
  return failure_text{}
    .message(what.qualified() + " " + quoted(what.name) + " is forbidden: unable to create new content in namespace " +
             where + " because it is being terminated")
    .reason("Forbidden")
    .details(what, what.resource)
    .raw(cause + R"(,"field":"metadata.namespace"}])")
    .end_details()
    .answer(403);
}

api_answer unauthorized() {
  return failure_text{}.message("Unauthorized").reason("Unauthorized").answer(401);
}

api_answer method_not_allowed() {
  return failure_text{}
    .message("the server does not allow this method on the requested resource")
    .reason("MethodNotAllowed")
    .details({}, "")
    .end_details()
    .answer(405);
}

api_answer method_not_supported(const subject& what, std::string_view message) {
  return failure_text{}
    .message(message)
    .reason("MethodNotAllowed")
    .details({what.group, what.resource, what.kind, {}}, what.resource)
    .end_details()
    .answer(405);
}

api_answer unsupported_patch() {
  return failure_text{}
    .message("415: Unsupported Media Type")
    .reason("UnsupportedMediaType")
    .details({}, "")
    .end_details()
    .answer(415);
}

api_answer unsupported_media(std::string_view message) {
  return failure_text{}.message(message).reason("UnsupportedMediaType").answer(415);
}

api_answer no_such_path() {
  return failure_text{}
    .message("the server could not find the requested resource")
    .reason("NotFound")
    .details({}, "")
    .end_details()
    .answer(404);
}

api_answer page_not_found() {
  api_answer out = answer_json(404, "404 page not found\n");
  out.content_type = "text/plain; charset=utf-8";
  return out;
}

api_answer internal_error(std::string_view message) {
  return failure_text{}.message(message).answer(500);
}

api_answer too_large_object() {
  return internal_error("etcdserver: request is too large");
}

api_answer expired(std::string_view message) {
  return failure_text{}.message(message).reason("Expired").answer(410);
}

api_answer too_large_version(std::string_view asked, std::uint64_t current) {
  api_answer out =
    failure_text{}
      .message("Timeout: Too large resource version: " + std::string{asked} + ", current: " + std::to_string(current))
      .reason("Timeout")
      .details({}, "")
      .raw(R"("causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}])")
      .raw(R"("retryAfterSeconds":1)")
      .end_details()
      .answer(504);
  out.retry_after_s = 1;
  return out;
}

api_answer options_invalid(std::string_view options_kind, const field_errors& causes) {
  return invalid_object({"meta.k8s.io", {}, options_kind, {}}, causes);
}

api_answer deleted(const subject& what, std::string_view uid) {
  std::string out = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":)";
  append_string(out, what.name);
  if (!what.group.empty()) {
    out += ",\"group\":";
    append_string(out, what.group);
  }
  out += ",\"kind\":";
  append_string(out, what.resource);
  out += ",\"uid\":";
  append_string(out, uid);
  return answer_json(200, out + "}}\n");
}

std::string too_old_status(std::uint64_t asked, std::uint64_t oldest) {
  return failure_text{}
    .message("too old resource version: " + std::to_string(asked) + " (" + std::to_string(oldest) + ")")
    .reason("Expired")
    .code(410);
}

} // namespace sliceferry::storm
