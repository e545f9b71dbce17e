#include "actors/journal/replay_report.hpp"

#include "actors/journal/json_line.hpp"
#include "actors/journal/stream_key.hpp"

namespace sliceferry::journal {
namespace {

constexpr std::uint64_t told_max = 1'000; // of each kind

std::string many(std::uint64_t number, const char* what) {
  return std::to_string(number) + ' ' + what + (number == 1 ? "" : "s");
}

std::string name_of(const stream_id& whose) {
  return "member " + whose.member + ", uid " + whose.slice_uid;
}

/// Of a hashed key nothing can be said.
stream_id stream_or_blank(std::string_view key) {
  return stream_of(key).value_or(stream_id{});
}

} // namespace

void replay_report::add(const disagreement& found) {
  if (++disagreements_ > told_max)
    return;
  const stream_id whose = stream_or_blank(found.stream_key);
  if (json_) {
    json_line line;
    line.add("disagreement", found.about).add("member", whose.member).add("uid", whose.slice_uid);
    line.add("namespace", found.slice.nspace).add("name", found.slice.name).add("position", found.position);
    told_ += line.add("fields", found.fields).text();
    return;
  }
  told_ += to_string(found.slice) + " of " + name_of(whose) + ", at record " + std::to_string(found.position) + ": " +
           found.about + '\n';
  for (const auto& field : found.fields)
    told_ += "  " + field + '\n';
}

void replay_report::add_fault(std::uint64_t position, const std::string& what) {
  if (++faults_ > told_max)
    return;
  if (json_)
    told_ += json_line{}.add("fault", what).add("position", position).text();
  else
    told_ += what + '\n';
}

void replay_report::add_running(const stream_id& whose, const std::string& what) {
  if (degraded_)
    ++unwritten_;
  if (degraded_ || ++running_ > told_max)
    return;
  if (json_)
    told_ += json_line{}.add("running", what).add("member", whose.member).add("uid", whose.slice_uid).text();
  else
    told_ += name_of(whose) + ": " + what + '\n';
}

void replay_report::add(const fold_counts& part) {
  folds_.streams += part.streams;
  folds_.from_start += part.from_start;
  folds_.from_snapshot += part.from_snapshot;
  folds_.checked_snapshot += part.checked_snapshot;
  folds_.checked_end += part.checked_end;
}

std::string replay_report::text(const journal_outline& seen) const {
  return told_ + (json_ ? counts_as_json(seen) : counts_for_people(seen));
}

std::string replay_report::counts_as_json(const journal_outline& seen) const {
  json_line line;
  line.add("replayed", true).add("first", seen.first).add("last", seen.last).add("records", records_);
  line.add("snapshot_covers", seen.covers).add("snapshot_streams", seen.kept_streams).add("streams", folds_.streams);
  line.add("from_start", folds_.from_start).add("from_snapshot", folds_.from_snapshot);
  line.add("checked_snapshot", folds_.checked_snapshot).add("checked_end", folds_.checked_end);
  line.add("compared_running", compared_).add("disagreements", disagreements_).add("faults", faults_);
  line.add("differing_running", running_).add("unwritten_running", unwritten_);
  if (degraded_)
    line.add("degraded_since", degraded_->since).add("degraded_why", degraded_->why);
  return line.text();
}

std::string replay_report::counts_for_people(const journal_outline& seen) const {
  std::string out = many(records_, "record");
  if (seen.first != 0)
    out += " (" + std::to_string(seen.first) + " to " + std::to_string(seen.last) + ')';
  out += seen.has_snapshot
           ? ", a snapshot of " + many(seen.kept_streams, "stream") + " at record " + std::to_string(seen.covers)
           : ", no snapshot";
  out += "\nfolded " + many(folds_.streams, "stream") + ": " + std::to_string(folds_.from_start) +
         " from the log alone, " + std::to_string(folds_.from_snapshot) + " from the snapshot\n";
  out += "compared " + std::to_string(folds_.checked_snapshot) + " with the snapshot, " +
         std::to_string(folds_.checked_end) + " with what a restart makes of it";
  if (compared_ > 0)
    out += ", " + std::to_string(compared_) + " with the running program";
  return out + '\n' + verdict();
}

std::string replay_report::verdict() const {
  std::string out;
  if (degraded_)
    out = "the running program's journal is degraded since " + degraded_->since + ": " + degraded_->why + "; " +
          many(unwritten_, "stream") + " that it remembers otherwise, to be written when the disk is back\n";
  if (differs())
    return out + many(disagreements_, "disagreement") + ", " + many(faults_, "fault") + ", " +
           many(running_, "difference") + " from the running program\n";
  return out + (unwritten_ > 0 ? "all else agrees\n" : "all agree\n");
}

} // namespace sliceferry::journal
