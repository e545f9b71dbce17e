#include "test/storm/server/request_counts.hpp"

#include <cctype>

namespace sliceferry::storm {

namespace {

/// The real server counts by method, but for reads.
std::string metric_verb(std::string_view verb) {
  if (verb == "create")
    return "POST";
  if (verb == "update")
    return "PUT";
  std::string out{verb};
  for (char& c : out)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

} // namespace

void request_counts::count(std::string_view verb, std::string_view resource, unsigned code) {
  auto found = counts_.find(key_view{verb, resource, code});
  if (found == counts_.end())
    found = counts_.emplace(key{std::string{verb}, std::string{resource}, code}, 0).first;
  ++found->second;
}

std::string request_counts::text() const {
  std::string out = "# HELP apiserver_request_total Counter of apiserver requests broken out for each verb, API "
                    "resource and HTTP response code.\n# TYPE apiserver_request_total counter\n";
  for (const auto& [what, count] : counts_)
    out.append("apiserver_request_total{code=\"")
      .append(std::to_string(what.code))
      .append("\",resource=\"")
      .append(what.resource)
      .append("\",verb=\"")
      .append(metric_verb(what.verb))
      .append("\"} ")
      .append(std::to_string(count))
      .append("\n");
  return out;
}

} // namespace sliceferry::storm
