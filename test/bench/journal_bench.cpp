// What the journal costs and how it keeps its promises at size, beside the goals: events per second, recovery of a
// million streams, and what a snapshot of them means for those who wait meanwhile.
#include "actors/journal/journal.hpp"
#include "test/bench/arguments.hpp"
#include "test/bench/figures.hpp"
#include "test/bench/process.hpp"
#include "test/bench/row.hpp"
#include "test/bench/slice_lives.hpp"
#include "test/bench/steady_load.hpp"

#include "actors/wall_clock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <stdexcept>

namespace {

using namespace sliceferry;
using bench::median;
using bench::quantile;
using clock_type = std::chrono::steady_clock;

struct plan {
  std::size_t streams = 1'000'000;
  std::size_t flood = 100'000; ///< slices that are exported at once
  std::size_t tail = 200'000;  ///< events after the snapshot
  std::size_t runs = 5;
  double rate = 5'000; ///< events a second beside the snapshots
  double quiet_seconds = 3;
  std::filesystem::path folder;
};

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

std::unique_ptr<journal::journal> open(const std::filesystem::path& directory) {
  journal::journal_options how;
  how.directory = directory;
  how.now = [] { return journal::moment{wall_clock()}; };
  how.tell = [](const journal::notice& told) {
    if (told.alarming)
      std::printf("  the journal says: %s\n", told.text.c_str());
  };
  auto opened = journal::journal::open(std::move(how));
  if (const auto* why = std::get_if<std::string>(&opened))
    throw std::runtime_error{*why};
  return std::move(std::get<0>(opened));
}

void wait_until(const std::function<bool()>& done) {
  while (!done())
    ::poll(nullptr, 0, 2);
}

/// Its file is examined first; whoever appends before that waits, or finds it degraded.
std::unique_ptr<journal::journal> open_and_wait(const std::filesystem::path& directory) {
  auto out = open(directory);
  wait_until([&] { return out->status().state == core::journal_state::healthy; });
  return out;
}

/// The machine's disk stood still for half a second, as those of virtual machines do.
struct spoilt : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Degraded, it would be fast and prove nothing.
void must_be_healthy(const journal::journal& of) {
  const auto now = of.status();
  if (now.state == core::journal_state::degraded || now.degradations > 0 || now.set_aside > 0)
    throw spoilt{"the journal became degraded: " + now.why};
}

/// Anew if it was spoilt, but not for ever: a journal that is degraded each time is none.
template <class Work>
void measure(const Work& work) {
  for (int left = 2;; --left)
    try {
      return work();
    } catch (const spoilt& why) {
      if (left == 0)
        throw;
      std::printf("  measured again: %s\n", why.what());
    }
}

/// Lets at most so many additions wait, as the writers' queues do.
class window {
public:
  explicit window(journal::journal& of) : of_(of) {}

  void appended(std::uint64_t position) {
    last_ = position;
    if (++count_ % half != 0)
      return;
    if (of_.durable() < before_) {
      std::promise<void> reached;
      of_.when_durable(before_, [&] { reached.set_value(); });
      reached.get_future().wait();
    }
    before_ = last_;
  }

  void drain() {
    wait_until([&] { return of_.durable() >= last_; });
  }

private:
  static constexpr std::size_t half = 5'000;

  journal::journal& of_;
  std::size_t count_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t last_ = 0;
};

struct flood_figures {
  double per_second = 0;
  double cpu_us = 0;
  double bytes = 0;
  double file_bytes = 0;
  std::vector<double> waits_ms;
};

/// All slices are exported at once, into a new journal.
flood_figures flood(const bench::slice_lives& lives, const std::filesystem::path& directory) {
  std::filesystem::remove_all(directory);
  auto to = open_and_wait(directory);
  bench::durable_waits waits;
  window room{*to};
  const double written = bench::written_bytes();
  const double cpu = bench::cpu_seconds();
  const auto began = clock_type::now();
  std::size_t count = 0;
  for (std::size_t step = 0; step < bench::slice_lives::steps_of_export; ++step)
    for (std::size_t slice = 0; slice < lives.size(); ++slice) {
      const auto position = lives.append(*to, slice, step);
      if (++count % 100 == 0)
        waits.expect(*to, position);
      room.appended(position);
    }
  room.drain();
  const auto events = static_cast<double>(lives.size() * bench::slice_lives::events_of_export);
  flood_figures out;
  out.per_second = events / seconds_since(began);
  out.cpu_us = (bench::cpu_seconds() - cpu) / events * 1e6;
  must_be_healthy(*to);
  out.file_bytes = static_cast<double>(to->status().bytes_used) / events;
  to->stop();
  out.bytes = (bench::written_bytes() - written) / events;
  out.waits_ms = waits.take();
  return out;
}

void measure_appends(const plan& how, bench::row_table& rows) {
  const bench::slice_lives lives{0, how.flood};
  std::vector<double> rate, cpu, bytes, file, p50, p99;
  for (std::size_t i = 0; i < how.runs; ++i) {
    const auto seen = flood(lives, how.folder / "flood");
    rate.push_back(seen.per_second);
    cpu.push_back(seen.cpu_us);
    bytes.push_back(seen.bytes);
    file.push_back(seen.file_bytes);
    p50.push_back(quantile(seen.waits_ms, 0.5));
    p99.push_back(quantile(seen.waits_ms, 0.99));
  }
  std::filesystem::remove_all(how.folder / "flood");
  const auto events = std::to_string(how.flood * bench::slice_lives::events_of_export);
  rows.add({"journal, durable: " + events + " events of first exports", median(rate), "1/s", 100e3, 300e3, true});
  rows.add({"  CPU per event", median(cpu), "µs"});
  rows.add({"  written to the disk per event", median(bytes), "B"});
  rows.add({"  of the file used per event", median(file), "B"});
  rows.add({"  append to durable under that load, p50", median(p50), "ms"});
  rows.add({"  append to durable under that load, p99", median(p99), "ms"});
}

/// The journal of a member whose slices were all adopted once; its snapshot covers them.
void fill(const plan& how, bench::row_table& rows) {
  std::filesystem::remove_all(how.folder / "full");
  auto to = open_and_wait(how.folder / "full");
  const auto began = clock_type::now();
  window room{*to};
  constexpr std::size_t part = 50'000;
  for (std::size_t first = 0; first < how.streams; first += part) {
    const bench::slice_lives lives{first, std::min(part, how.streams - first)};
    for (std::size_t slice = 0; slice < lives.size(); ++slice)
      room.appended(lives.append_adoption(*to, slice));
  }
  room.drain();
  const double filled = seconds_since(began);
  const auto snapshots = to->status().snapshots;
  to->snapshot_now();
  wait_until([&] { return to->status().snapshots > snapshots && !to->status().snapshot_under_way; });
  must_be_healthy(*to);
  const auto now = to->status();
  char text[200];
  std::snprintf(text, sizeof text, "%zu streams appended in %.1f s, snapshot in %.1f s; of the file %.0f MB are used",
                how.streams, filled, std::chrono::duration<double>(now.snapshot_took).count(),
                static_cast<double>(now.bytes_used) / 1e6);
  rows.note(text);
}

/// As after a restart of the machine, as far as the kernel does as it is advised.
void drop_from_cache(const std::filesystem::path& directory) {
  for (const auto& each : std::filesystem::directory_iterator{directory}) {
    const int file = ::open(each.path().c_str(), O_RDONLY | O_CLOEXEC);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
  }
}

struct recovery {
  double wall = 0;     ///< until the last stream is told, from opening on
  double cpu = 0;      ///< of this process
  double examined = 0; ///< CPU of the child that examines the file before anybody reads it
};

recovery recover(const plan& how) {
  const double cpu = bench::cpu_seconds();
  const double children = bench::children_cpu_seconds();
  const auto began = clock_type::now();
  auto from = open(how.folder / "full");
  std::size_t streams = 0;
  std::promise<journal::recovery_counts> end;
  from->recover({[&](const std::string&, std::vector<journal::recovered_stream> part) { streams += part.size(); },
                 [&](const journal::recovery_counts& counts) { end.set_value(counts); }});
  const auto counts = end.get_future().get();
  recovery out{seconds_since(began), bench::cpu_seconds() - cpu, 0};
  from->stop();
  out.examined = bench::children_cpu_seconds() - children;
  if (streams != how.streams || counts.skipped != 0 || !counts.failure.empty())
    throw std::runtime_error{"of " + std::to_string(how.streams) + " streams " + std::to_string(streams) +
                             " were recovered; " + counts.failure};
  return out;
}

void measure_recovery(const plan& how, bench::row_table& rows, const std::string& what) {
  std::vector<double> wall, cpu, examined, cold;
  for (std::size_t i = 0; i < how.runs; ++i) {
    const auto seen = recover(how);
    wall.push_back(seen.wall);
    cpu.push_back(seen.cpu);
    examined.push_back(seen.examined);
  }
  for (std::size_t i = 0; i < how.runs; ++i) {
    drop_from_cache(how.folder / "full");
    cold.push_back(recover(how).wall);
  }
  const auto named = "recovery of " + std::to_string(how.streams) + " streams, " + what;
  rows.add({named + ": CPU, examination included", median(cpu) + median(examined), "s", 2.0, 1.0});
  rows.add({"  CPU of the child that examines the file first", median(examined), "s"});
  rows.add({"  both by the clock, from opening on", median(wall), "s"});
  rows.add({"  the same, the file not in the page cache", median(cold), "s"});
}

void append_tail(const plan& how) {
  const bench::slice_lives lives{0, std::min(how.tail, how.streams)};
  auto to = open_and_wait(how.folder / "full");
  window room{*to};
  for (std::size_t i = 0; i < how.tail; ++i)
    room.appended(lives.append_change(*to, i % lives.size()));
  room.drain();
  must_be_healthy(*to);
}

/// Interleaved, so that what else runs on the machine meets both alike.
void measure_snapshot(const plan& how, bench::row_table& rows) {
  const bench::slice_lives lives{0, std::min<std::size_t>(50'000, how.streams)};
  auto to = open_and_wait(how.folder / "full");
  bench::steady_load load{*to, lives, how.rate};
  load.run_for(std::chrono::seconds(how.runs > 1 ? 1 : 0));
  std::vector<double> without, with, ratio, took;
  double quiet = how.quiet_seconds;
  for (std::size_t i = 0; i < how.runs; ++i) {
    without.push_back(quantile(load.run_for(std::chrono::duration<double>(quiet)), 0.99));
    const auto before = to->status().snapshots;
    const auto began = clock_type::now();
    to->snapshot_now();
    with.push_back(quantile(load.run_while([&] {
      const auto now = to->status();
      return now.snapshots == before || now.snapshot_under_way;
    }),
                            0.99));
    took.push_back(seconds_since(began));
    quiet = std::max(how.quiet_seconds, took.back());
    ratio.push_back(with.back() / without.back());
  }
  must_be_healthy(*to);
  const auto beside = " beside " + std::to_string(static_cast<int>(how.rate)) + " events/s";
  rows.add({"snapshot of " + std::to_string(how.streams) + " streams" + beside + ": it takes", median(took), "s"});
  rows.add({"  append to durable without it, p99", median(without), "ms"});
  rows.add({"  append to durable with it, p99", median(with), "ms"});
  rows.add(
    {"  with against without, median of " + std::to_string(how.runs) + " interleaved pairs", median(ratio), "×", 2.0});
}

int run(const plan& how, bool judged) {
  std::filesystem::create_directories(how.folder);
  bench::row_table rows{judged};
  measure([&] { measure_appends(how, rows); });
  measure([&] { fill(how, rows); });
  measure_recovery(how, rows, "from a snapshot");
  measure([&] { measure_snapshot(how, rows); });
  measure([&] { append_tail(how); });
  measure_recovery(how, rows, "snapshot and a tail of " + std::to_string(how.tail) + " events");
  std::filesystem::remove_all(how.folder);
  return rows.exit_code();
}

} // namespace

int main(int argc, char** argv) {
  const auto own = "sliceferry-bench-" + std::to_string(::getpid());
  const bench::arguments given{
    argc, argv, {{"--streams", "1000000"}, {"--runs", "5"}, {"--dir", std::filesystem::temp_directory_path() / own}}};
  plan how;
  how.streams = given.number("--streams");
  how.runs = given.number("--runs");
  how.folder = given.text("--dir");
  if (given.is_smoke()) {
    how.streams = 2'000;
    how.flood = 1'000;
    how.tail = 500;
    how.runs = 1;
    how.quiet_seconds = 0.2;
  }
  try {
    return run(how, !given.is_smoke());
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "bench journal: %s\n", failed.what());
    return 3;
  }
}
