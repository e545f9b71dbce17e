#pragma once
#include "actors/core/backoff.hpp"
#include "k8s/collection_watch.hpp"

#include "actors/admin/metrics.hpp"
#include "actors/admin/readiness.hpp"
#include "actors/log.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace sliceferry {

/// Which of a member's inputs a feed mirrors, and whom it tells how that goes.
struct feed_ports {
  std::string member;
  input which = input::endpointslices;
  std::string collection; ///< the plural, as metrics and log name it
  metrics* figures = nullptr;
  readiness* board = nullptr;
  std::uint64_t seed = 0;
  std::string note{}; ///< unless empty, readiness only notes under this subject what is wrong with it
};

/// Mirrors one collection into the actor world: batches go to `deliver`, troubles to readiness,
/// metrics and log. When to try again is core's to say.
///
/// A delivered batch carries a credit; dropping its last copy gives the credit back, so an actor
/// that is behind makes the reader stop reading its socket.
template <class T>
class collection_feed {
public:
  using batch_ptr = std::shared_ptr<const watch_batch<T>>;

  collection_feed(k8s::io_loop& loop, k8s::http_client& client, k8s::collection_options options, feed_ports ports,
                  std::function<void(batch_ptr)> deliver)
    : credit_(std::make_shared<credit>()) {
    options.reflecting.seed = ports.seed;
    const std::lock_guard lock{credit_->guard};
    credit_->watch = std::make_unique<k8s::collection_watch<T>>(
      loop, client, std::move(options), handlers(std::make_shared<state>(std::move(ports)), std::move(deliver)));
  }

  ~collection_feed() { stop(); }
  collection_feed(const collection_feed&) = delete;
  collection_feed& operator=(const collection_feed&) = delete;

  /// One more consistent list. From any thread, like `stop`.
  void relist() {
    const std::lock_guard lock{credit_->guard};
    if (credit_->watch)
      credit_->watch->relist();
  }

  /// Ends the mirroring; batches that are still on their way stay valid.
  void stop() {
    const std::lock_guard lock{credit_->guard};
    credit_->watch.reset();
  }

private:
  /// The watch as those see it who may outlive it.
  struct credit {
    std::mutex guard;
    std::unique_ptr<k8s::collection_watch<T>> watch;
  };

  /// How the mirroring goes; on the loop's thread only.
  struct state {
    explicit state(feed_ports from) : ports(std::move(from)), delays(core::watch_backoff, ports.seed) {}

    std::chrono::milliseconds retry_after(const failure& why, unsigned in_a_row) {
      if (in_a_row <= 1)
        delays.reset();
      // One failure may be a blip. While it lasts the picture held is good, only older.
      if (in_a_row >= 2 || !synced)
        fails((why.code == errc::kind_missing ? "the server has no such kind: " : "") + why.text);
      log::warning("watch failed",
                   {{"member", ports.member}, {"collection", ports.collection}, {"error", to_string(why)}});
      return std::chrono::ceil<std::chrono::milliseconds>(core::honour(why.retry_after, delays.next()));
    }

    void report(const k8s::collection_report& told) {
      if (told.why != k8s::restart_reason::none)
        ports.figures->watch_restarted(ports.member, ports.collection, to_string(told.why));
      if (told.serving && synced)
        serves();
    }

    void fails(const std::string& why) {
      if (ports.note.empty())
        ports.board->set(ports.member, ports.which, sync_state::unreachable, why);
      else
        ports.board->noted(ports.note, why);
    }

    void serves() {
      if (ports.note.empty())
        ports.board->set(ports.member, ports.which, sync_state::synced);
      else
        ports.board->cleared(ports.note);
    }

    /// That an input is synced its consumer says; of one that is only noted, nobody does.
    void listed() {
      synced = true;
      if (!ports.note.empty())
        serves();
    }

    void count(k8s::get_kind what, unsigned status, std::chrono::nanoseconds took) {
      constexpr std::string_view verbs[] = {"LIST", "WATCH", "LIST"}; // a probe is a list of one
      const bool is_hub = ports.which == input::hub_exports;
      ports.figures->request_done(is_hub ? "hub" : ports.member, verbs[static_cast<std::size_t>(what)], status, took);
    }

    void complain(const k8s::malformed& broken) {
      ports.figures->malformed(ports.collection, 1);
      // Each relist meets it again; once is enough, and the metric goes on.
      if (complained.size() >= complained_max || !complained.insert(to_string(broken.key) + broken.text).second)
        return;
      log::warning("object can't be read", {{"member", ports.member},
                                            {"collection", ports.collection},
                                            {"object", to_string(broken.key)},
                                            {"error", broken.text}});
    }

    feed_ports ports;
    core::backoff delays;
    bool synced = false;
    static constexpr std::size_t complained_max = 1000;
    std::set<std::string> complained; ///< objects that can't be read and were logged
  };

  k8s::collection_handlers<T> handlers(std::shared_ptr<state> held, std::function<void(batch_ptr)> deliver) {
    k8s::collection_handlers<T> out;
    out.on_batch = [held, deliver = std::move(deliver), credit = credit_](batch_ptr batch) {
      for (const auto& told : batch->events)
        if (told.change == watch_change::init_done)
          held->listed();
      deliver(batch_ptr{batch.get(), [batch, credit](const watch_batch<T>*) {
                          const std::lock_guard lock{credit->guard};
                          if (credit->watch)
                            credit->watch->grant(1);
                        }});
    };
    out.on_report = [held](const k8s::collection_report& told) { held->report(told); };
    out.on_answer = [held](k8s::get_kind what, unsigned status, auto took) { held->count(what, status, took); };
    out.on_malformed = [held](const k8s::malformed& broken) { held->complain(broken); };
    out.retry_after = [held](const failure& why, unsigned in_a_row) { return held->retry_after(why, in_a_row); };
    return out;
  }

  std::shared_ptr<credit> credit_;
};

} // namespace sliceferry
