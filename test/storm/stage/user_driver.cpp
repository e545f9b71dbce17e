#include "test/storm/stage/user_driver.hpp"

#include "test/storm/weather/export_deeds.hpp"

#include <future>
#include <iterator>
#include <utility>

namespace sliceferry::storm {
namespace {

constexpr std::size_t refusals_kept = 10;
constexpr std::chrono::milliseconds pause{50};

k8s::http_method method_of(const std::string& name) {
  if (name == "POST")
    return k8s::http_method::post;
  if (name == "PATCH")
    return k8s::http_method::patch;
  return name == "PUT" ? k8s::http_method::put : k8s::http_method::del;
}

/// Whether a server that answers so may answer otherwise soon. A freshly started one forbids what it will allow.
bool may_recover(unsigned status, unsigned attempts) {
  return status == 429 || status >= 500 || ((status == 401 || status == 403) && attempts < 40);
}

} // namespace

user_driver::user_driver(k8s::io_loop& loop, const std::map<std::string, k8s::cluster_access>& clusters,
                         std::function<std::string(const export_wish&)> seen)
  : loop_{loop}, seen_{std::move(seen)} {
  k8s::http_options options;
  options.connections_max = 8;
  options.queue_max = 1'000'000;
  options.user_agent = "storm";
  for (const auto& [name, access] : clusters)
    clients_[name] = std::make_unique<k8s::http_client>(loop, access, options);
}

user_driver::~user_driver() {
  clients_.clear(); // nothing is called afterwards but the timers, which end on the loop
  std::promise<void> gone;
  loop_.post([&] {
    timers_.clear();
    gone.set_value();
  });
  gone.get_future().wait();
}

void user_driver::submit(user_request request) {
  ++waiting_;
  loop_.post([this, request = std::move(request)]() mutable {
    std::string key = request.cluster + ' ' + request.lane;
    auto& on = lanes_[key];
    on.waiting.push_back(std::move(request));
    if (!on.busy)
      send(key);
  });
}

void user_driver::send(const std::string& key) {
  auto& on = lanes_[key];
  on.busy = true;
  if (!resolve(on))
    return ended(key);
  if (const auto wait = std::exchange(on.waiting.front().pause, {}); wait.count() > 0) {
    timers_[key] = loop_.after(wait, [this, key] { send(key); });
    return;
  }
  ++on.attempts;
  const auto& first = on.waiting.front();
  k8s::http_request asked{method_of(first.method), first.target, first.content_type, first.body};
  clients_.at(first.cluster)->call(std::move(asked), [this, key](const auto& answer) { answered(key, answer); });
}

void user_driver::answered(const std::string& key, const k8s::result<k8s::http_response>& answer) {
  auto& on = lanes_[key];
  if (!answer || may_recover(answer->status, on.attempts))
    return again(key);
  if (!is_done(on, answer->status)) {
    ++refused_;
    const std::scoped_lock lock{mutex_};
    if (const auto& first = on.waiting.front(); refusals_.size() < refusals_kept)
      refusals_.push_back(first.cluster + ": " + first.method + ' ' + first.target + ": " +
                          std::to_string(answer->status) + ' ' + answer->body.substr(0, 300));
  }
  ended(key);
}

bool user_driver::resolve(lane& on) {
  if (!on.waiting.front().upon)
    return true;
  const auto wish = *on.waiting.front().upon;
  const auto exported = seen_ ? seen_(wish) : std::string{};
  if (exported.empty())
    return false;
  auto all = requests_upon(wish, exported);
  on.waiting.pop_front();
  waiting_ += all.size() - 1;
  on.waiting.insert(on.waiting.begin(), std::make_move_iterator(all.begin()), std::make_move_iterator(all.end()));
  return true;
}

bool user_driver::is_done(const lane& on, unsigned status) const {
  if (status < 300 || on.waiting.front().may_fail)
    return true;
  const auto& method = on.waiting.front().method;
  const bool is_namespace = on.waiting.front().target == "/api/v1/namespaces"; // may be there from the start
  return (method == "POST" && status == 409 && (on.attempts > 1 || is_namespace)) ||
         (method != "POST" && status == 404 && on.attempts > 1);
}

void user_driver::ended(const std::string& key) {
  auto& on = lanes_[key];
  on.waiting.pop_front();
  on.attempts = 0;
  ++done_;
  --waiting_;
  if (!on.waiting.empty())
    return send(key);
  lanes_.erase(key);
}

void user_driver::again(const std::string& key) {
  ++repeated_;
  timers_[key] = loop_.after(pause, [this, key] { send(key); });
}

user_driver::figures user_driver::now() const {
  return {done_, repeated_, refused_, waiting_};
}

std::vector<std::string> user_driver::refusals() const {
  const std::scoped_lock lock{mutex_};
  return refusals_;
}

} // namespace sliceferry::storm
