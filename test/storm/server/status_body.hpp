#pragma once
#include "test/storm/server/cluster.hpp"
#include "test/storm/server/field_error.hpp"

#include <string>
#include <string_view>

namespace sliceferry::storm {

/// What a Status says it is about.
struct subject {
  std::string_view group;    ///< empty: the core group
  std::string_view resource; ///< plural
  std::string_view kind;
  std::string_view name; ///< may be empty

  /// `endpointslices.discovery.k8s.io`
  std::string qualified() const;
  /// `EndpointSlice.discovery.k8s.io`
  std::string qualified_kind() const;
};

api_answer answer_json(unsigned status, std::string body);

api_answer not_found(const subject& what);
api_answer already_exists(const subject& what, bool terminating);
/// `detail` is what follows the object's name.
api_answer conflict(const subject& what, std::string_view detail);
api_answer modified_conflict(const subject& what);
/// A precondition of a DELETE; real servers put the kind where the resource belongs.
api_answer precondition_conflict(const subject& what, std::string_view field, std::string_view wanted,
                                 std::string_view found);
/// `causes` aren't empty. Where something couldn't be decoded at all this is a 400.
api_answer invalid_object(const subject& what, const field_errors& causes);
/// The same with the resource instead of the kind, as for a resourceVersion that is missing.
api_answer invalid_resource(const subject& what, const field_errors& causes);
api_answer bad_request(std::string_view message);
/// What became of a PATCH isn't an object of the kind.
api_answer bad_patch(std::string_view patched, std::string_view why);
api_answer forbidden_by(const subject& what, std::string_view why);
api_answer namespace_terminating(const subject& what, std::string_view nspace);
api_answer unauthorized();
api_answer method_not_allowed();
api_answer method_not_supported(const subject& what, std::string_view message);
/// Of a built-in kind; the details are there but empty.
api_answer unsupported_patch();
api_answer unsupported_media(std::string_view message);
/// A path of a built-in group that isn't served.
api_answer no_such_path();
/// A path that nothing serves: plain text, not a Status. Clients take it for a kind that isn't there.
api_answer page_not_found();
api_answer internal_error(std::string_view message);
api_answer too_large_object(); ///< in the words of etcd
/// 410 of a list's page.
api_answer expired(std::string_view message);
api_answer too_large_version(std::string_view asked, std::uint64_t current);
api_answer options_invalid(std::string_view options_kind, const field_errors& causes);
api_answer deleted(const subject& what, std::string_view uid);

/// The Status of a watch's ERROR event.
std::string too_old_status(std::uint64_t asked, std::uint64_t oldest);

} // namespace sliceferry::storm
