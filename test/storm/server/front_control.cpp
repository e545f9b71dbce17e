#include "test/storm/server/front_control.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <functional>

#include <sys/resource.h>

namespace sliceferry::storm {
namespace {

namespace json = boost::json;

api_answer text(unsigned status, std::string body) {
  api_answer out;
  out.status = status;
  out.content_type = status == 200 && body.starts_with('{') ? "application/json" : "text/plain";
  out.body = std::make_shared<const std::string>(std::move(body) + '\n');
  return out;
}

api_answer done() {
  return text(200, "{}");
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string out;
  for (const auto name : names)
    (out += out.empty() ? "" : ", ") += name;
  return out;
}

std::string known_kinds() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < server_fault_count; ++i)
    names.push_back(name_of(static_cast<server_fault>(i)));
  return joined(names);
}

/// A number in its bounds, or false. Absent leaves what was there.
template <class Number>
bool read_number(const json::object& from, std::string_view key, Number least, Number most, Number& out) {
  const auto* found = from.if_contains(key);
  if (found == nullptr)
    return true;
  boost::system::error_code bad;
  const auto number = found->to_number<Number>(bad);
  if (bad || number < least || number > most)
    return false;
  out = number;
  return true;
}

std::string text_at(const json::object& from, std::string_view key) {
  const auto* found = from.if_contains(key);
  return found != nullptr && found->is_string() ? std::string{found->get_string()} : std::string{};
}

/// The value of `key` in a query; empty when it isn't there.
std::string_view query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const auto part = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(part.size() + 1, query.size()));
    if (part.starts_with(key) && part.substr(key.size()).starts_with('='))
      return part.substr(key.size() + 1);
  }
  return {};
}

/// Something that may befall a cluster by request.
struct action {
  std::string_view name;
  std::string_view parameter; ///< that must be given
  std::function<void(front_site&, std::string_view)> run;
};

const std::vector<action>& actions() {
  static const std::vector<action> all{
    {"compact", "", [](front_site& at, std::string_view) { at.state().compact(at.now()); }},
    {"back_up", "", [](front_site& at, std::string_view) { at.state().back_up(at.now()); }},
    {"restore", "", [](front_site& at, std::string_view) { at.state().restore(at.now()); }},
    {"end_watches", "", [](front_site& at, std::string_view) { at.state().end_watches(at.now()); }},
    {"forbid", "user", [](front_site& at, std::string_view user) { at.state().forbid(user, at.now()); }},
    {"allow", "user", [](front_site& at, std::string_view user) { at.state().allow(user, at.now()); }},
    {"remove_kind", "resource", [](front_site& at, std::string_view kind) { at.state().remove_kind(kind, at.now()); }},
    {"install_kind", "resource",
     [](front_site& at, std::string_view kind) { at.state().install_kind(kind, at.now()); }},
  };
  return all;
}

std::string known_actions() {
  std::vector<std::string_view> names;
  for (const auto& each : actions())
    names.push_back(each.name);
  return joined(names);
}

std::int64_t cpu_us(int whose) {
  rusage used{};
  getrusage(whose, &used);
  const auto us = [](const timeval& time) { return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec; };
  return us(used.ru_utime) + us(used.ru_stime);
}

json::object stats_of(const front_site& site) {
  json::object by;
  for (const auto& [user, verb, status, count] : site.counts().rows()) {
    auto& verbs = by.emplace(user, json::object{}).first->value().as_object();
    auto& codes = verbs.emplace(verb, json::object{}).first->value().as_object();
    codes[std::to_string(status)] = count;
  }
  return {{"requests", site.counts().all()},
          {"writes", site.state().writes()},
          {"watches", site.watches()},
          {"resource_version", site.state().resource_version()},
          {"by", std::move(by)}};
}

} // namespace

fault_reading read_fault(std::string_view body) {
  fault_reading out;
  boost::system::error_code bad;
  const auto parsed = json::parse(body, bad);
  if (bad || !parsed.is_object()) {
    out.problem = R"(a fault is a JSON object with "kind" and "cluster")";
    return out;
  }
  const auto& fields = parsed.get_object();
  const std::string kind = text_at(fields, "kind");
  const auto known = fault_named(kind);
  if (!known) {
    out.problem = "unknown kind \"" + kind + "\"; these servers know: " + known_kinds();
    return out;
  }
  out.cluster = text_at(fields, "cluster");
  out.order.kind = *known;
  constexpr std::int64_t time_ms_max = std::int64_t{24} * 3600 * 1000;
  std::int64_t lasts = 0;
  std::int64_t amount = 0;
  if (!read_number<std::int64_t>(fields, "lasts_ms", 0, time_ms_max, lasts) ||
      !read_number<std::int64_t>(fields, "amount_ms", 0, time_ms_max, amount))
    out.problem = "lasts_ms and amount_ms are milliseconds, from 0 to a day";
  else if (!read_number<double>(fields, "share", 0, 1, out.order.share))
    out.problem = "share is a number from 0 to 1";
  else if (!read_number<std::uint64_t>(fields, "seed", 0, ~std::uint64_t{0}, out.order.seed))
    out.problem = "seed is a whole number from 0";
  out.order.lasts = std::chrono::milliseconds{lasts};
  out.order.amount = std::chrono::milliseconds{amount};
  return out;
}

front_control::front_control(boost::asio::io_context& io, sites& all, const serve_history& history)
  : sites_{all}, history_{history}, listener_{io, [this](auto socket) {
                                                auto made = std::make_shared<front_connection>(std::move(socket), *this,
                                                                                               nullptr, ++numbers_);
                                                peers_.emplace(numbers_, made);
                                                made->start();
                                              }} {}

front_control::~front_control() {
  const auto peers = peers_; // each that closes takes itself out
  for (const auto& [number, each] : peers)
    each->close(front_connection::ending::politely);
}

void front_control::gone(front_connection& peer) {
  peers_.erase(peer.number());
}

void front_control::asked(front_connection& peer, const http_request& what) {
  peer.answer(route(what), {});
}

api_answer front_control::route(const http_request& what) {
  constexpr std::string_view clusters = "/clusters/";
  if (what.target == "/faults" && what.method == "POST")
    return begin_fault(what.body);
  if (what.target == "/faults" && what.method == "DELETE") {
    for (const auto& each : sites_)
      each->end_faults();
    return done();
  }
  if (what.target == "/stats" && what.method == "GET")
    return text(200, stats());
  if (what.target.starts_with(clusters) && what.method == "POST")
    return act(std::string_view{what.target}.substr(clusters.size()));
  return text(404, what.method + " " + what.target +
                     " isn't known; known: POST /faults, DELETE /faults, GET /stats, POST /clusters/NAME/ACTION");
}

api_answer front_control::begin_fault(std::string_view body) {
  const auto [cluster, order, problem] = read_fault(body);
  if (!problem.empty())
    return text(400, problem);
  auto* site = site_named(cluster);
  if (site == nullptr)
    return text(400, "unknown cluster \"" + cluster + "\"; known: " + site_names());
  site->begin_fault(order);
  return done();
}

api_answer front_control::act(std::string_view target) {
  const auto path = target.substr(0, target.find('?'));
  const auto query = target.substr(std::min(path.size() + 1, target.size()));
  const auto slash = std::min(path.find('/'), path.size());
  auto* site = site_named(path.substr(0, slash));
  if (site == nullptr)
    return text(404, "unknown cluster \"" + std::string{path.substr(0, slash)} + "\"; known: " + site_names());
  const auto name = path.substr(std::min(slash + 1, path.size()));
  const auto found =
    std::find_if(actions().begin(), actions().end(), [&](const action& each) { return each.name == name; });
  if (found == actions().end())
    return text(404, "unknown action \"" + std::string{name} + "\"; known: " + known_actions());
  const auto value = query_value(query, found->parameter);
  if (!found->parameter.empty() && value.empty())
    return text(400, std::string{name} + " needs ?" + std::string{found->parameter} + "=");
  if (found->parameter == "resource" && value != "endpointsliceexports" && value != "serviceexports")
    return text(400, "only endpointsliceexports and serviceexports can come and go");
  found->run(*site, value);
  return done();
}

std::string front_control::stats() const {
  json::object all;
  std::uint64_t requests = 0;
  std::uint64_t writes = 0;
  std::size_t watches = 0;
  for (const auto& each : sites_) {
    requests += each->counts().all();
    writes += each->state().writes();
    watches += each->watches();
    all[each->name()] = stats_of(*each);
  }
  return json::serialize(json::object{{"requests", requests},
                                      {"writes", writes},
                                      {"watches", watches},
                                      {"history_queue_bytes", history_.queued_bytes()},
                                      {"cpu_us", cpu_us(RUSAGE_SELF)},
                                      {"io_cpu_us", cpu_us(RUSAGE_THREAD)},
                                      {"clusters", std::move(all)}});
}

front_site* front_control::site_named(std::string_view name) const {
  const auto found = std::find_if(sites_.begin(), sites_.end(), [&](const auto& each) { return each->name() == name; });
  return found == sites_.end() ? nullptr : found->get();
}

std::string front_control::site_names() const {
  std::vector<std::string_view> names;
  for (const auto& each : sites_)
    names.push_back(each->name());
  return joined(names);
}

} // namespace sliceferry::storm
