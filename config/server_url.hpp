#pragma once
#include <string>
#include <string_view>

namespace sliceferry {

/// What is wrong with `url` as the address of an API server (`https://host:port/prefix`); empty if nothing is.
std::string server_url_problem(std::string_view url);

/// Whether what is sent to this `url` stays on this machine.
bool is_loopback_url(std::string_view url);

} // namespace sliceferry
