#include "messages/command.hpp"

#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"

namespace sliceferry {

std::string_view to_string(proof why) {
  switch (why) {
    case proof::seen:
      return "seen";
    case proof::superseded:
      return "superseded";
    case proof::gone:
      return "gone";
    case proof::ending:
      return "ending";
    case proof::leftover:
      return "leftover";
    case proof::leaving:
      return "leaving";
  }
  return "?";
}

std::string_view name_of(const command& what) {
  using namespace std::string_view_literals;
  return std::visit(overloaded{
                      [](const annotate_slice&) { return "annotate"sv; },
                      [](const clear_annotations&) { return "clear"sv; },
                      [](const apply_export&) { return "apply"sv; },
                      [](const withdraw_export&) { return "withdraw"sv; },
                    },
                    what);
}

std::string to_string(const command& what) {
  std::string out{name_of(what)};
  out += ' ';
  std::visit(overloaded{
               [&](const annotate_slice& x) {
                 out += to_string(x.slice) + " uid=" + x.uid + " name=" + x.name;
                 out += " generation=" + std::to_string(x.generation) + " since=" + format_rfc3339(x.since);
                 out += x.retry ? " (retry)" : "";
               },
               [&](const clear_annotations& x) { out += to_string(x.slice) + " uid=" + x.uid; },
               [&](const apply_export& x) {
                 out += x.name;
                 out += x.target ? " onto uid=" + x.target->uid + " rv=" + x.target->resource_version : " as new";
                 out += " digest=" + std::to_string(x.digest);
                 out += x.spec ? " {" + to_string(*x.spec) + '}' : "";
               },
               [&](const withdraw_export& x) {
                 out += x.name + " uid=" + x.hub_uid + " proof=";
                 out += to_string(x.why);
               },
             },
             what);
  return out;
}

std::string hub_uid_of(const command& what) {
  return std::visit(overloaded{
                      [](const annotate_slice&) { return std::string(); },
                      [](const clear_annotations&) { return std::string(); },
                      [](const apply_export& x) { return x.target ? x.target->uid : std::string(); },
                      [](const withdraw_export& x) { return x.hub_uid; },
                    },
                    what);
}

bool is_repair(const command& what) {
  const auto* apply = std::get_if<apply_export>(&what);
  return apply && apply->repair;
}

} // namespace sliceferry
