#include "actors/fleet.hpp"

#include "actors/admin/control_desk.hpp"
#include "actors/api_gateway.hpp"
#include "actors/api_writer.hpp"
#include "actors/cluster_reader.hpp"
#include "actors/explain_desk.hpp"
#include "actors/hub_dispatcher.hpp"
#include "actors/log.hpp"
#include "actors/memory_desk.hpp"
#include "actors/watch_dispatcher.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <mutex>

namespace sliceferry {

/// One member's share of the fleet.
struct fleet::member {
  std::shared_ptr<const core::member_identity> identity;
  std::shared_ptr<k8s::http_client> client;
  caf::actor dispatcher;
  struct feeds {
    std::unique_ptr<collection_feed<endpoint_slice>> slices;
    std::unique_ptr<collection_feed<service_export>> consents;
    std::unique_ptr<collection_feed<slice_export>> exports;
    std::vector<std::unique_ptr<collection_feed<slice_export>>> former; ///< of the namespaces of former names
    std::mutex guard; ///< the first feeds run while the last ones are made

    void stop() {
      const std::lock_guard lock{guard};
      for (const auto& each : former)
        each->stop();
      if (slices)
        slices->stop();
      if (consents)
        consents->stop();
      if (exports)
        exports->stop();
    }

    /// A feed that isn't made yet begins with a list anyway.
    void relist(core::mirrored which) {
      const std::lock_guard lock{guard};
      switch (which) {
        case core::mirrored::slices:
          return relist(slices);
        case core::mirrored::consents:
          return relist(consents);
        case core::mirrored::exports:
          for (const auto& each : former)
            each->relist();
          return relist(exports);
      }
    }

    template <class T>
    static void relist(const std::unique_ptr<collection_feed<T>>& feed) {
      if (feed)
        feed->relist();
    }
  };
  /// Shared with the dispatcher, which may ask for a relist after the feeds were stopped.
  std::shared_ptr<feeds> mirrors = std::make_shared<feeds>();
};

namespace {

core::write_limits limits_of(const server_settings& chosen) {
  core::write_limits limits;
  limits.qps = static_cast<std::uint32_t>(std::max(1.0, std::round(chosen.qps)));
  limits.burst = static_cast<std::uint32_t>(std::max(1.0, std::round(chosen.burst)));
  return limits;
}

/// How many exporters of one member may be awake. An actor costs more than a kilobyte, a record a quarter of it.
std::size_t awake_max_of(std::size_t members) {
  constexpr std::size_t awake_in_all = 50'000;
  constexpr std::size_t awake_each = 64; ///< what a writer has in flight
  return std::max(awake_each, awake_in_all / std::max<std::size_t>(members, 1));
}

/// Some tens of thousands of slices are read in it.
constexpr std::chrono::milliseconds recall_patience{200};

std::uint64_t seed_for(const fleet_plan& plan, const std::string& what) {
  return plan.seed ^ std::hash<std::string>{}(what);
}

} // namespace

fleet::fleet(caf::actor_system& system, std::shared_ptr<const fleet_plan> plan,
             std::function<void(std::string, std::string)> on_death)
  : system_(system), plan_(std::move(plan)), on_death_(std::move(on_death)) {
  const auto hub_gateway = spawn_gateway("hub", plan_->hub);
  hub_client_ = clients_.back();
  const auto hub_writer = spawn_writer("hub", plan_->chosen.hub, hub_gateway);
  std::map<std::string, caf::actor> routes;
  for (const auto& chosen : plan_->chosen.members) {
    routes[chosen.hub_nspace] = add_member(chosen, hub_writer);
    for (const auto& former : chosen.former_names)
      routes[former.hub_nspace] = routes[chosen.hub_nspace];
  }
  hub_dispatcher_ = system_.spawn<hub_dispatcher>(std::move(routes));
  guard(hub_dispatcher_, "hub dispatcher");
  recall();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    for (const auto& former : plan_->chosen.members[i].former_names)
      start_former_feed(*members_[i], former);
    start_feeds(*members_[i]);
  }
}

fleet::~fleet() {
  stop_watching();
  plan_->desk->detach();
  plan_->questions->detach();
  plan_->memories->detach();
  for (const auto& part : parts_)
    tell_to_exit(part);
  for (const auto& client : clients_)
    client->stop();
}

void fleet::stop_watching() {
  for (const auto& each : members_) {
    each->mirrors->stop();
  }
}

caf::actor fleet::spawn_gateway(const std::string& server, const k8s::cluster_access& access) {
  auto client = std::make_shared<k8s::http_client>(*plan_->loop, access);
  clients_.push_back(client);
  auto gateway = system_.spawn<api_gateway>(
    std::move(client), [server, figures = plan_->figures](k8s::http_method method, unsigned status, auto took) {
      figures->request_done(server, to_string(method), status,
                            std::chrono::duration_cast<std::chrono::nanoseconds>(took));
    });
  guard(gateway, "gateway to " + server);
  return gateway;
}

caf::actor fleet::spawn_writer(const std::string& server, const server_settings& limits, const caf::actor& gateway) {
  writer_ports ports;
  ports.server = server;
  ports.gateway = gateway;
  for (const auto& each : plan_->chosen.members) {
    ports.hub_nspaces[each.name] = each.hub_nspace;
    for (const auto& former : each.former_names)
      ports.hub_nspaces[former.name] = former.hub_nspace;
  }
  ports.limits = limits_of(limits);
  ports.seed = seed_for(*plan_, "writer " + server);
  ports.journal = plan_->journal;
  ports.figures = plan_->figures;
  ports.board = plan_->board;
  auto writer = system_.spawn<api_writer>(std::move(ports));
  writers_.push_back(writer);
  guard(writer, "writer of " + server);
  return writer;
}

caf::actor fleet::add_member(const member_settings& chosen, const caf::actor& hub_writer) {
  auto whose = std::make_unique<member>();
  auto identity = identity_of(plan_->chosen, chosen);
  identity.seed = plan_->seed;
  whose->identity = std::make_shared<const core::member_identity>(std::move(identity));

  dispatcher_ports ports;
  ports.identity = whose->identity;
  ports.member_gateway = spawn_gateway(chosen.name, plan_->members.at(chosen.name));
  whose->client = clients_.back();
  ports.member_writer = spawn_writer(chosen.name, chosen.server, ports.member_gateway);
  ports.hub_writer = hub_writer;
  ports.relist = [mirrors = whose->mirrors](core::mirrored which) { mirrors->relist(which); };
  ports.journal = plan_->journal;
  ports.figures = plan_->figures;
  ports.board = plan_->board;
  ports.desk = plan_->desk;
  ports.guard = {plan_->chosen.guard.share_percent, plan_->chosen.guard.count, plan_->chosen.guard.window};
  for (const auto& former : chosen.former_names)
    ports.former.push_back({former.name, former.hub_nspace});
  ports.awake_max = awake_max_of(plan_->chosen.members.size());
  ports.leaving = chosen.leave || plan_->desk->is_leaving(chosen.name);
  whose->dispatcher = system_.spawn<watch_dispatcher>(std::move(ports));
  plan_->desk->attach(chosen.name,
                      [to = whose->dispatcher](operator_order told) { tell_from_thread(to, order_given{told}); });
  plan_->questions->attach(chosen.name, [to = whose->dispatcher](slice_question asked) {
    tell_from_thread(to, question_put{std::make_shared<const slice_question>(std::move(asked))});
  });
  plan_->memories->attach(chosen.name, [to = whose->dispatcher](memories_question asked) {
    tell_from_thread(to, memories_put{std::make_shared<const memories_question>(std::move(asked))});
  });
  guard(whose->dispatcher, "dispatcher of " + chosen.name);
  members_.push_back(std::move(whose));
  return members_.back()->dispatcher;
}

void fleet::recall() const {
  if (!plan_->recall)
    return;
  std::map<std::string, caf::actor> dispatchers;
  for (const auto& each : members_)
    dispatchers[each->identity->cluster] = each->dispatcher;
  journal::recovery_hooks hooks;
  hooks.recovered = [dispatchers](const std::string& name, std::vector<journal::recovered_stream> streams) {
    if (const auto to = dispatchers.find(name); to != dispatchers.end())
      tell_from_thread(to->second, memories_recalled{std::move(streams)});
  };
  auto read = std::make_shared<std::promise<void>>();
  auto reading = read->get_future();
  hooks.done = [read = std::move(read)](const journal::recovery_counts& counts) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(counts.took);
    if (!counts.failure.empty())
      log::warning("journal read in part only", {{"error", counts.failure}});
    log::info("journal read", {{"streams", std::to_string(counts.streams)},
                               {"records", std::to_string(counts.records)},
                               {"skipped", std::to_string(counts.skipped)},
                               {"duration", std::to_string(took.count()) + "ms"}});
    read->set_value();
  };
  plan_->recall(std::move(hooks));
  // Where the journal is read soon, the lists come after it: a slice that they show first is adopted anew, as if there
  // were no journal. Exports don't wait for one that takes longer.
  reading.wait_for(recall_patience);
}

void fleet::start_feeds(member& whose) {
  const auto& name = whose.identity->cluster;
  const std::lock_guard lock{whose.mirrors->guard};
  whose.mirrors->slices = std::make_unique<collection_feed<endpoint_slice>>(
    *plan_->loop, *whose.client, k8s::collection_options{{k8s::endpoint_slices}, {}, {}, 16},
    feed_for(name, input::endpointslices, k8s::endpoint_slices.plural),
    [to = whose.dispatcher](auto batch) { tell_from_thread(to, slices_read{std::move(batch)}); });
  whose.mirrors->consents = std::make_unique<collection_feed<service_export>>(
    *plan_->loop, *whose.client,
    k8s::collection_options{{k8s::service_exports, k8s::service_exports_alpha}, {}, {}, 16},
    feed_for(name, input::serviceexports, k8s::service_exports.plural),
    [to = whose.dispatcher](auto batch) { tell_from_thread(to, consents_read{std::move(batch)}); });
  whose.mirrors->exports = std::make_unique<collection_feed<slice_export>>(
    *plan_->loop, *hub_client_, k8s::collection_options{{k8s::slice_exports}, whose.identity->hub_nspace, {}, 16},
    feed_for(name, input::hub_exports, k8s::slice_exports.plural),
    [to = hub_dispatcher_, nspace = whose.identity->hub_nspace](auto batch) {
      tell_from_thread(to, exports_read{nspace, std::move(batch)});
    });
}

/// Readiness doesn't depend on what former names left behind; that it can't be listed is noted.
void fleet::start_former_feed(member& whose, const former_name& former) {
  auto ports = feed_for(former.name, input::hub_exports, k8s::slice_exports.plural);
  ports.note = "exports in " + former.hub_nspace + " (former name of " + whose.identity->cluster + ')';
  auto feed = std::make_unique<collection_feed<slice_export>>(
    *plan_->loop, *hub_client_, k8s::collection_options{{k8s::slice_exports}, former.hub_nspace, {}, 16},
    std::move(ports), [to = hub_dispatcher_, nspace = former.hub_nspace](auto batch) {
      tell_from_thread(to, exports_read{nspace, std::move(batch)});
    });
  const std::lock_guard lock{whose.mirrors->guard};
  whose.mirrors->former.push_back(std::move(feed));
}

/// Reports the end of a part unless it was asked to end.
void fleet::guard(const caf::actor& part, const std::string& who) {
  parts_.push_back(part);
  part->attach_functor([who, told = on_death_](const caf::error& why) {
    if (why && why != caf::exit_reason::user_shutdown)
      told(who, to_string(why));
  });
}

feed_ports fleet::feed_for(const std::string& name, input which, std::string_view collection) const {
  const std::string label(collection);
  return {name, which, label, plan_->figures, plan_->board, seed_for(*plan_, name + ' ' + label)};
}

} // namespace sliceferry
