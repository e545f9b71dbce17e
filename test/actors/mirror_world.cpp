#include "test/actors/mirror_world.hpp"

#include "actors/api_writer.hpp"
#include "actors/hub_dispatcher.hpp"
#include "actors/watch_dispatcher.hpp"
#include "k8s/decode.hpp"

#include <sstream>
#include <utility>

namespace sliceferry {

namespace {

template <class T>
watch_event<T> event_of(const fake_cluster::change& told) {
  return {told.deleted ? watch_change::deleted : watch_change::applied, k8s::decode_object<T>(told.object).value()};
}

template <class T>
std::shared_ptr<watch_batch<T>> batch_at(tick moment) {
  auto batch = std::make_shared<watch_batch<T>>();
  batch->read_at = moment;
  return batch;
}

/// A complete list of all that the cluster holds at paths with this in it.
template <class T>
std::shared_ptr<const watch_batch<T>> list_of(const fake_cluster& cluster, const std::string& part, tick moment) {
  auto batch = batch_at<T>(moment);
  batch->events.push_back({watch_change::init, {}});
  for (const auto& [path, object] : cluster.objects())
    if (path.find(part) != std::string::npos)
      batch->events.push_back(event_of<T>({path, object, false}));
  batch->events.push_back({watch_change::init_done, {}});
  return batch;
}

std::vector<std::string> names_of(const fake_fleet& clusters) {
  std::vector<std::string> out;
  for (const auto& [name, cluster] : clusters.members)
    out.push_back(name);
  return out;
}

} // namespace

mirror_world::mirror_world(fake_fleet& clusters, echo order, core::write_limits limits,
                           std::vector<core::former_identity> former, std::size_t awake_max)
  : board(names_of(clusters)), desk(names_of(clusters)), clusters_(clusters), order_(order), limits_(limits),
    former_(std::move(former)), awake_max_(awake_max) {
  hub_writer = spawn_writer("hub", spawn_gateway("hub", clusters_.hub));
  std::map<std::string, caf::actor> routes;
  for (const auto& name : names_of(clusters)) {
    add_member(name);
    routes[hub_nspace_of(name)] = dispatchers.at(name);
    for (const auto& each : former_)
      routes[each.hub_nspace] = dispatchers.at(name);
  }
  hub_dispatcher_ = stage.spawn<hub_dispatcher>(std::move(routes));
}

void mirror_world::add_member(const std::string& name) {
  core::member_identity identity;
  identity.cluster = name;
  identity.hub_nspace = hub_nspace_of(name);
  dispatcher_ports ports;
  ports.identity = std::make_shared<const core::member_identity>(std::move(identity));
  ports.member_gateway = spawn_gateway(name, clusters_.members.at(name));
  ports.member_writer = member_writers[name] = spawn_writer(name, ports.member_gateway);
  ports.hub_writer = hub_writer;
  ports.relist = [this](core::mirrored which) { relists += which == core::mirrored::slices ? 1 : 0; };
  ports.journal = &journal_of_test;
  ports.figures = &figures;
  ports.board = &board;
  ports.desk = &desk;
  ports.former = former_;
  ports.awake_max = awake_max_;
  dispatchers[name] = stage.spawn<watch_dispatcher>(std::move(ports));
}

caf::actor mirror_world::spawn_gateway(const std::string& server, fake_cluster& cluster) {
  auto& door = doors_[server] = std::make_shared<gate>();
  return gateways_[server] = stage.spawn<fake_gateway>(
           [this, server, &cluster](const k8s::http_request& asked) { return serve(server, cluster, asked); }, door);
}

caf::actor mirror_world::spawn_writer(const std::string& server, const caf::actor& gateway) {
  writer_ports ports;
  ports.server = server;
  ports.gateway = gateway;
  for (const auto& name : names_of(clusters_))
    ports.hub_nspaces[name] = hub_nspace_of(name);
  for (const auto& each : former_)
    ports.hub_nspaces[each.cluster] = each.hub_nspace;
  ports.limits = limits_;
  ports.seed = 7;
  ports.journal = &journal_of_test;
  ports.figures = &figures;
  ports.board = &board;
  return stage.spawn<api_writer>(std::move(ports));
}

k8s::result<k8s::http_response> mirror_world::serve(const std::string& server, fake_cluster& cluster,
                                                    const k8s::http_request& asked) {
  requests.push_back(asked);
  calls_.push_back(server + ' ' + std::string(k8s::to_string(asked.method)) + ' ' +
                   asked.target.substr(asked.target.rfind('/') + 1));
  const auto broken = sabotage ? sabotage(requests.size()) : std::nullopt;
  if (broken && !broken->applied)
    return broken->reply;
  auto answer = cluster.answer(asked);
  if (order_ == echo::before_answer)
    tell();
  if (broken)
    return broken->reply;
  return answer;
}

void mirror_world::sync() {
  for (const auto& [name, cluster] : clusters_.members) {
    list_slices(name);
    list_consents(name);
    list_exports(name);
  }
  settle();
}

void mirror_world::list_slices(const std::string& member) {
  tell_from_thread(dispatchers.at(member),
                   slices_read{list_of<endpoint_slice>(clusters_.members.at(member), "/endpointslices/", stage.now())});
}

void mirror_world::list_consents(const std::string& member) {
  tell_from_thread(dispatchers.at(member), consents_read{list_of<service_export>(clusters_.members.at(member),
                                                                                 "/serviceexports/", stage.now())});
}

void mirror_world::list_exports(const std::string& member) {
  const auto nspace = hub_nspace_of(member);
  tell_from_thread(hub_dispatcher_,
                   exports_read{nspace, list_of<slice_export>(clusters_.hub, '/' + nspace + '/', stage.now())});
}

void mirror_world::list_former_exports() {
  for (const auto& each : former_)
    tell_from_thread(
      hub_dispatcher_,
      exports_read{each.hub_nspace, list_of<slice_export>(clusters_.hub, '/' + each.hub_nspace + '/', stage.now())});
}

bool mirror_world::tell() {
  bool told = tell_of_hub();
  for (const auto& [name, cluster] : clusters_.members)
    told |= tell_of_member(name);
  return told;
}

bool mirror_world::tell_of_member(const std::string& member) {
  auto slices = batch_at<endpoint_slice>(stage.now());
  auto consents = batch_at<service_export>(stage.now());
  for (const auto& told : clusters_.members.at(member).take_changes()) {
    if (told.path.find("/endpointslices/") != std::string::npos)
      slices->events.push_back(event_of<endpoint_slice>(told));
    else
      consents->events.push_back(event_of<service_export>(told));
  }
  const bool any = !slices->events.empty() || !consents->events.empty();
  if (!slices->events.empty())
    tell_from_thread(dispatchers.at(member), slices_read{std::move(slices)});
  if (!consents->events.empty())
    tell_from_thread(dispatchers.at(member), consents_read{std::move(consents)});
  return any;
}

bool mirror_world::tell_of_hub() {
  const auto changes = clusters_.hub.take_changes();
  std::vector<std::string> nspaces;
  for (const auto& [name, cluster] : clusters_.members)
    nspaces.push_back(hub_nspace_of(name));
  for (const auto& each : former_)
    nspaces.push_back(each.hub_nspace);
  for (const auto& nspace : nspaces) {
    auto exports = batch_at<slice_export>(stage.now());
    for (const auto& told : changes)
      if (told.path.find('/' + nspace + '/') != std::string::npos)
        exports->events.push_back(event_of<slice_export>(told));
    if (!exports->events.empty())
      tell_from_thread(hub_dispatcher_, exports_read{nspace, std::move(exports)});
  }
  return !changes.empty();
}

void mirror_world::settle() {
  do
    stage.run();
  while (order_ != echo::withheld && tell());
}

bool mirror_world::finish(std::chrono::seconds longest) {
  const auto end = stage.now() + longest;
  for (settle(); stage.due(); settle()) {
    if (*stage.due() > end)
      return false;
    stage.next_moment();
  }
  return true;
}

void mirror_world::pass(std::chrono::nanoseconds time) {
  const auto end = stage.now() + time;
  for (settle(); stage.due() && *stage.due() <= end; settle())
    stage.next_moment();
  stage.advance(end - stage.now());
  settle();
}

void mirror_world::open(const std::string& server) {
  doors_.at(server)->shut = false;
  tell_from_thread(gateways_.at(server), moment_due{});
}

std::vector<std::string> mirror_world::take_calls() {
  return std::exchange(calls_, {});
}

double mirror_world::figure(const std::string& series) const {
  std::istringstream lines(figures.text());
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(series + ' '))
      return std::stod(line.substr(series.size() + 1));
  return 0;
}

double mirror_world::awake(const std::string& member) const {
  return figure("sliceferry_exporters{member=\"" + member + "\",state=\"awake\"}");
}

double mirror_world::dormant(const std::string& member) const {
  return figure("sliceferry_exporters{member=\"" + member + "\",state=\"dormant\"}");
}

} // namespace sliceferry
