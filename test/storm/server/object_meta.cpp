#include "test/storm/server/object_meta.hpp"

#include "test/storm/server/json_text.hpp"
#include "test/storm/server/object_names.hpp"

#include <algorithm>

namespace sliceferry::storm {

namespace json = boost::json;

namespace {

/// Reads members of metadata; each may be absent or null.
class meta_reader {
public:
  meta_reader(const json::object& from, field_errors& errors) : from_(from), errors_(errors) {}

  std::string_view text(std::string_view name) {
    const json::value* found = find(from_, name);
    return found ? text(*found, name) : std::string_view{};
  }
  std::optional<std::int64_t> number(std::string_view name) {
    const json::value* found = find(from_, name);
    if (!found)
      return std::nullopt;
    if (found->is_int64())
      return found->get_int64();
    wrong(*found, name, "int64");
    return std::nullopt;
  }
  object_meta::texts texts(std::string_view name) {
    object_meta::texts out;
    const json::value* found = find(from_, name);
    if (!found)
      return out;
    if (!found->is_object())
      return wrong(*found, name, "map[string]string"), out;
    for (const auto& each : found->get_object())
      out.emplace_back(std::string_view{each.key().data(), each.key().size()},
                       each.value().is_null() ? std::string_view{} : text(each.value(), name));
    std::sort(out.begin(), out.end());
    return out;
  }
  std::vector<std::string_view> list(std::string_view name) {
    std::vector<std::string_view> out;
    const json::value* found = find(from_, name);
    if (!found)
      return out;
    if (!found->is_array())
      return wrong(*found, name, "[]string"), out;
    for (const auto& each : found->get_array())
      out.push_back(text(each, name));
    return out;
  }
  std::string owners() {
    const json::value* found = find(from_, "ownerReferences");
    if (!found)
      return {};
    if (!found->is_array())
      return wrong(*found, "ownerReferences", "[]v1.OwnerReference"), std::string{};
    return found->get_array().empty() ? std::string{} : to_text(*found);
  }

private:
  std::string_view text(const json::value& value, std::string_view name) {
    if (const auto* found = value.if_string())
      return view(*found);
    wrong(value, name, "string");
    return {};
  }
  void wrong(const json::value& value, std::string_view name, std::string_view wanted) {
    errors_.push_back(undecodable("ObjectMeta.metadata." + std::string{name}, go_kind(value), wanted));
  }

  const json::object& from_;
  field_errors& errors_;
};

/// Writes the members of metadata in either order; each leaves out what is empty.
class meta_writer {
public:
  meta_writer(revision& out, const object_meta& meta, const signature& by) : out_(out), meta_(meta), by_(by) {}

  void text(std::string_view name, std::string_view value) {
    if (value.empty())
      return;
    begin(name);
    append_string(out_.text, value);
  }
  void version() {
    begin("resourceVersion");
    out_.text += '"';
    out_.version_digits.at = here();
    append_number(out_.text, out_.version);
    out_.version_digits.size = here() - out_.version_digits.at;
    out_.text += '"';
  }
  void generation() {
    if (meta_.generation == 0)
      return;
    begin("generation");
    append_number(out_.text, meta_.generation);
  }
  void grace() {
    if (!meta_.grace)
      return;
    begin("deletionGracePeriodSeconds");
    append_number(out_.text, *meta_.grace);
  }
  void labels() {
    if (meta_.labels.empty())
      return;
    begin("labels");
    out_.label_part.at = here();
    pairs(meta_.labels);
    out_.label_part.size = here() - out_.label_part.at;
  }
  void annotations() {
    if (meta_.annotations.empty())
      return;
    begin("annotations");
    pairs(meta_.annotations);
  }
  void owners() {
    if (meta_.owners.empty())
      return;
    begin("ownerReferences");
    out_.text += meta_.owners;
  }
  void finalizers() {
    if (meta_.finalizers.empty())
      return;
    begin("finalizers");
    out_.text += '[';
    for (const auto one : meta_.finalizers) {
      if (out_.text.back() != '[')
        out_.text += ',';
      append_string(out_.text, one);
    }
    out_.text += ']';
  }
  void managed() {
    begin("managedFields");
    out_.text += "[{\"manager\":";
    append_string(out_.text, by_.manager);
    out_.text.append(",\"operation\":\"Update\",\"apiVersion\":\"").append(by_.api_version);
    out_.text.append("\",\"time\":\"").append(by_.stamp).append("\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{}}]");
  }

private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(out_.text.size()); }
  void begin(std::string_view name) {
    if (out_.text.back() != '{')
      out_.text += ',';
    out_.text.append("\"").append(name).append("\":");
  }
  void pairs(const object_meta::texts& all) {
    out_.text += '{';
    for (const auto& [key, value] : all) {
      if (out_.text.back() != '{')
        out_.text += ',';
      append_string(out_.text, key);
      out_.text += ':';
      append_string(out_.text, value);
    }
    out_.text += '}';
  }

  revision& out_;
  const object_meta& meta_;
  const signature& by_;
};

void write_as_listed(meta_writer& to, const object_meta& meta) {
  to.text("name", meta.name);
  to.text("generateName", meta.generate_name);
  to.text("namespace", meta.nspace);
  to.text("uid", meta.uid);
  to.version();
  to.generation();
  to.text("creationTimestamp", meta.created);
  to.text("deletionTimestamp", meta.deleted);
  to.grace();
  to.labels();
  to.annotations();
  to.owners();
  to.finalizers();
  to.managed();
}

void write_by_name(meta_writer& to, const object_meta& meta) {
  to.annotations();
  to.text("creationTimestamp", meta.created);
  to.grace();
  to.text("deletionTimestamp", meta.deleted);
  to.finalizers();
  to.text("generateName", meta.generate_name);
  to.generation();
  to.labels();
  to.managed();
  to.text("name", meta.name);
  to.text("namespace", meta.nspace);
  to.owners();
  to.version();
  to.text("uid", meta.uid);
}

void check_keys(const object_meta::texts& all, const std::string& field, field_errors& errors) {
  for (const auto& [key, value] : all)
    if (const auto problem = problem_of_qualified_name(key); !problem.empty())
      errors.push_back(invalid(field, quoted(key), problem));
}

void check_annotations(const object_meta::texts& all, field_errors& errors) {
  constexpr std::size_t bytes_max = 256 * 1024;
  const std::string field = "metadata.annotations";
  check_keys(all, field, errors);
  std::size_t bytes = 0;
  for (const auto& [key, value] : all)
    bytes += key.size() + value.size();
  if (bytes > bytes_max)
    errors.push_back(too_long(field, bytes_max));
}

bool is_finalizer(std::string_view name) {
  return name.find('/') != std::string_view::npos || name == "foregroundDeletion" || name == "orphan" ||
         name == "kubernetes";
}

} // namespace

bool object_meta::same_content(const object_meta& other) const {
  return name == other.name && generate_name == other.generate_name && nspace == other.nspace && uid == other.uid &&
         created == other.created && deleted == other.deleted && grace == other.grace && labels == other.labels &&
         annotations == other.annotations && finalizers == other.finalizers && owners == other.owners;
}

object_meta read_meta(const json::value* from, field_errors& errors) {
  object_meta out;
  if (!from || from->is_null())
    return out;
  if (!from->is_object()) {
    errors.push_back(undecodable("metadata", go_kind(*from), "v1.ObjectMeta"));
    return out;
  }
  meta_reader reader{from->get_object(), errors};
  out.name = reader.text("name");
  out.generate_name = reader.text("generateName");
  out.nspace = reader.text("namespace");
  out.uid = reader.text("uid");
  out.version = reader.text("resourceVersion");
  out.created = reader.text("creationTimestamp");
  out.deleted = reader.text("deletionTimestamp");
  out.grace = reader.number("deletionGracePeriodSeconds");
  out.generation = reader.number("generation").value_or(0);
  out.labels = reader.texts("labels");
  out.annotations = reader.texts("annotations");
  out.finalizers = reader.list("finalizers");
  out.owners = reader.owners();
  return out;
}

void write_meta(revision& out, const object_meta& meta, const signature& by, member_order order) {
  out.meta.at = static_cast<std::uint32_t>(out.text.size());
  out.text += '{';
  meta_writer to{out, meta, by};
  switch (order) {
    case member_order::as_listed:
      write_as_listed(to, meta);
      break;
    case member_order::by_name:
      write_by_name(to, meta);
      break;
  }
  out.text += '}';
  out.meta.size = static_cast<std::uint32_t>(out.text.size()) - out.meta.at;
  out.terminating = !meta.deleted.empty();
}

void check_meta(const object_meta& meta, bool custom, field_errors& errors) {
  check_keys(meta.labels, "metadata.labels", errors);
  for (const auto& [key, value] : meta.labels)
    if (const auto problem = problem_of_label_value(value); !problem.empty())
      errors.push_back(invalid("metadata.labels", quoted(value), problem));
  check_annotations(meta.annotations, errors);
  for (const auto name : meta.finalizers)
    if (const auto problem = problem_of_qualified_name(name); !problem.empty())
      errors.push_back(invalid("metadata.finalizers", quoted(name), problem));
  if (custom)
    return; // others than the server's own need no domain there
  for (std::size_t i = 0; i < meta.finalizers.size(); ++i)
    if (!is_finalizer(meta.finalizers[i]))
      errors.push_back(invalid("metadata.finalizers[" + std::to_string(i) + "]", quoted(meta.finalizers[i]),
                               "name is neither a standard finalizer name nor is it fully qualified"));
}

void check_meta_update(const object_meta& meta, const object_meta& before, field_errors& errors) {
  if (meta.uid != before.uid)
    errors.push_back(invalid("metadata.uid", quoted(meta.uid), "field is immutable"));
  if (meta.deleted != before.deleted)
    errors.push_back(invalid("metadata.deletionTimestamp", quoted(meta.deleted), "field is immutable"));
  if (before.deleted.empty())
    return;
  std::string added;
  for (const auto one : meta.finalizers)
    if (std::find(before.finalizers.begin(), before.finalizers.end(), one) == before.finalizers.end())
      added.append(added.empty() ? "" : ", ").append(quoted(one));
  if (!added.empty())
    errors.push_back(forbidden("metadata.finalizers",
                               "no new finalizers can be added if the object is being deleted, found new finalizers "
                               "[]string{" +
                                 added + "}"));
}

} // namespace sliceferry::storm
