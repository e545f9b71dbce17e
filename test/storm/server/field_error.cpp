#include "test/storm/server/field_error.hpp"

#include "test/storm/server/json_text.hpp"

namespace sliceferry::storm {

namespace {

std::string with_detail(std::string said, std::string_view detail) {
  if (!detail.empty())
    said.append(": ").append(detail);
  return said;
}

} // namespace

std::string quoted(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

field_error required(std::string field, std::string_view detail) {
  return {field_error::kind::required, std::move(field), with_detail("Required value", detail)};
}

field_error invalid(std::string field, std::string_view value, std::string_view detail) {
  return {field_error::kind::invalid, std::move(field), with_detail("Invalid value: " + std::string{value}, detail)};
}

field_error type_invalid(std::string field, std::string_view value, std::string_view detail) {
  return {field_error::kind::type_invalid, std::move(field),
          with_detail("Invalid value: " + std::string{value}, detail)};
}

field_error not_supported(std::string field, std::string_view value, const std::vector<std::string>& supported) {
  std::string said = "Unsupported value: " + std::string{value} + ": supported values: ";
  for (const auto& one : supported)
    said.append(&one == &supported.front() ? "" : ", ").append(quoted(one));
  return {field_error::kind::not_supported, std::move(field), std::move(said)};
}

field_error duplicate(std::string field, std::string_view value) {
  return {field_error::kind::duplicate, std::move(field), "Duplicate value: " + std::string{value}};
}

field_error forbidden(std::string field, std::string_view detail) {
  return {field_error::kind::forbidden, std::move(field), with_detail("Forbidden", detail)};
}

field_error too_many(std::string field, std::size_t found, std::size_t most) {
  return {field_error::kind::too_many, std::move(field),
          "Too many: " + std::to_string(found) + ": must have at most " + std::to_string(most) + " items"};
}

field_error too_long(std::string field, std::size_t bytes_max) {
  return {field_error::kind::too_long, std::move(field),
          "Too long: may not be more than " + std::to_string(bytes_max) + " bytes"};
}

field_error undecodable(std::string field, std::string_view found, std::string_view wanted) {
  std::string said = "json: cannot unmarshal ";
  said.append(found).append(" into Go struct field ").append(field).append(" of type ").append(wanted);
  return {field_error::kind::undecodable, std::move(field), std::move(said)};
}

std::string_view reason_of(field_error::kind what) {
  switch (what) {
    case field_error::kind::required:
      return "FieldValueRequired";
    case field_error::kind::not_supported:
      return "FieldValueNotSupported";
    case field_error::kind::invalid:
      return "FieldValueInvalid";
    case field_error::kind::type_invalid:
      return "FieldValueTypeInvalid";
    case field_error::kind::duplicate:
      return "FieldValueDuplicate";
    case field_error::kind::forbidden:
      return "FieldValueForbidden";
    case field_error::kind::too_many:
      return "FieldValueTooMany";
    case field_error::kind::too_long:
      return "FieldValueTooLong";
    case field_error::kind::undecodable:
      return "FieldValueInvalid";
  }
  return "FieldValueInvalid";
}

} // namespace sliceferry::storm
