#pragma once
// The only place that knows which CAF this is: Debian's 0.17.6, or 1.x. All else includes this file.
#include <caf/actor.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/behavior.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/exit_reason.hpp>
#include <caf/response_promise.hpp>
#include <caf/send.hpp>
#include <caf/type_id.hpp>

#if CAF_VERSION >= 10000
#include <caf/anon_mail.hpp>
#include <caf/init_global_meta_objects.hpp>
#endif

#include <chrono>
#include <cstddef>
#include <utility>

namespace sliceferry {

/// Sends from one actor to another.
template <class... Ts>
void tell(caf::event_based_actor* from, const caf::actor& to, Ts&&... what) {
#if CAF_VERSION >= 10000
  from->mail(std::forward<Ts>(what)...).send(to);
#else
  from->send(to, std::forward<Ts>(what)...);
#endif
}

/// Sends after a delay. It can't be cancelled, so the receiver must tolerate it late or in vain.
template <class... Ts>
void tell_after(caf::event_based_actor* from, std::chrono::nanoseconds delay, const caf::actor& to, Ts&&... what) {
#if CAF_VERSION >= 10000
  from->mail(std::forward<Ts>(what)...).delay(delay).send(to);
#else
  from->delayed_send(to, delay, std::forward<Ts>(what)...);
#endif
}

/// Sends from a thread that isn't an actor: the door from the I/O thread into the actor world.
template <class... Ts>
void tell_from_thread(const caf::actor& to, Ts&&... what) {
#if CAF_VERSION >= 10000
  caf::anon_mail(std::forward<Ts>(what)...).send(to);
#else
  caf::anon_send(to, std::forward<Ts>(what)...);
#endif
}

/// Asks without a time-out: deadlines belong to the HTTP layer (a CAF request time-out stays
/// armed after the answer came, which a million requests would feel).
template <class... Ts>
auto ask(caf::event_based_actor* from, const caf::actor& to, Ts&&... what) {
#if CAF_VERSION >= 10000
  return from->mail(std::forward<Ts>(what)...).request(to, caf::infinite);
#else
  return from->request(to, caf::infinite, std::forward<Ts>(what)...);
#endif
}

/// Asks an actor to end at once, from anywhere.
inline void tell_to_exit(const caf::actor& whom) {
  caf::anon_send_exit(whom, caf::exit_reason::user_shutdown);
}

/// `sharing`, because the default policy stalls when one actor sends to a great many others; and
/// a bound on how many messages an actor may take in one turn, because the default has none.
inline void configure(caf::actor_system_config& config, std::size_t threads) {
#if CAF_VERSION >= 10000
  config.set("caf.scheduler.policy", "sharing");
  config.set("caf.scheduler.max-threads", threads);
  config.set("caf.scheduler.max-throughput", std::size_t{100});
#else
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", threads);
  config.set("scheduler.max-throughput", std::size_t{100});
#endif
}

} // namespace sliceferry
