#include "test/storm/stage/fault_actor.hpp"

#include "test/storm/disk/tear.hpp"
#include "test/storm/stage/ask.hpp"

#include <algorithm>

namespace sliceferry::storm {

bool loses_objects(const std::vector<fault>& forecast) {
  return std::any_of(forecast.begin(), forecast.end(), [](const fault& each) {
    return each.kind == "restored_backup" || each.kind == "remove_crd" || each.kind == "emptied";
  });
}

fault_actor::fault_actor(std::vector<fault> forecast, k8s::http_client* control, program& target,
                         std::function<void(program_news)> tell)
  : forecast_{std::move(forecast)}, control_{control}, target_{target}, tell_{std::move(tell)} {}

void fault_actor::act(std::chrono::milliseconds since) {
  if (since >= revive_at_)
    revive();
  heal_disk(since);
  for (; next_ < forecast_.size() && forecast_[next_].at <= since; ++next_)
    begin(forecast_[next_], since);
}

void fault_actor::begin(const fault& each, std::chrono::milliseconds since) {
  latest_ = each.kind + " at " + each.where;
  if (each.where == "program") {
    strike_program(each, since);
  } else if (control_) {
    k8s::http_request told{k8s::http_method::post, "/faults", "application/json", to_json(each)};
    if (const auto answer = ask(*control_, std::move(told)); answer.status >= 300 || answer.status == 0)
      latest_ += " FAILED: " + std::to_string(answer.status) + ' ' + answer.body;
  }
}

void fault_actor::strike_program(const fault& each, std::chrono::milliseconds since) {
  if (each.kind == "clock_step")
    return target_.step_clock(each.amount);
  if (strike_disk(each, since))
    return;
  if (revive_at_ != std::chrono::milliseconds::max())
    revive();
  if (each.kind == "stop_program") {
    tell_({program_event::paused});
    target_.pause();
    revive_at_ = since + each.lasts;
    return;
  }
  tell_({program_event::ending});
  target_.kill();
  tell_({program_event::stopped});
  revive_at_ = since + each.amount;
  if (each.kind == "torn_journal") {
    latest_ += ": " + tear(target_.journal_file(), each.seed);
    tell_({program_event::torn});
  }
}

/// False where it is no fault of the disk.
bool fault_actor::strike_disk(const fault& each, std::chrono::milliseconds since) {
  auto* const disk = target_.disk();
  if (!disk)
    return false;
  if (each.kind == "disk_full")
    disk->fill(true);
  else if (each.kind == "disk_errors")
    disk->fail(static_cast<unsigned>(each.share * 100), each.seed);
  else if (each.kind == "slow_disk")
    disk->slow(each.amount);
  else if (each.kind == "hung_disk")
    disk->hang(true);
  else
    return false;
  disk_until_[each.kind] = since + each.lasts;
  tell_({program_event::disk_struck, each.lasts});
  return true;
}

void fault_actor::heal_disk(std::chrono::milliseconds since) {
  for (auto each = disk_until_.begin(); each != disk_until_.end();) {
    if (since < each->second) {
      ++each;
      continue;
    }
    auto& disk = *target_.disk();
    if (each->first == "disk_full")
      disk.fill(false);
    else if (each->first == "disk_errors")
      disk.fail(0, 0);
    else if (each->first == "slow_disk")
      disk.slow(std::chrono::milliseconds{0});
    else
      disk.hang(false);
    each = disk_until_.erase(each);
  }
}

void fault_actor::revive() {
  revive_at_ = std::chrono::milliseconds::max();
  if (target_.is_paused()) {
    target_.resume();
    tell_({program_event::continued});
  } else if (!target_.process().alive()) {
    target_.start();
    tell_({program_event::started});
  }
}

void fault_actor::clear() {
  heal_disk(std::chrono::milliseconds::max());
  if (revive_at_ != std::chrono::milliseconds::max())
    revive();
  next_ = forecast_.size();
  if (control_)
    ask(*control_, {k8s::http_method::del, "/faults", {}, {}});
}

} // namespace sliceferry::storm
