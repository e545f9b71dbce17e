#include "actors/journal_view.hpp"

#include "actors/admin/readiness.hpp"
#include "actors/log.hpp"
#include "actors/wall_clock.hpp"

#include <chrono>

namespace sliceferry {

journal::journal_options options_of(const journal_settings& chosen, std::uint64_t seed) {
  journal::journal_options out;
  out.directory = chosen.data_dir;
  out.relaxed = chosen.sync == journal_sync::relaxed;
  out.retention = chosen.retention;
  out.max_bytes = chosen.max_mib << 20U;
  out.seed = seed;
  out.now = wall_clock_in_milliseconds;
  out.tell = [](const journal::notice& said) {
    if (said.alarming)
      log::warning("journal", {{"reason", said.text}});
    else
      log::info("journal", {{"reason", said.text}});
  };
  return out;
}

std::vector<sampled_figure> figures_of(const journal::journal_status& now) {
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  const bool degraded = now.state == core::journal_state::degraded;
  const double took = std::chrono::duration<double>{now.snapshot_took}.count();
  return {
    {"sliceferry_journal_degraded", "1 while events aren't written and commands leave all the same.", false,
     degraded ? 1.0 : 0.0},
    {"sliceferry_journal_degradations_total", "How often the journal became degraded.", true, number(now.degradations)},
    {"sliceferry_journal_events_total", "Events handed to the journal.", true, number(now.events)},
    {"sliceferry_journal_commits_total", "Groups of events made durable together.", true, number(now.commits)},
    {"sliceferry_journal_write_failures_total", "Attempts to write that failed.", true, number(now.failures)},
    {"sliceferry_journal_waiting_bytes", "Events that wait for the disk.", false, number(now.waiting_bytes)},
    {"sliceferry_journal_noted_streams", "Slices that changed while degraded, to be written later.", false,
     number(now.noted_streams)},
    {"sliceferry_journal_set_aside_total", "Journals put aside as damaged, foreign or too far behind.", true,
     number(now.set_aside)},
    {"sliceferry_journal_cut_records_total", "Damaged records taken from the end of the log.", true,
     number(now.cut_records)},
    {"sliceferry_journal_records", "Records in the log.", false, number(now.last == 0 ? 0 : now.last - now.first + 1)},
    {"sliceferry_journal_size_bytes", "Pages of the file that hold something.", false, number(now.bytes_used)},
    {"sliceferry_journal_snapshots_total", "Snapshots completed.", true, number(now.snapshots)},
    {"sliceferry_journal_snapshot_streams", "Slices in the newest snapshot.", false, number(now.snapshot_streams)},
    {"sliceferry_journal_snapshot_duration_seconds", "How long the newest snapshot took.", false, took},
  };
}

void show(const journal::journal_status& now, readiness& board) {
  if (now.state == core::journal_state::degraded)
    board.noted("journal", "degraded, history has a gap and a restart will be colder: " + now.why);
  else
    board.cleared("journal");
}

} // namespace sliceferry
