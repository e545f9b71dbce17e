#include "actors/admin/page_choice.hpp"

namespace sliceferry {

namespace {

page_choice refuse(unsigned status, const std::string& why, std::string allow = {}) {
  return {{.status = status, .body = std::to_string(status) + ' ' + why + '\n'}, std::move(allow)};
}

} // namespace

page_choice choose_page(const admin_site& site, const page_request& request) {
  auto asked = parse_target(request.target);
  if (!asked)
    return refuse(400, "the path is not percent-encoded as it should be");
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  for (const auto& [prefix, question] : site.questions)
    if (asked->path.starts_with(prefix) || asked->path + '/' == prefix)
      return is_read ? page_choice{{}, {}, &question, std::move(*asked)}
                     : refuse(405, "method not allowed", "GET, HEAD");
  const auto page = site.routes.find(asked->path);
  const auto order = site.orders.find(asked->path);
  if (page == site.routes.end() && order == site.orders.end())
    return refuse(404, "not found");
  if (page != site.routes.end() && is_read)
    return {page->second()};
  if (order == site.orders.end() || request.method != "POST")
    return refuse(405, "method not allowed", page == site.routes.end() ? "POST" : "GET, HEAD");
  if (!request.is_local || !request.is_order)
    return refuse(403, "orders are taken from this machine only, by sliceferry itself");
  return {order->second()};
}

} // namespace sliceferry
