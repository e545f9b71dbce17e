#pragma once
#include "test/storm/server/proposal.hpp"
#include "test/storm/server/verbs.hpp"

#include <optional>

namespace sliceferry::storm {

/// A body that holds an object of the kind, or the answer that refuses it.
struct request_object {
  std::optional<boost::json::value> json;
  std::optional<api_answer> refusal;
};

/// Checks the content type, reads the body and compares its kind and apiVersion with what the path names.
request_object read_object(const verb_request& request, boost::json::storage_ptr where);

/// The first thing in the errors that no object can be decoded from, or nothing.
const field_error* undecodable_in(const field_errors& errors);

/// The 400 for it.
api_answer refuse_undecodable(const verb_request& request, const field_error& what);

/// A custom resource may come with another kind; that is found out only when it is validated.
void check_kind_name(const verb_request& request, const boost::json::value& object, field_errors& errors);

/// What the request's object calls itself; the kind of the path where it says nothing.
subject subject_of(const verb_request& request, const boost::json::value& object, std::string_view name);

/// Nothing where new content may be put into the request's namespace.
std::optional<api_answer> refuse_namespace(server_state& state, const verb_request& request, std::string_view name,
                                           bool creates);

} // namespace sliceferry::storm
