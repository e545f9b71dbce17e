// What a settled slice costs the member's table, in bytes and in CPU per piece of news, beside the goals.
// `bench_record [SLICES]`: 200,000 unless told; a million for the rows of residence. Exit code 1 if a goal that must be
// reached is missed.
#include "actors/core/decide.hpp"
#include "test/bench/settled_fleet.hpp"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <utility>

namespace {

using namespace sliceferry;

struct footprint {
  double asked = 0;    ///< bytes in use by the allocator's books
  double resident = 0; ///< bytes of RAM
};

footprint measure() {
  const auto books = mallinfo2();
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"}.ignore(64, ' ') >> pages;
  return {static_cast<double>(books.uordblks + books.hblkhd), static_cast<double>(pages * 4096)};
}

double cpu_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

/// Hands the fleet over in lists of pages, as the reflector does. `then` runs after each page with its range.
template <class T, class Make, class Feed, class Then>
double feed(std::size_t count, const Make& make, const Feed& take, const Then& then) {
  constexpr std::size_t page = 500;
  double spent = 0;
  for (std::size_t begin = 0; begin < count; begin += page) {
    watch_batch<T> batch;
    const auto end = std::min(count, begin + page);
    if (begin == 0)
      batch.events.push_back({watch_change::init, {}});
    for (std::size_t i = begin; i < end; ++i)
      batch.events.push_back({watch_change::applied, make(i)});
    if (end == count)
      batch.events.push_back({watch_change::init_done, {}});
    const double before = cpu_seconds();
    take(batch);
    then(begin, end);
    spent += cpu_seconds() - before;
  }
  return spent;
}

struct figures {
  std::size_t count;
  footprint before;
  footprint consents;
  footprint after;
  double peak = 0;
  double list_cpu = 0;
  double settle_cpu = 0;
};

/// Exports of a process before this one are there: nothing is written.
figures restart(std::size_t count, const bench::settled_fleet& fleet, core::member_table& table) {
  figures out{count, measure(), {}, {}};
  const auto nothing = [](std::size_t, std::size_t) {};
  out.list_cpu += feed<service_export>(
    count, [&](std::size_t i) { return fleet.consent(i); }, [&](const auto& batch) { table.consents(batch); }, nothing);
  out.consents = measure();
  out.list_cpu += feed<endpoint_slice>(
    count, [&](std::size_t i) { return fleet.slice(i, true); }, [&](const auto& batch) { table.slices(batch); },
    nothing);
  out.list_cpu += feed<slice_export>(
    count, [&](std::size_t i) { return fleet.exported(i); }, [&](const auto& batch) { table.exports(batch); }, nothing);
  bench::settling settling{fleet, table};
  const double before = cpu_seconds();
  for (std::size_t i = 0; i < count; ++i)
    settling.settle(i);
  out.settle_cpu = cpu_seconds() - before;
  out.after = measure();
  out.peak = std::max(out.after.resident, measure().resident);
  return out;
}

/// What the journal of a process before this one tells of each slice, in the journal's order.
std::map<std::string, std::pair<object_key, core::memory>> memories_of(std::size_t count,
                                                                       const bench::settled_fleet& fleet) {
  core::member_table table{fleet.who()};
  restart(count, fleet, table);
  std::map<std::string, std::pair<object_key, core::memory>> out;
  for (std::size_t i = 0; i < count; ++i)
    if (auto held = table.kept(fleet.uid(i, 1)))
      out.emplace(fleet.uid(i, 1), std::pair{fleet.slice(i, false).key, std::move(*held)});
  return out;
}

/// The CPU of a start with a journal where all is in sync, step by step.
bool warm_restart(std::size_t count) {
  const bench::settled_fleet fleet;
  const auto memories = memories_of(count, fleet);
  core::member_table table{fleet.who()};
  const auto nothing = [](std::size_t, std::size_t) {};
  const double begin = cpu_seconds();
  for (const auto& [uid, kept] : memories)
    table.remember(uid, kept.first, kept.second);
  const double recalled = cpu_seconds() - begin;
  const double consents = feed<service_export>(
    count, [&](std::size_t i) { return fleet.consent(i); }, [&](const auto& batch) { table.consents(batch); }, nothing);
  const double slices = feed<endpoint_slice>(
    count, [&](std::size_t i) { return fleet.slice(i, true); }, [&](const auto& batch) { table.slices(batch); },
    nothing);
  const double exports = feed<slice_export>(
    count, [&](std::size_t i) { return fleet.exported(i); }, [&](const auto& batch) { table.exports(batch); }, nothing);
  std::size_t settled = 0;
  const double looks = cpu_seconds();
  table.for_each([&](const core::slice_row& row, const inputs& seen) {
    settled += core::quiet(*fleet.who(), row.kept, seen, fleet.since(0)) ? 1U : 0U;
  });
  const double looked = cpu_seconds() - looks;
  const auto per = [&](double seconds) { return seconds / static_cast<double>(count) * 1e6; };
  std::printf("restart in sync with a journal, %zu slices, %zu of them settled\n", count, settled);
  std::printf("%-58s %.2f µs, consents %.2f µs, slices %.2f µs, exports %.2f µs, a look at all %.2f µs\n",
              "  CPU per slice: memories", per(recalled), per(consents), per(slices), per(exports), per(looked));
  return settled == count;
}

/// Nothing was exported before: each slice is annotated and exported as soon as it is seen.
figures first_export(std::size_t count, const bench::settled_fleet& fleet, core::member_table& table) {
  figures out{count, measure(), {}, {}};
  const auto nothing = [](std::size_t, std::size_t) {};
  out.list_cpu += feed<service_export>(
    count, [&](std::size_t i) { return fleet.consent(i); }, [&](const auto& batch) { table.consents(batch); }, nothing);
  out.consents = measure();
  table.exports(bench::batch_of<slice_export>({{watch_change::init, {}}, {watch_change::init_done, {}}}));
  out.list_cpu += feed<endpoint_slice>(
    count, [&](std::size_t i) { return fleet.slice(i, false); }, [&](const auto& batch) { table.slices(batch); },
    nothing);
  bench::settling settling{fleet, table};
  const double before = cpu_seconds();
  for (std::size_t i = 0; i < count; ++i) {
    settling.settle(i);
    if (i % 10'000 == 0)
      out.peak = std::max(out.peak, measure().resident);
  }
  out.settle_cpu = cpu_seconds() - before;
  out.after = measure();
  out.peak = std::max(out.peak, out.after.resident);
  return out;
}

/// The endpoints of slices all over the table change, and then their exports.
void change(std::size_t count, const bench::settled_fleet& fleet, core::member_table& table) {
  constexpr std::size_t news = 100'000;
  double slices = 0, exports = 0, inputs = 0;
  for (std::size_t n = 0; n < news; ++n) {
    const std::size_t i = n * 7919 % count;
    auto next = fleet.slice(i, true);
    next.ready.push_back({{"10.77.0.1"}});
    next.resource_version = fleet.version(i + count * (1 + n), 5);
    auto after = fleet.exported(i);
    after.spec.endpoints = next.ready;
    after.resource_version = fleet.version(i + count * (1 + n), 6);
    const auto first = bench::batch_of<endpoint_slice>({{watch_change::applied, next}});
    const auto second = bench::batch_of<slice_export>({{watch_change::applied, after}});
    const double begin = cpu_seconds();
    table.slices(first);
    const double middle = cpu_seconds();
    table.exports(second);
    const double seen = cpu_seconds();
    if (table.inputs_of(next.uid).hub.empty())
      std::puts("an export is not where it should be");
    inputs += cpu_seconds() - seen;
    slices += middle - begin;
    exports += seen - middle;
  }
  const auto per = [](double seconds) { return seconds / news * 1e6; };
  std::printf("%-58s %7.2f µs %7.2f µs %7.2f µs\n", "  CPU per change of a slice / of an export / inputs_of",
              per(slices), per(exports), per(inputs));
}

/// Slices end with their exports and others take their places, for as long as the table lives.
void churn(std::size_t count, const bench::settled_fleet& fleet, core::member_table& table) {
  const auto before = measure();
  bench::settling settling{fleet, table};
  constexpr std::size_t cycles = 1'000'000;
  for (std::size_t n = 0; n < cycles; ++n) {
    const auto old = n < count ? n * 7919 % count : n;
    const auto last = fleet.slice(old, true);
    table.slices(bench::batch_of<endpoint_slice>({{watch_change::deleted, last}}));
    for (const auto& held : table.inputs_of(last.uid).hub) {
      slice_export gone;
      gone.key = {fleet.who()->hub_nspace, held.name};
      gone.uid = held.uid;
      gone.resource_version = fleet.version(old, 7);
      table.exports(bench::batch_of<slice_export>({{watch_change::deleted, gone}}));
    }
    settling.settle(old);
    const auto next = count + n;
    table.consents(bench::batch_of<service_export>(
      {{watch_change::applied, fleet.consent(next)}, {watch_change::deleted, fleet.consent(old)}}));
    table.slices(bench::batch_of<endpoint_slice>({{watch_change::applied, fleet.slice(next, false)}}));
    settling.settle(next);
  }
  const auto after = measure();
  std::printf("%-58s %+7.1f %% in use %+7.1f %% resident, %zu records\n", "  a million slices later",
              (after.asked / before.asked - 1) * 100, (after.resident / before.resident - 1) * 100,
              table.dormant() + table.awake());
}

/// Of the rows that must be reached, none is missed.
bool is_reached(const figures& seen) {
  const auto count = static_cast<double>(seen.count);
  return (seen.after.resident - seen.consents.resident) / count <= 350 && seen.after.resident / count <= 450 &&
         seen.peak / count <= 900;
}

void print(const figures& seen, const footprint& end) {
  const auto count = static_cast<double>(seen.count);
  const auto bytes = [&](const footprint& a, const footprint& b) {
    std::printf(" %7.0f B in use %7.0f B resident\n", (b.asked - a.asked) / count, (b.resident - a.resident) / count);
  };
  std::printf("%-58s", "  record per settled slice (must 350 B, aim 250 B)");
  bytes(seen.consents, seen.after);
  std::printf("%-58s", "  its ServiceExport beside it");
  bytes(seen.before, seen.consents);
  std::printf("%-58s %7.0f MB, at the peak %.0f MB\n", "  resident per million (must 450 / 900 MB)",
              seen.after.resident / count, seen.peak / count);
  std::printf("%-58s %7.2f µs, settling %.2f µs\n", "  CPU per slice: the three lists", seen.list_cpu / count * 1e6,
              seen.settle_cpu / count * 1e6);
  std::printf("%-58s", "  left when the table is gone");
  bytes(seen.before, end);
}

/// In a process of its own, since what one leaves behind would count for the next.
template <class Scenario>
bool run(const char* what, std::size_t count, const Scenario& scenario) {
  if (const auto child = fork(); child != 0) {
    int status = 1;
    waitpid(child, &status, 0);
    return status == 0;
  }
  std::printf("%s, %zu slices\n", what, count);
  const bench::settled_fleet fleet;
  figures seen{};
  {
    core::member_table table{fleet.who()};
    seen = scenario(count, fleet, table);
    change(count, fleet, table);
    churn(count, fleet, table);
  }
  malloc_trim(0);
  print(seen, measure());
  std::exit(is_reached(seen) ? 0 : 1);
}

} // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200'000;
  const bool restarts = run("restart in sync", count, restart);
  const bool exports = run("first export", count, first_export);
  const bool settles = warm_restart(count);
  return restarts && exports && settles ? 0 : 1;
}
