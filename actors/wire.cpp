#include "actors/wire.hpp"

#include "k8s/decode.hpp"
#include "k8s/encode.hpp"
#include "k8s/resource.hpp"
#include "k8s/status.hpp"
#include "messages/overloaded.hpp"

namespace sliceferry {

namespace {

k8s::http_request make_request(k8s::http_method method, std::string target, std::string_view type, std::string body) {
  return {method, std::move(target), std::string(type), std::move(body)};
}

std::string slice_path(const object_key& slice) {
  return k8s::object_path(k8s::endpoint_slices, slice);
}

std::string export_path(const std::string& hub_nspace, const std::string& name) {
  return k8s::object_path(k8s::slice_exports, {hub_nspace, name});
}

k8s::call_kind kind_of(const command& what) {
  return std::visit(overloaded{
                      [](const annotate_slice&) { return k8s::call_kind::patch; },
                      [](const clear_annotations&) { return k8s::call_kind::patch; },
                      [](const apply_export& x) { return x.target ? k8s::call_kind::patch : k8s::call_kind::create; },
                      [](const withdraw_export&) { return k8s::call_kind::del; },
                    },
                    what);
}

std::optional<failure> failure_of(const k8s::result<k8s::http_response>& end, k8s::call_kind what) {
  if (!end)
    return end.error();
  if (end->status >= 200 && end->status < 300)
    return std::nullopt;
  return k8s::failure_of(end->status, end->body, end->retry_after, what);
}

} // namespace

k8s::http_request write_request(const core::work& asked, const std::string& hub_nspace) {
  using k8s::http_method;
  return std::visit(
    overloaded{
      [&](const annotate_slice& x) {
        return make_request(http_method::patch, slice_path(x.slice), k8s::merge_patch_type, k8s::encode_annotate(x));
      },
      [&](const clear_annotations& x) {
        return make_request(http_method::patch, slice_path(x.slice), k8s::merge_patch_type, k8s::encode_clear(x));
      },
      [&](const apply_export& x) {
        return x.target ? make_request(http_method::patch, export_path(hub_nspace, x.name), k8s::merge_patch_type,
                                       k8s::encode_change(*x.target, *x.spec))
                        : make_request(http_method::post, k8s::collection_path(k8s::slice_exports, hub_nspace),
                                       k8s::json_type, k8s::encode_create({hub_nspace, x.name}, *x.spec));
      },
      [&](const withdraw_export& x) {
        return make_request(http_method::del, export_path(hub_nspace, x.name), k8s::json_type,
                            k8s::encode_delete(x.hub_uid));
      },
    },
    asked.what);
}

k8s::http_request read_request(const core::work& asked, const std::string& hub_nspace) {
  auto target = std::visit(overloaded{
                             [](const annotate_slice& x) { return slice_path(x.slice); },
                             [](const clear_annotations& x) { return slice_path(x.slice); },
                             [&](const apply_export& x) { return export_path(hub_nspace, x.name); },
                             [&](const withdraw_export& x) { return export_path(hub_nspace, x.name); },
                           },
                           asked.what);
  auto request = make_request(k8s::http_method::get, std::move(target), {}, {});
  request.counted = true; // each GET takes a token
  return request;
}

std::optional<failure> failure_of_write(const core::work& asked, const k8s::result<k8s::http_response>& end) {
  return failure_of(end, kind_of(asked.what));
}

std::optional<failure> failure_of_read(const k8s::result<k8s::http_response>& end) {
  return failure_of(end, k8s::call_kind::read_object);
}

bool take_object(const core::work& asked, const std::string& body, write_answer& answer) {
  if (is_member_write(asked.what)) {
    auto slice = k8s::decode_object<endpoint_slice>(body);
    if (slice)
      answer.slice = std::move(*slice);
    return answer.slice.has_value();
  }
  auto exported = k8s::decode_object<slice_export>(body);
  if (exported)
    answer.exported = std::move(*exported);
  return answer.exported.has_value() || (!answer.read && std::holds_alternative<withdraw_export>(asked.what));
}

} // namespace sliceferry
