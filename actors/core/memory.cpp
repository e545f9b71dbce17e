#include "actors/core/memory.hpp"

#include "messages/rfc3339.hpp"

#include <algorithm>

namespace sliceferry::core {

const withdrawal* under_way(const memory& held) {
  const auto found = std::ranges::find(held.withdrawals, false, &withdrawal::done);
  return found == held.withdrawals.end() ? nullptr : &*found;
}

bool created(const memory& held, std::string_view hub_uid) {
  return std::ranges::find(held.hub_uids, hub_uid) != held.hub_uids.end();
}

std::string to_string(const memory& held) {
  std::string out = "memory{name=" + held.name + " generation=" + std::to_string(held.generation) +
                    " since=" + format_rfc3339(held.since) + " uids=[";
  for (const auto& uid : held.hub_uids)
    out += uid + ' ';
  out += "] digest=" + std::to_string(held.digest) + " accepted=" + std::to_string(held.accepted) + " withdrawals=[";
  for (const auto& each : held.withdrawals)
    out += each.name + '/' + each.hub_uid + '/' + std::string{to_string(each.why)} + (each.done ? "/done " : " ");
  out += "] names=" + std::to_string(held.names_chosen) + " in_row=" + std::to_string(held.annotated_in_row);
  for (const auto& [is, text] : {std::pair{held.name_pending, " name_pending"},
                                 {held.annotate_owed, " annotate_owed"},
                                 {held.annotate_refused, " annotate_refused"},
                                 {held.apply_owed, " apply_owed"},
                                 {held.over, " over"}})
    if (is)
      out += text;
  return out + '}';
}

} // namespace sliceferry::core
