#include "test/storm/simulation/simulation.hpp"

#include "test/storm/simulation/oracle.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace sliceferry::storm {
namespace {

using namespace std::chrono_literals;

constexpr std::array all_limits{core::write_limits{200, 400, 64}, core::write_limits{2, 3, 1},
                                core::write_limits{20, 5, 2}};
constexpr seconds_utc noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 30} + 12h};
constexpr std::uint32_t messages_max = 20'000; ///< between two moments; more of them are a loop
constexpr auto settling_max = 20min;

} // namespace

simulation::simulation(defect planted, bool takes_notes) : planted_(planted), takes_notes_(takes_notes) {
  truth_.now = noon;
  start(0);
  settle();
}

void simulation::carry_out(const step& one) {
  if (found())
    return;
  move_to(now_ + 1ms);
  if (users_.carry_out(one)) {
    safety_.truth_changed(users_.meddled());
  } else {
    on_channels(one);
    on_requests(one);
    on_process(one);
  }
  if (busy_ > 0)
    --busy_;
  if (busy_ == 0)
    settle();
}

void simulation::finish() {
  if (found())
    return;
  note([] { return "the weather turns fair"; });
  is_calm_ = true;
  while (!ghosts_.empty())
    ghost(0);
  if (!drain())
    return;
  if (auto wrong = difference(truth_); !wrong.empty())
    return safety_.report("clusters wrong", wrong);
  for (std::uint32_t slot = 0; slot < users::slots_count; ++slot)
    users_.carry_out({op::mark_slice, slot, 4});
  expire(slices_, truth_.slices());
  expire(consents_, truth_.consents());
  expire(exports_, truth_.exports());
  if (!expect_silence("not silent"))
    return;
  note([] { return "another process"; });
  start(0);
  expect_silence("restart writes");
}

bool simulation::expect_silence(const char* check) {
  const auto before = writes_;
  if (!drain())
    return false;
  if (writes_ != before)
    safety_.report(check, std::to_string(writes_ - before) + " writes while both clusters were right");
  return !found();
}

bool simulation::drain() {
  busy_ = 0;
  const tick until = now_ + settling_max;
  for (settle(); !found(); settle()) {
    if (work_off())
      continue;
    const auto due = process_->due();
    if (!due)
      break;
    if (*due > until) {
      safety_.report("not settled", "still at work after minutes of fair weather");
      return false;
    }
    move_to(std::max(now_, *due));
  }
  if (!found() && !process_->is_idle())
    safety_.report("not settled", "something waits, and nothing will come");
  return !found();
}

bool simulation::work_off() {
  bool any = catch_up(slices_, truth_.slices());
  any = catch_up(consents_, truth_.consents()) || any;
  any = catch_up(exports_, truth_.exports()) || any;
  while (!flights_.empty()) {
    execute(flights_.front(), fate::ok);
    tell(0);
    any = true;
  }
  return (is_calm_ && users_.tidy()) || any;
}

void simulation::start(std::uint32_t limits) {
  process_plan plan;
  plan.number = ++processes_;
  plan.limits = all_limits[limits % all_limits.size()];
  plan.planted = planted_;
  for (auto& each : std::exchange(flights_, {}))
    if (!each.answer && each.asked.what == request::call::write)
      ghosts_.push_back(std::move(each.asked));
  safety_.restarted(plan.limits);
  process_ports ports;
  ports.now = [this] { return now_; };
  ports.wall = [this] { return truth_.now + std::chrono::seconds{wrong_by_}; };
  ports.send = [this](request asked) { send(std::move(asked)); };
  ports.relist_slices = [this] { expire(slices_, truth_.slices()); };
  ports.note_submitted = [this](const core::work& asked) { safety_.submitted(asked); };
  ports.note_failed = [this](const std::string& slice_uid) { safety_.failed(slice_uid); };
  process_ = std::make_unique<process>(plan, std::move(ports));
  deliver(slices_.begin());
  deliver(consents_.begin());
  deliver(exports_.begin());
}

template <class T>
std::uint64_t simulation::version_of(const collection<T>&) const {
  return std::is_same_v<T, slice_export> ? truth_.hub_version() : truth_.member_version();
}

template <class T>
void simulation::deliver(watch_batch<T> seen) {
  if (seen.events.empty())
    return;
  seen.read_at = now_;
  if constexpr (std::is_same_v<T, endpoint_slice>)
    safety_.told_slices(seen);
  else if constexpr (std::is_same_v<T, service_export>)
    safety_.told_consents(seen);
  else
    safety_.told_exports(seen);
  process_->deliver(std::move(seen));
}

template <class T>
void simulation::expire(channel<T>& by, const collection<T>& of) {
  if (planted_ == defect::lists_before_init)
    return by.begin_late(of, version_of(of));
  auto begun = by.begin();
  if (planted_ != defect::empties_expired)
    return deliver(std::move(begun));
  begun.events.push_back({watch_change::init_done, {}});
  process_->deliver(std::move(begun)); // though the server told nothing
}

template <class T>
void simulation::on_channel(channel<T>& by, const collection<T>& of, const step& one) {
  switch (one.what) {
    case op::hear:
      return deliver(by.hear(of, 1 + one.b % 4));
    case op::cut:
      return by.rewind(1 + one.b % 4);
    case op::expire:
      return expire(by, of);
    case op::page:
      if (by.listing())
        deliver(by.page(of, version_of(of), 1 + one.b % 3));
      return;
    case op::catch_up:
      catch_up(by, of);
      return;
    default: // no matter of watches
      return;
  }
}

template <class T>
bool simulation::catch_up(channel<T>& by, const collection<T>& of) {
  const bool any = by.listing() || by.unheard(of) > 0;
  if (by.listing())
    deliver(by.page(of, version_of(of), of.all().size() + 1));
  deliver(by.hear(of, by.unheard(of)));
  return any;
}

void simulation::on_channels(const step& one) {
  switch (one.a % 3) {
    case 0:
      return on_channel(slices_, truth_.slices(), one);
    case 1:
      return on_channel(consents_, truth_.consents(), one);
    default: // the third
      return on_channel(exports_, truth_.exports(), one);
  }
}

void simulation::on_process(const step& one) {
  switch (one.what) {
    case op::busy:
      safety_.lagged();
      busy_ = 1 + one.a % 12;
      return;
    case op::turn:
      if (busy_ > 0)
        process_->turn(one.a);
      return;
    case op::fail:
      return process_->fail_exporter(one.a);
    case op::crash:
      busy_ = 0;
      return start(one.a);
    case op::pass:
      return pass(std::chrono::milliseconds{one.a % 60'000});
    case op::clock:
      safety_.clock_changed();
      wrong_by_ = static_cast<int>(one.a % 240) - 120;
      return;
    case op::calm:
      busy_ = 0;
      for (std::uint32_t round = 1 + one.a % 4; round > 0 && !found(); --round) {
        settle();
        work_off();
        pass(50ms);
      }
      return;
    default: // no matter of the process
      return;
  }
}

void simulation::move_to(tick when) {
  now_ = when;
  truth_.now = noon + std::chrono::floor<std::chrono::seconds>(now_ - tick{});
  process_->ring();
}

void simulation::pass(std::chrono::nanoseconds span) {
  const tick until = now_ + span;
  for (auto due = process_->due(); due && *due <= until && busy_ == 0 && !found(); due = process_->due()) {
    move_to(std::max(now_, *due));
    settle();
  }
  move_to(until);
}

void simulation::settle() {
  std::uint32_t taken = 0;
  while (!found() && process_->turn(0))
    if (++taken == messages_max)
      return safety_.report("spins", "messages go round and round in one moment");
  safety_.quiet();
}

} // namespace sliceferry::storm
