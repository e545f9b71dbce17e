#include "messages/event.hpp"

#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"

namespace sliceferry {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string out = "[";
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : " ") + parts[i];
  return out + ']';
}

std::string details(const event& told) {
  return std::visit(overloaded{
                      [](const adopted& x) {
                        return " name=" + x.name + " generation=" + std::to_string(x.generation) +
                               " since=" + format_rfc3339(x.since) + " hub_uids=" + joined(x.hub_uids) +
                               " digest=" + std::to_string(x.digest);
                      },
                      [](const generation_seen& x) {
                        return " generation=" + std::to_string(x.generation) + " since=" + format_rfc3339(x.since);
                      },
                      [](const name_chosen& x) { return " name=" + x.name; },
                      [](const annotated& x) { return " generation=" + std::to_string(x.generation); },
                      [](const export_applied& x) {
                        std::string out =
                          " name=" + x.name + " hub_uid=" + x.hub_uid + " digest=" + std::to_string(x.digest);
                        return x.accepted == x.digest ? out : out + " accepted=" + std::to_string(x.accepted);
                      },
                      [](const withdrawal_begun& x) {
                        return " name=" + x.name + " hub_uid=" + x.hub_uid + " proof=" + std::string{to_string(x.why)};
                      },
                      [](const withdrawal_cancelled&) { return std::string{}; },
                      [](const export_withdrawn& x) { return " hub_uid=" + x.hub_uid; },
                      [](const annotations_cleared&) { return std::string{}; },
                      [](const refused& x) { return " command=" + x.command + " reason=\"" + x.reason + '"'; },
                      [](const drift_repaired& x) { return " what=\"" + x.what + '"'; },
                      [](const contradiction& x) { return " what=\"" + x.what + '"'; },
                      [](const slice_gone&) { return std::string{}; },
                    },
                    told);
}

} // namespace

std::string_view name_of(const event& told) {
  using namespace std::string_view_literals;
  return std::visit(overloaded{
                      [](const adopted&) { return "adopted"sv; },
                      [](const generation_seen&) { return "generation seen"sv; },
                      [](const name_chosen&) { return "name chosen"sv; },
                      [](const annotated&) { return "annotated"sv; },
                      [](const export_applied&) { return "export applied"sv; },
                      [](const withdrawal_begun&) { return "withdrawal begun"sv; },
                      [](const withdrawal_cancelled&) { return "withdrawal cancelled"sv; },
                      [](const export_withdrawn&) { return "export withdrawn"sv; },
                      [](const annotations_cleared&) { return "annotations cleared"sv; },
                      [](const refused&) { return "refused"sv; },
                      [](const drift_repaired&) { return "drift repaired"sv; },
                      [](const contradiction&) { return "contradiction"sv; },
                      [](const slice_gone&) { return "slice gone"sv; },
                    },
                    told);
}

std::string to_string(const event& told) {
  return std::string{name_of(told)} + details(told);
}

} // namespace sliceferry
