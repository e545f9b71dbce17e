#pragma once
#include "k8s/http_client.hpp"
#include "k8s/server_url.hpp"

#include <string>

namespace sliceferry::k8s {

/// Appends a whole request, head and body in one piece; `lines` are those of the `client_identity`.
void append_request(std::string& out, const http_request& request, const server_url& url, const std::string& lines);

/// `GET https://host:port/path`, without the query, for messages.
std::string name_of(const http_request& request, const server_url& url);

} // namespace sliceferry::k8s
