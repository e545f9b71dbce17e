#include "k8s/request_text.hpp"

namespace sliceferry::k8s {

std::string_view to_string(http_method method) {
  switch (method) {
    case http_method::get:
      return "GET";
    case http_method::post:
      return "POST";
    case http_method::put:
      return "PUT";
    case http_method::patch:
      return "PATCH";
    case http_method::del:
      return "DELETE";
  }
  return "?";
}

void append_request(std::string& out, const http_request& request, const server_url& url, const std::string& lines) {
  out.append(to_string(request.method)).append(" ").append(url.prefix).append(request.target);
  out.append(" HTTP/1.1\r\n").append(lines);
  if (!request.content_type.empty())
    out.append("Content-Type: ").append(request.content_type).append("\r\n");
  if (!request.body.empty() || request.method != http_method::get)
    out.append("Content-Length: ").append(std::to_string(request.body.size())).append("\r\n");
  out.append("\r\n").append(request.body);
}

std::string name_of(const http_request& request, const server_url& url) {
  return std::string{to_string(request.method)} + " " + url.text() + url.prefix +
         request.target.substr(0, request.target.find('?'));
}

} // namespace sliceferry::k8s
