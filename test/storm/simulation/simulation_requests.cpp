#include "test/storm/simulation/simulation.hpp"

#include <algorithm>
#include <utility>

namespace sliceferry::storm {
namespace {

std::string text_of(const request& asked) {
  const std::string number = "#" + std::to_string(asked.number) + " ";
  switch (asked.what) {
    case request::call::write:
      return number + to_string(asked.asked.what);
    case request::call::read:
      return number + "read of " + core::key_of(asked.asked).object.name;
    case request::call::look:
      return number + "look for slice " + asked.suspect.slice_uid;
  }
  return number;
}

std::string text_of(const reply& end) {
  if (end.failed)
    return std::string{to_string(end.failed->code)};
  return end.exported ? to_string(*end.exported) : end.slice ? to_string(*end.slice) : "done";
}

} // namespace

void simulation::send(request asked) {
  asked.number = ++requests_;
  writes_ += asked.what == request::call::write ? 1 : 0;
  note([&] { return "sent " + text_of(asked); });
  safety_.left(asked, now_);
  flights_.push_back({std::move(asked), std::nullopt});
}

void simulation::on_requests(const step& one) {
  if (one.what == op::ghost)
    return ghost(one.a);
  if (flights_.empty())
    return;
  const std::size_t at = one.a % flights_.size();
  auto& chosen = flights_[at];
  switch (one.what) {
    case op::serve:
      execute(chosen, fate_of(one.b));
      return tell(at);
    case op::execute:
      return execute(chosen, fate_of(one.b));
    case op::answer:
      if (chosen.answer)
        tell(at);
      return;
    case op::lose:
      return lose(at, one.b % 2 == 1);
    default: // no matter of requests
      return;
  }
}

void simulation::execute(flight& which, fate how) {
  if (which.answer)
    return;
  if (how != fate::ok)
    note([&] { return "fate of #" + std::to_string(which.asked.number) + ": " + std::string{name_of(how)}; });
  run(which.asked, how, which.answer.emplace(), false);
}

void simulation::run(const request& asked, fate how, reply& into, bool forgotten) {
  safety::met before;
  if (!is_member_write(asked.asked.what) && asked.what == request::call::write)
    if (const auto* held = truth_.exports().find({our_nspace, core::key_of(asked.asked).object.name}))
      before = {held->uid, truth_.finalized(held->uid)};
  const auto versions = truth_.hub_version() + truth_.member_version();
  into = servers_.serve(asked, how);
  if (truth_.hub_version() + truth_.member_version() == versions)
    return;
  safety_.executed(asked, before, forgotten);
  safety_.truth_changed(users_.meddled());
}

void simulation::tell(std::size_t at) {
  auto [asked, answer] = std::move(flights_[at]);
  flights_.erase(flights_.begin() + static_cast<std::ptrdiff_t>(at));
  note([&] { return "answer to #" + std::to_string(asked.number) + ": " + text_of(*answer); });
  safety_.answered(asked, *answer);
  process_->answer(std::move(asked), std::move(*answer));
}

void simulation::lose(std::size_t at, bool may_come) {
  auto& chosen = flights_[at];
  if (!chosen.answer && may_come && chosen.asked.what == request::call::write)
    ghosts_.push_back(chosen.asked);
  chosen.answer = reply{};
  chosen.answer->failed = failure{errc::ambiguous, "lost", {}, 0};
  tell(at);
}

void simulation::ghost(std::uint32_t index) {
  if (ghosts_.empty())
    return;
  const auto at = ghosts_.begin() + static_cast<std::ptrdiff_t>(index % ghosts_.size());
  const auto asked = std::move(*at);
  ghosts_.erase(at);
  note([&] { return "carried out late: " + text_of(asked); });
  reply unheard;
  run(asked, fate::ok, unheard, true);
}

} // namespace sliceferry::storm
