#include "actors/journal/stream_folds.hpp"

#include "actors/journal/memory_difference.hpp"

#include <iterator>
#include <utility>
#include <variant>

namespace sliceferry::journal {

stream_folds::stream_folds(std::optional<std::uint64_t> covers, std::string from_key, std::size_t streams_max)
  : covers_(covers), from_key_(std::move(from_key)), streams_max_(streams_max) {}

bool stream_folds::takes(std::string_view key) const {
  return key >= from_key_ && (!end_key_ || key < *end_key_);
}

/// Makes room by giving up the highest key; null if that is this one.
stream_folds::stream* stream_folds::find(std::string_view key) {
  if (!takes(key))
    return nullptr;
  if (const auto known = streams_.find(key); known != streams_.end())
    return &known->second;
  if (streams_.size() >= streams_max_) {
    const auto highest = std::prev(streams_.end());
    if (key > highest->first) {
      end_key_ = std::string{key};
      return nullptr;
    }
    end_key_ = highest->first;
    streams_.erase(highest);
  }
  auto& made = streams_[std::string{key}];
  made.crossed = !covers_; // without a snapshot, a restart begins with the log
  return &made;
}

void stream_folds::keep(std::string_view key, kept_memory kept) {
  stream* const which = find(key);
  if (which == nullptr)
    return;
  which->slice = kept.slice;
  which->kept = std::move(kept);
}

void stream_folds::add(std::string_view key, const journal_record& next) {
  stream* const which = find(key);
  if (which == nullptr)
    return;
  if (!which->crossed && next.position > *covers_)
    cross(key, *which);
  if (which->log || std::holds_alternative<remembered>(next.what))
    which->log = fold(std::move(which->log).value_or(core::memory{}), next);
  if (which->crossed)
    which->restart = fold(std::move(which->restart), next);
  which->position = next.position;
  which->slice = next.slice;
}

void stream_folds::complain(std::string_view key, stream& which, std::string about, const core::memory& is,
                            const core::memory& should_be) {
  if (!which.wrong) // what follows from the first isn't worth telling
    which.wrong =
      disagreement{std::string{key}, which.slice, which.position, std::move(about), differences(is, should_be)};
}

void stream_folds::cross(std::string_view key, stream& which) {
  which.crossed = true;
  if (which.kept)
    which.restart = which.kept->held;
  if (which.kept && which.position != 0 && which.kept->covers != which.position)
    complain(key, which,
             "the snapshot has folded record " + std::to_string(which.kept->covers) +
               " last, and this is the stream's newest of those that the snapshot covers",
             which.restart, which.log.value_or(which.restart));
  if (!which.log)
    return;
  which.checked = true;
  const bool left_out = !which.kept && (core::ended(*which.log) || *which.log == core::memory{});
  if (!left_out && which.restart != *which.log)
    complain(key, which,
             which.kept ? "the snapshot's memory isn't what the events make" : "the snapshot lacks this stream",
             which.restart, *which.log);
}

fold_counts stream_folds::finish(const outcome& last) {
  for (auto& [key, which] : streams_) {
    if (!which.crossed)
      cross(key, which);
    ++counts_.streams;
    counts_.from_start += which.log ? 1 : 0;
    counts_.from_snapshot += which.kept ? 1 : 0;
    counts_.checked_snapshot += which.checked ? 1 : 0;
    if (which.log && which.position > covers_.value_or(0)) {
      ++counts_.checked_end;
      if (which.restart != *which.log)
        complain(key, which, "a restart would remember something else than the events make", which.restart, *which.log);
    }
    if (last)
      last(key, which.restart);
    if (which.wrong)
      found_.push_back(std::move(*which.wrong));
  }
  streams_.clear();
  return counts_;
}

} // namespace sliceferry::journal
