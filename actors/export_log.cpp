#include "actors/export_log.hpp"

#include "actors/core/member_identity.hpp"
#include "actors/log.hpp"
#include "messages/overloaded.hpp"

namespace sliceferry {

std::string why_not(const inputs& seen) {
  if (seen.leaving)
    return "the member leaves the fleet";
  if (seen.leftover)
    return "leftover, its slice does not exist";
  if (!seen.slice)
    return "slice deleted";
  if (seen.slice->deleting)
    return "slice is being deleted";
  if (seen.slice->managed_by == core::importer_manager)
    return "slice is an import";
  if (seen.slice->address_type != core::exported_address_type)
    return "address type is " + seen.slice->address_type;
  if (!seen.slice->service)
    return "slice has no service label";
  return "ServiceExport is " + std::string(to_string(seen.says));
}

export_log::export_log(std::string member, const core::memory& held)
  : member_(std::move(member)), exported_(held.hub_uids.begin(), held.hub_uids.end()) {}

void export_log::write(const inputs& seen, const std::string& unique_name, const event& told) {
  const auto line = [&](std::string_view message, const std::string& name, const std::string& reason) {
    log::info(message, {{"member", member_},
                        {"namespace", seen.key.nspace},
                        {"name", seen.key.name},
                        {"unique_name", name},
                        {"reason", reason}});
  };
  const auto detail = [&] {
    log::debug(to_string(told), {{"member", member_}, {"namespace", seen.key.nspace}, {"name", seen.key.name}});
  };
  std::visit(overloaded{
               [&](const adopted& x) {
                 exported_.insert(x.hub_uids.begin(), x.hub_uids.end());
                 detail();
               },
               [&](const export_applied& x) {
                 const bool is_new = exported_.insert(x.hub_uid).second;
                 line(is_new ? "exported" : "changed", x.name,
                      "generation " + std::to_string(seen.slice ? seen.slice->generation : 0));
               },
               [&](const withdrawal_begun& x) {
                 const auto reason = x.why == proof::superseded ? "superseded by " + unique_name : why_not(seen);
                 begun_[x.hub_uid] = {x.name, reason};
                 detail();
               },
               [&](const export_withdrawn& x) {
                 const auto found = begun_.find(x.hub_uid);
                 const bool is_ours = found != begun_.end();
                 line("withdrawn", is_ours ? found->second.name : unique_name,
                      is_ours ? found->second.reason : "removed by another hand");
                 if (is_ours)
                   begun_.erase(found);
                 exported_.erase(x.hub_uid);
               },
               [&](const refused& x) { line("refused", unique_name, x.command + ": " + x.reason); },
               [&](const drift_repaired& x) { line("drift", unique_name, x.what); },
               [&](const contradiction& x) { line("contradiction", unique_name, x.what); },
               [&](const generation_seen&) { detail(); },
               [&](const name_chosen&) { detail(); },
               [&](const annotated&) { detail(); },
               [&](const withdrawal_cancelled&) { detail(); },
               [&](const annotations_cleared&) { detail(); },
               [&](const slice_gone&) { detail(); },
             },
             told);
}

} // namespace sliceferry
