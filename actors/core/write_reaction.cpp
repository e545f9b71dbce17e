#include "actors/core/write_reaction.hpp"

#include "messages/overloaded.hpp"

namespace sliceferry::core {

namespace {

constexpr write_reaction answer(verdict how) {
  return {write_step::answer, how};
}

constexpr write_reaction read(verdict how) {
  return {write_step::read, how};
}

constexpr write_reaction retry{write_step::retry, verdict::refused};
constexpr write_reaction refuse{write_step::refuse, verdict::refused};

/// What means the same for every command; `retry` is the answer to what only time heals.
write_reaction common(errc why) {
  switch (why) {
    case errc::throttled:
    case errc::unauthorized:
    case errc::unavailable:
    case errc::namespace_missing:
    case errc::namespace_terminating:
    case errc::kind_missing:
    case errc::expired:
      return retry;
    case errc::forbidden:
    case errc::quota:
    case errc::invalid:
    case errc::already_exists:
      return refuse;
    case errc::missing:
      return answer(verdict::missing);
    case errc::other_uid:
      return answer(verdict::other_uid);
    case errc::conflict:
      return read(verdict::conflict);
    case errc::ambiguous:
    case errc::malformed: // The write may well have been done; its answer can't be read.
      return read(verdict::ambiguous);
  }
  return retry;
}

/// A slice in a namespace that is gone is gone itself.
write_reaction of_member_write(errc why) {
  return why == errc::namespace_missing ? answer(verdict::missing) : common(why);
}

/// The name may be held by our own earlier create (its answer was lost) or by a stranger.
write_reaction of_apply(errc why) {
  if (why == errc::already_exists)
    return read(verdict::already_exists);
  return why == errc::other_uid ? read(verdict::other_uid) : common(why);
}

write_reaction of_withdraw(errc why) {
  return why == errc::namespace_missing ? answer(verdict::namespace_missing) : common(why);
}

} // namespace

write_reaction react(const command& what, errc why) {
  return std::visit(overloaded{
                      [&](const annotate_slice&) { return of_member_write(why); },
                      [&](const clear_annotations&) { return of_member_write(why); },
                      [&](const apply_export&) { return of_apply(why); },
                      [&](const withdraw_export&) { return of_withdraw(why); },
                    },
                    what);
}

} // namespace sliceferry::core
