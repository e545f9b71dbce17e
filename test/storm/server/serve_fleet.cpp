#include "test/storm/server/serve_fleet.hpp"

#include "test/storm/server/front_control.hpp"
#include "test/storm/server/front_site.hpp"
#include "test/storm/server/http_tls.hpp"
#include "test/storm/server/serve_history.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <optional>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace sliceferry::storm {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds tick_length{20};

/// Where the history goes; closes what it opened.
class history_target {
public:
  explicit history_target(const std::string& where) {
    const bool is_number = !where.empty() && std::all_of(where.begin(), where.end(),
                                                         [](unsigned char each) { return std::isdigit(each) != 0; });
    if (where == "-" || is_number) {
      descriptor_ = is_number ? std::stoi(where) : STDOUT_FILENO;
      return;
    }
    descriptor_ = ::open(where.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    is_ours_ = true;
    if (descriptor_ < 0)
      throw std::runtime_error{"the history can't be written to " + where};
  }
  ~history_target() {
    if (is_ours_)
      ::close(descriptor_);
  }
  history_target(const history_target&) = delete;
  history_target& operator=(const history_target&) = delete;

  int descriptor() const { return descriptor_; }

private:
  int descriptor_ = -1;
  bool is_ours_ = false;
};

std::string url(std::string_view scheme, std::uint16_t port) {
  return std::string{scheme} + "://127.0.0.1:" + std::to_string(port);
}

} // namespace

struct serve_fleet::impl {
  asio::io_context io{1};
  std::optional<http_tls> tls;
  front_tokens tokens;
  history_target target;
  serve_history history;
  front_control::sites sites;
  std::optional<front_control> control;
  asio::steady_timer ticks{io};
  asio::signal_set signals{io};

  explicit impl(const serve_options& options)
    : tokens{options.users}, target{options.history}, history{target.descriptor()} {
    if (!options.clock)
      throw std::runtime_error{"the servers need a clock"};
    if (!options.certificate_file.empty())
      tls.emplace(options.certificate_file, options.key_file);
    add_site("hub", options);
    for (const auto& member : options.members)
      add_site(member, options);
    control.emplace(io, sites, history);
  }

  void add_site(const std::string& name, const serve_options& options) {
    const auto same = [&](const auto& each) { return each->name() == name; };
    if (std::any_of(sites.begin(), sites.end(), same))
      throw std::runtime_error{"two clusters named " + name};
    const bool is_hub = sites.empty();
    front_site_options each;
    each.cluster.name = name;
    each.cluster.history_events = options.history_events;
    each.cluster.plays_hub_controller = is_hub && options.plays_hub_controller;
    each.cluster.uid_seed = fault_hash(options.uid_seed, sites.size());
    each.export_kind = is_hub ? "endpointsliceexports" : "serviceexports";
    each.brings_objects_back = !is_hub; // there users made them, here the program
    each.tokens = &tokens;
    each.faulty_users = options.faulty_users;
    each.tls = tls ? &*tls : nullptr;
    each.clock = options.clock;
    sites.push_back(std::make_unique<front_site>(io, std::move(each), history));
    if (options.furnish)
      options.furnish(name, sites.back()->state());
  }

  void tick() {
    if (history.is_broken())
      return io.stop();
    for (const auto& each : sites)
      each->tick();
    ticks.expires_after(tick_length);
    ticks.async_wait([this](boost::system::error_code stopped) {
      if (!stopped)
        tick();
    });
  }
};

serve_fleet::serve_fleet(const serve_options& options) : impl_{std::make_unique<impl>(options)} {}

serve_fleet::~serve_fleet() = default;

std::string serve_fleet::addresses() const {
  namespace json = boost::json;
  json::object clusters;
  for (const auto& each : impl_->sites)
    clusters[each->name()] = url(impl_->tls ? "https" : "http", each->port());
  return json::serialize(
    json::object{{"control", url("http", impl_->control->port())}, {"clusters", std::move(clusters)}});
}

bool serve_fleet::run() {
  impl_->tick();
  impl_->io.run();
  for (const auto& each : impl_->sites)
    each->mark("stopped");
  return !impl_->history.is_broken();
}

void serve_fleet::stop() {
  impl_->io.stop();
}

void serve_fleet::stop_at_signals() {
  impl_->signals.add(SIGTERM);
  impl_->signals.add(SIGINT);
  impl_->signals.async_wait([this](boost::system::error_code failed, int) {
    if (!failed)
      stop();
  });
}

} // namespace sliceferry::storm
