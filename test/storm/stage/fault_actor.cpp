#include "test/storm/stage/fault_actor.hpp"

#include "test/storm/stage/ask.hpp"

#include <algorithm>

namespace sliceferry::storm {

bool loses_objects(const std::vector<fault>& forecast) {
  return std::any_of(forecast.begin(), forecast.end(), [](const fault& each) {
    return each.kind == "restored_backup" || each.kind == "remove_crd" || each.kind == "emptied";
  });
}

fault_actor::fault_actor(std::vector<fault> forecast, k8s::http_client* control, program& target,
                         std::function<void(program_event)> tell)
  : forecast_{std::move(forecast)}, control_{control}, target_{target}, tell_{std::move(tell)} {}

void fault_actor::act(std::chrono::milliseconds since) {
  if (since >= revive_at_)
    revive();
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
  if (revive_at_ != std::chrono::milliseconds::max())
    revive();
  if (each.kind == "kill_program") {
    target_.kill();
    tell_(program_event::stopped);
    revive_at_ = since + each.amount;
  } else if (each.kind == "stop_program") {
    tell_(program_event::paused);
    target_.pause();
    revive_at_ = since + each.lasts;
  }
}

void fault_actor::revive() {
  revive_at_ = std::chrono::milliseconds::max();
  if (target_.is_paused()) {
    target_.resume();
    tell_(program_event::continued);
  } else if (!target_.process().alive()) {
    target_.start();
    tell_(program_event::started);
  }
}

void fault_actor::clear() {
  if (revive_at_ != std::chrono::milliseconds::max())
    revive();
  next_ = forecast_.size();
  if (control_)
    ask(*control_, {k8s::http_method::del, "/faults", {}, {}});
}

} // namespace sliceferry::storm
