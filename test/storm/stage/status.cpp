#include "test/storm/stage/status.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sliceferry::storm {
namespace {

double seconds(std::chrono::milliseconds span) {
  return static_cast<double>(span.count()) / 1000;
}

double milliseconds(std::chrono::microseconds span) {
  return static_cast<double>(span.count()) / 1000;
}

std::uint64_t mebibytes(std::uint64_t bytes) {
  return bytes >> 20;
}

std::string bar(std::chrono::milliseconds done, std::chrono::milliseconds of) {
  constexpr std::size_t cells = 30;
  const auto full = of.count() == 0 ? cells : std::min(cells, static_cast<std::size_t>(done * cells / of));
  std::string out;
  for (std::size_t i = 0; i < cells; ++i)
    out += i < full ? "█" : "░";
  return out;
}

std::string requests_of(const program_figures& program) {
  std::string out;
  for (const auto& [verb, count] : program.requests)
    out += fmt::format("{}{} {}", out.empty() ? "" : "  ", verb, count);
  return out.empty() ? "none yet" : out;
}

} // namespace

std::string block_of(const status& now, bool in_colour) {
  const auto bold = [&](std::string text) { return in_colour ? "\033[1m" + text + "\033[0m" : text; };
  const auto row = [](const char* name, const std::string& text) { return fmt::format("  {:<12} {}\n", name, text); };
  std::string out = fmt::format("{} {}  {:.0f} of {:.0f} s\n", bold(fmt::format("{:<14}", now.phase)),
                                bar(now.since, now.length), seconds(now.since), seconds(now.length));
  out += row("changes", fmt::format("{} by users, {:.0f}/s", now.changes, now.changes_per_s));
  out += row("exports", fmt::format("{} on the hub of {} slices, {:.0f} written/s, backlog {}",
                                    bold(std::to_string(now.exports)), now.slices, now.exports_per_s, now.backlog));
  out += row("propagation", fmt::format("p50 {:.1f} ms, p99 {:.1f} ms (change acknowledged to its user -> on the hub)",
                                        milliseconds(now.p50), milliseconds(now.p99)));
  out += row("requests", requests_of(now.program));
  out += row("restarts", fmt::format("{} of the program, {} of watches",
                                     now.process_starts > 0 ? now.process_starts - 1 : 0, now.program.watch_restarts));
  out += row("program",
             fmt::format("{} MiB, {} threads, {} descriptors, {:.2f} cores", mebibytes(now.process.resident_bytes),
                         now.process.threads, now.process.descriptors, now.program_cpu));
  out += row("journal", fmt::format("{} events of this process{}", now.program.journal_events,
                                    now.program.journal_degraded ? ", " + bold("degraded") : ""));
  out += row("faults", now.latest_fault.empty() ? "none" : "latest: " + now.latest_fault);
  out += fmt::format("  {:<12} {}", "violations", now.violations);
  return out;
}

std::string line_of(const status& now) {
  return fmt::format(
    "{:>5.0f} s {}: changes {} ({:.0f}/s), slices {}, exports {} ({:.0f} writes/s), backlog {}, p50 {:.1f} ms, "
    "p99 {:.1f} ms, {} MiB, {} threads, {} fds, queued {}, {:.2f} cores, starts {}, violations {}{}{}",
    seconds(now.since), now.phase, now.changes, now.changes_per_s, now.slices, now.exports, now.exports_per_s,
    now.backlog, milliseconds(now.p50), milliseconds(now.p99), mebibytes(now.process.resident_bytes),
    now.process.threads, now.process.descriptors, now.program.queued, now.program_cpu, now.process_starts,
    now.violations, now.program.journal_degraded ? ", journal degraded" : "",
    now.latest_fault.empty() ? "" : ", " + now.latest_fault);
}

} // namespace sliceferry::storm
