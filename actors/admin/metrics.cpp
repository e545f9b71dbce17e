#include "actors/admin/metrics.hpp"

#include "actors/admin/process_figures.hpp"

#include <initializer_list>
#include <mutex>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sliceferry {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

const Histogram::BucketBoundaries propagation_buckets{0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                      0.25,    0.5,    1,     2.5,    5,     10,   30,    60};
const Histogram::BucketBoundaries request_buckets{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                  0.1,    0.25,  0.5,    1,     5,    30};

double in_seconds(std::chrono::nanoseconds span) {
  return std::chrono::duration<double>{span}.count();
}

template <class T>
prometheus::detail::Builder<T> build() {
  if constexpr (std::is_same_v<T, Counter>)
    return prometheus::BuildCounter();
  else if constexpr (std::is_same_v<T, Gauge>)
    return prometheus::BuildGauge();
  else
    return prometheus::BuildHistogram();
}

/// A metric and its series by label values; the library's own look-up builds a map each time.
template <class T>
class family {
public:
  struct naming {
    const char* name;
    const char* help;
    std::vector<std::string> labels;
  };

  family(prometheus::Registry& registry, naming named, Histogram::BucketBoundaries buckets = {})
    : family_(build<T>().Name(named.name).Help(named.help).Register(registry)), labels_(std::move(named.labels)),
      buckets_(std::move(buckets)) {}

  T& of(std::initializer_list<std::string_view> values) {
    const std::lock_guard lock{guard_};
    key_.clear();
    for (const auto& value : values)
      key_.append(value).push_back('\0');
    const auto found = series_.find(key_);
    return found != series_.end() ? *found->second : add(values);
  }

private:
  T& add(std::initializer_list<std::string_view> values) {
    prometheus::Labels labels;
    auto value = values.begin();
    for (const auto& label : labels_)
      labels.emplace(label, *value++);
    T* made = nullptr;
    if constexpr (std::is_same_v<T, Histogram>)
      made = &family_.Add(labels, buckets_);
    else
      made = &family_.Add(labels);
    series_.emplace(key_, made);
    return *made;
  }

  prometheus::Family<T>& family_;
  const std::vector<std::string> labels_;
  const Histogram::BucketBoundaries buckets_;
  std::mutex guard_;
  std::string key_; ///< kept for its buffer
  std::unordered_map<std::string, T*> series_;
};

/// One sample of a metric without labels, made at the scrape.
prometheus::MetricFamily sample_of(const char* name, const char* help, prometheus::MetricType type, double value) {
  prometheus::ClientMetric metric;
  metric.counter.value = value;
  metric.gauge.value = value;
  return {name, help, type, {std::move(metric)}};
}

/// Under the names that every Prometheus client library uses, so that stock dashboards work.
void append_process_figures(std::vector<prometheus::MetricFamily>& out) {
  using prometheus::MetricType;
  const process_figures now = read_process_figures();
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  out.push_back(sample_of("process_cpu_seconds_total", "User and system CPU time spent, in seconds.",
                          MetricType::Counter, now.cpu_seconds));
  out.push_back(sample_of("process_start_time_seconds", "Start of the process since the Unix epoch, in seconds.",
                          MetricType::Gauge, now.start_seconds));
  out.push_back(sample_of("process_virtual_memory_bytes", "Virtual memory size, in bytes.", MetricType::Gauge,
                          number(now.virtual_bytes)));
  out.push_back(sample_of("process_resident_memory_bytes", "Resident memory size, in bytes.", MetricType::Gauge,
                          number(now.resident_bytes)));
  out.push_back(sample_of("process_threads", "Threads of the process.", MetricType::Gauge, number(now.threads)));
  out.push_back(sample_of("process_open_fds", "Open file descriptors.", MetricType::Gauge, number(now.open_files)));
  out.push_back(sample_of("process_max_fds", "Most file descriptors that may be open.", MetricType::Gauge,
                          number(now.open_files_max)));
}

} // namespace

struct metrics::impl {
  prometheus::Registry registry;
  std::function<std::vector<sampled_figure>()> sampled;

  family<Gauge> build_info{registry, {"sliceferry_build_info", "Always 1; the labels tell the build.", {"version"}}};
  family<Gauge> exports{registry, {"sliceferry_exports", "Slices by the state of their export.", {"member", "state"}}};
  family<Gauge> exporters{
    registry, {"sliceferry_exporters", "Exporters: awake ones are actors, dormant ones records.", {"member", "state"}}};
  family<Gauge> slices_waiting{registry,
                               {"sliceferry_slices_waiting",
                                "Dormant slices that something is owed for and that wait for a place among the awake.",
                                {"member"}}};
  family<Gauge> guard_tripped{
    registry, {"sliceferry_guard_tripped", "1 while withdrawals without a witness are held back.", {"member"}}};
  family<Gauge> guard_held{registry, {"sliceferry_guard_held", "Withdrawals that the guard holds back.", {"member"}}};
  family<Gauge> contested{registry,
                          {"sliceferry_exports_contested", "1 while somebody else keeps undoing exports.", {"member"}}};
  family<Histogram> propagation{registry,
                                {"sliceferry_propagation_duration_seconds",
                                 "From the arrival of a change at this process to the hub's acknowledgement.",
                                 {}},
                                propagation_buckets};

  family<Counter> events{registry, {"sliceferry_events_total", "Facts decided, by name.", {"event"}}};
  family<Counter> commands{registry, {"sliceferry_commands_total", "Commands sent to the writers.", {"command"}}};
  family<Counter> outcomes{registry, {"sliceferry_outcomes_total", "How commands ended.", {"command", "verdict"}}};

  family<Counter> writes_refused{registry,
                                 {"sliceferry_writes_refused_total",
                                  "Writes that a server refused for what they hold or for want of a right.",
                                  {"server", "reason"}}};

  family<Gauge> queue_depth{registry, {"sliceferry_queue_depth", "Commands that wait in a writer.", {"writer"}}};
  family<Gauge> queue_in_flight{
    registry, {"sliceferry_queue_in_flight", "Commands that a writer has sent and not heard of.", {"writer"}}};
  family<Gauge> queue_parked{
    registry, {"sliceferry_queue_parked", "Commands set aside until their content changes.", {"writer"}}};
  family<Gauge> queue_oldest{registry,
                             {"sliceferry_queue_oldest_seconds", "Age of the oldest waiting command.", {"writer"}}};
  family<Counter> limiter_waits{
    registry, {"sliceferry_limiter_waits_total", "Requests that had to wait for the rate limit.", {"writer"}}};
  family<Counter> limiter_wait{
    registry, {"sliceferry_limiter_wait_seconds_total", "Time that requests waited for the rate limit.", {"writer"}}};

  family<Counter> requests{
    registry, {"sliceferry_requests_total", "Requests to API servers by HTTP status.", {"server", "verb", "code"}}};
  family<Histogram> request_duration{
    registry,
    {"sliceferry_request_duration_seconds", "Duration of requests to API servers.", {"server", "verb"}},
    request_buckets};
  family<Counter> watch_restarts{
    registry,
    {"sliceferry_watch_restarts_total", "Watches that ended and began anew.", {"member", "collection", "reason"}}};
  family<Counter> malformed{
    registry, {"sliceferry_malformed_objects_total", "Objects dropped because they didn't decode.", {"collection"}}};
};

metrics::metrics(std::string_view version) : impl_(std::make_unique<impl>()) {
  impl_->build_info.of({version}).Set(1);
  impl_->propagation.of({}); // shown from the start: an absent histogram breaks alerts on its rate
}

metrics::~metrics() = default;

void metrics::exports(std::string_view member, const export_counts& now) {
  const auto set = [&](std::string_view state, std::size_t count) {
    impl_->exports.of({member, state}).Set(static_cast<double>(count));
  };
  set("exported", now.exported);
  set("owed", now.owed);
  set("withdrawing", now.withdrawing);
  set("refused", now.refused);
  set("ignored", now.ignored);
}

void metrics::exporters(std::string_view member, std::size_t awake, std::size_t dormant, std::size_t waiting) {
  impl_->exporters.of({member, "awake"}).Set(static_cast<double>(awake));
  impl_->exporters.of({member, "dormant"}).Set(static_cast<double>(dormant));
  impl_->slices_waiting.of({member}).Set(static_cast<double>(waiting));
}

void metrics::guard(std::string_view member, bool tripped, std::size_t held) {
  impl_->guard_tripped.of({member}).Set(tripped ? 1 : 0);
  impl_->guard_held.of({member}).Set(static_cast<double>(held));
}

void metrics::contested(std::string_view member, bool is) {
  impl_->contested.of({member}).Set(is ? 1 : 0);
}

void metrics::propagated(std::chrono::nanoseconds took) {
  impl_->propagation.of({}).Observe(in_seconds(took));
}

void metrics::told(const event& fact) {
  impl_->events.of({name_of(fact)}).Increment();
}

void metrics::commanded(const command& what) {
  impl_->commands.of({name_of(what)}).Increment();
}

void metrics::ended(std::string_view command_name, verdict how) {
  impl_->outcomes.of({command_name, to_string(how)}).Increment();
}

void metrics::refused(std::string_view server, errc why) {
  const std::string_view reason = why == errc::quota || why == errc::forbidden ? to_string(why) : "invalid";
  impl_->writes_refused.of({server, reason}).Increment();
}

void metrics::queue(std::string_view writer, const queue_figures& now) {
  impl_->queue_depth.of({writer}).Set(static_cast<double>(now.depth));
  impl_->queue_in_flight.of({writer}).Set(static_cast<double>(now.in_flight));
  impl_->queue_parked.of({writer}).Set(static_cast<double>(now.parked));
  impl_->queue_oldest.of({writer}).Set(in_seconds(now.oldest));
}

void metrics::limiter_waited(std::string_view writer, std::size_t count, std::chrono::nanoseconds in_all) {
  impl_->limiter_waits.of({writer}).Increment(static_cast<double>(count));
  impl_->limiter_wait.of({writer}).Increment(in_seconds(in_all));
}

void metrics::request_done(std::string_view server, std::string_view verb, unsigned status,
                           std::chrono::nanoseconds took) {
  const std::string code = status == 0 ? "none" : std::to_string(status);
  impl_->requests.of({server, verb, code}).Increment();
  impl_->request_duration.of({server, verb}).Observe(in_seconds(took));
}

void metrics::watch_restarted(std::string_view member, std::string_view collection, std::string_view reason) {
  impl_->watch_restarts.of({member, collection, reason}).Increment();
}

void metrics::malformed(std::string_view collection, std::size_t count) {
  impl_->malformed.of({collection}).Increment(static_cast<double>(count));
}

void metrics::sample(std::function<std::vector<sampled_figure>()> source) {
  impl_->sampled = std::move(source);
}

std::string metrics::text() const {
  auto families = impl_->registry.Collect();
  if (impl_->sampled)
    for (const auto& [name, help, is_counter, value] : impl_->sampled())
      families.push_back(
        sample_of(name, help, is_counter ? prometheus::MetricType::Counter : prometheus::MetricType::Gauge, value));
  append_process_figures(families);
  std::ostringstream out;
  prometheus::TextSerializer{}.Serialize(out, families);
  return std::move(out).str();
}

} // namespace sliceferry
