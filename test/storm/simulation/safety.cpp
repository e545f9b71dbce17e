#include "test/storm/simulation/safety.hpp"

#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"
#include "test/storm/simulation/oracle.hpp"

#include <algorithm>
#include <chrono>

namespace sliceferry::storm {

void safety::restarted(const core::write_limits& limits) {
  slices_ = {};
  consents_ = {};
  exports_ = {};
  waited_for_.clear();
  unread_.clear();
  limits_ = limits;
  level_[0] = level_[1] = 0;
  is_lagging_ = false;
  tickets_.clear();
  unheard_.clear();
  buried_.clear();
  missing_.clear();
}

void safety::failed(const std::string& slice_uid) {
  unheard_[slice_uid] = tickets_[slice_uid];
  missing_.erase(slice_uid);
}

bool safety::is_up_to(const std::map<std::string, std::uint64_t>& last, const core::work& asked) {
  const auto at = last.find(asked.slice_uid);
  return at != last.end() && asked.ticket <= at->second;
}

void safety::quiet() {
  buried_ = unheard_;
  slices_.quiet();
  consents_.quiet();
  exports_.quiet();
}

void safety::report(std::string check, std::string text) {
  if (!found_)
    found_ = violation{std::move(check), std::move(text)};
}

void safety::answered(const request& asked, const reply& end) {
  if (asked.what == request::call::look)
    return; // tells of a UID only
  waited_for_.erase(key_of(asked));
  const bool is_lost = end.failed && (end.failed->code == errc::ambiguous || end.failed->code == errc::malformed);
  if (asked.what == request::call::write && is_lost)
    unread_.insert({key_of(asked), asked.asked.slice_uid});
  const bool is_absent = end.failed ? end.failed->code == errc::missing : !end.slice && !end.exported;
  if (end.slice && slices_.is_held(end.slice->key)) // else who is there is for the watch to say, after who left
    slices_.tell(end.slice->key, std::stoull(end.slice->resource_version), end.slice);
  if (end.exported)
    exports_.tell(end.exported->key, std::stoull(end.exported->resource_version), end.exported);
  const auto key = core::key_of(asked.asked).object;
  // A 404 carries no version. Of an export with a known UID it proves the end; where a create was meant it may be older
  // than what the watch has told. Of a slice what the watch tells later may be older, and nothing on the hub is
  // forbidden.
  if (is_absent && asked.to == server::hub && exports_.newest_is(hub_key(key.name), hub_uid_of(asked.asked.what)))
    exports_.tell(hub_key(key.name), end.version, std::nullopt);
  if (is_absent && asked.to == server::member && !is_up_to(unheard_, asked.asked))
    missing_[asked.asked.slice_uid] = slices_.newest(key);
}

void safety::submitted(const core::work& asked) {
  tickets_[asked.slice_uid] = asked.ticket;
  need_difference(asked.what);
}

void safety::left(const request& asked, tick now) {
  need_token(asked.to, now);
  if (asked.what == request::call::look)
    return;
  if (!waited_for_.insert(key_of(asked)).second)
    report("two in flight", to_string(asked.asked.what));
  const std::pair mark{key_of(asked), asked.asked.slice_uid};
  if (asked.what == request::call::read) {
    unread_.erase(mark);
    return;
  }
  if (unread_.count(mark) != 0)
    report("lost answer not read", to_string(asked.asked.what));
  if (!slices_.complete() || !consents_.complete() || !exports_.complete())
    report("before sync", to_string(asked.asked.what));
  if (is_up_to(buried_, asked.asked))
    report("sent for the dead", to_string(asked.asked.what));
  const auto missing = missing_.find(asked.asked.slice_uid);
  const bool is_news = missing == missing_.end() || missing->second != slices_.newest(core::key_of(asked.asked).object);
  if (is_member_write(asked.asked.what) && !is_news)
    report("writes to the missing", to_string(asked.asked.what));
  std::visit(overloaded{
               [&](const annotate_slice& x) { need_calling(x.slice, x.uid, x); },
               [](const clear_annotations&) {},
               [&](const apply_export& x) {
                 need_name(x);
                 need_calling(x.spec->reference.slice, x.spec->reference.uid, x);
               },
               [&](const withdraw_export& x) { need_no_calling(x); },
             },
             asked.asked.what);
}

/// Law 5, as far as the process could know.
void safety::need_difference(const command& what) {
  const auto complain = [&](const char* check) { report(check, to_string(what)); };
  std::visit(
    overloaded{
      [&](const annotate_slice& x) {
        const slice_annotations ours{x.name, std::to_string(x.generation), format_rfc3339(x.since)};
        if (!slices_.any(x.slice, [&](auto* seen) { return seen && seen->uid == x.uid && seen->ours != ours; }))
          complain("nothing to write");
      },
      [&](const clear_annotations& x) {
        if (!slices_.any(x.slice, [&](auto* seen) { return seen && seen->uid == x.uid && !seen->ours.empty(); }))
          complain("nothing to write");
      },
      [&](const apply_export& x) {
        if (!x.target && !exports_.any(hub_key(x.name), [](auto* seen) { return !seen; }))
          complain("known to be there");
        const auto differs = [&](auto* seen) {
          return seen && seen->uid == x.target->uid && !same_content(seen->spec, *x.spec);
        };
        if (x.target && !exports_.any(hub_key(x.name), differs))
          complain("nothing to write");
      },
      [&](const withdraw_export& x) {
        const auto is_there = [&](auto* seen) { return seen && seen->uid == x.hub_uid && !seen->terminating; };
        if (!exports_.any(hub_key(x.name), is_there))
          complain("deletes what is gone");
      },
    },
    what);
}

void safety::need_calling(const object_key& slice, const std::string& uid, const command& what) {
  const auto calls = [&](const endpoint_slice* seen) {
    return seen && seen->uid == uid && consents_.any({seen->key.nspace, seen->service.value_or("")}, [&](auto* says) {
      return calls_for_export(*seen, says) != calling::no;
    });
  };
  if (!slices_.any(slice, calls))
    report("known to be forbidden", to_string(what));
}

void safety::need_name(const apply_export& what) {
  const auto& reference = what.spec->reference;
  const auto is_named = [&](auto* seen) { return seen && seen->uid == reference.uid && seen->ours.name == what.name; };
  if (!slices_.any(reference.slice, is_named))
    report("name first", to_string(command{what}));
}

/// Of what the truth calls for only that may be deleted which the process was told something else of.
void safety::need_no_calling(const withdraw_export& what) {
  const auto* held = truth_.exports().find(hub_key(what.name));
  if (held == nullptr || held->uid != what.hub_uid || held->terminating)
    return;
  const auto& reference = held->spec.reference;
  const auto* slice = truth_.slices().find(reference.slice);
  const bool is_called_for = reference.cluster == our_cluster && slice && slice->uid == reference.uid &&
                             slice->ours.name == what.name && calls_for_export(truth_, *slice) == calling::yes;
  if (is_called_for && !told_otherwise(reference.slice, reference.uid, what))
    report("deletes what is called for", to_string(command{what}));
}

bool safety::told_otherwise(const object_key& slice, const std::string& uid, const withdraw_export& what) const {
  const auto forbids = [&](const endpoint_slice* seen) {
    return !seen || seen->uid != uid || seen->ours.name != what.name ||
           consents_.any({seen->key.nspace, seen->service.value_or("")},
                         [&](auto* says) { return calls_for_export(*seen, says) != calling::yes; });
  };
  const auto is_another = [&](const slice_export* seen) {
    return !seen || seen->uid != what.hub_uid || seen->spec.reference.uid != uid ||
           seen->spec.reference.cluster != our_cluster;
  };
  return slices_.any(slice, forbids) || exports_.any(hub_key(what.name), is_another);
}

/// A bucket that leaks at the allowed rate never holds more than the allowed burst.
void safety::need_token(server to, tick now) {
  const auto at = static_cast<std::size_t>(to);
  const std::chrono::duration<double> passed = now - std::exchange(level_at_[at], now);
  level_[at] = std::max(0.0, level_[at] - passed.count() * limits_.qps) + 1;
  if (level_[at] > limits_.burst + 0.001 && !is_lagging_)
    report("too fast", "more than " + std::to_string(limits_.qps) + " per second after a burst");
}

void safety::executed(const request& asked, const met& before, bool forgotten) {
  if (forgotten)
    excused_.insert(asked.asked.slice_uid);
  const auto& what = asked.asked.what;
  if (is_member_write(what))
    return;
  const bool is_there = !before.hub_uid.empty();
  if (is_there && !truth_.was_ours(before.hub_uid))
    report("foreign touched", to_string(what));
  const auto* deleted = std::get_if<withdraw_export>(&what);
  if (deleted && is_there && before.hub_uid != deleted->hub_uid)
    report("deletes another object", to_string(what));
  if (before.is_finalized && !truth_.finalized(before.hub_uid))
    report("finalizer lost", to_string(what));
  if (const auto* written = std::get_if<apply_export>(&what))
    applied(*written, forgotten);
}

void safety::applied(const apply_export& what, bool forgotten) {
  const auto& reference = what.spec->reference;
  if (!truth_.carried(reference.uid, what.name))
    report("name first", to_string(command{what}));
  if (forgotten)
    return;
  auto& newest = newest_[reference.uid];
  if (reference.generation < newest.generation)
    report("older generation", to_string(command{what}));
  // The apply that is owed after an annotate carries the newest content with the time of the generation annotated.
  const bool moved =
    reference.generation == newest.generation && reference.exported_since != newest.since && !newest.is_borrowed;
  if (moved && excused_.count(reference.uid) == 0 && !clock_is_wrong_)
    report("since moved", to_string(command{what}));
  const auto* slice = truth_.slices().find(reference.slice);
  const bool is_borrowed = !slice || slice->ours.generation != std::to_string(reference.generation);
  newest = {reference.generation, reference.exported_since, is_borrowed};
}

void safety::truth_changed(const std::set<std::string>& meddled) {
  for (const auto& [key, slice] : truth_.slices().all())
    if (excused_.count(slice->uid) == 0 &&
        (meddled.count(slice->uid) != 0 || calls_for_export(truth_, *slice) != calling::yes))
      excused_.insert(slice->uid);
}

} // namespace sliceferry::storm
