#include "actors/journal/stream_scan.hpp"

#include "actors/journal/memory_codec.hpp"
#include "actors/journal/record_codec.hpp"
#include "actors/journal/stream_key.hpp"

#include <algorithm>

namespace sliceferry::journal {
namespace {

constexpr std::size_t records_per_transaction = 20'000;

/// Keys are longer, but for damaged ones, which sort first.
std::uint64_t head_of(std::string_view key) {
  return layout::position_of(key.substr(0, sizeof(layout::position_key))).value_or(0);
}

} // namespace

stream_scan::stream_scan(const journal_store& store, std::uint64_t through, std::size_t places_max)
  : store_(store), through_(through), places_max_(places_max), generation_(store.generation()) {}

std::string stream_scan::next(std::size_t count, const visitor& visit) {
  if (!searched_)
    if (std::string wrong = find_places(); !wrong.empty())
      return wrong;
  return done_ ? std::string{} : read_on(count, visit);
}

/// Goes over the log once; in several transactions, which between them let the writer close the file.
std::string stream_scan::find_places() {
  places_.clear();
  next_place_ = 0;
  cut_.reset();
  search_at_ = 0;
  while (!searched_) {
    const auto reading = store_.reading();
    lmdb::transaction in;
    lmdb::cursor log;
    if (store_.generation() != generation_ || !store_.environment().is_open())
      return "the journal was closed";
    if (lmdb::failure why = in.begin(store_.environment(), lmdb::transaction::kind::read))
      return why.text();
    if (!began_) {
      began_ = true;
      if (const auto found = in.get(store_.parts().meta, layout::snapshot_key))
        snapshot_ = layout::snapshot_of(*found);
    }
    if (search_at_ == 0)
      search_at_ = (snapshot_ ? snapshot_->covers : 0) + 1;
    if (lmdb::failure why = log.open(in, store_.parts().log))
      return why.text();
    const auto start = layout::key_of(search_at_);
    std::size_t left = records_per_transaction;
    bool more = log.seek(layout::view(start));
    for (; more && left > 0; more = log.next(), --left) {
      const std::uint64_t position = layout::position_of(log.key()).value_or(0);
      search_at_ = position + 1;
      if (position > through_)
        break;
      if (!counted_)
        ++records_;
      if (const std::string_view key = stream_key_in(log.value()); !key.empty())
        add_place({head_of(key), position});
    }
    if (log.why())
      return log.why().text();
    searched_ = !more || search_at_ > through_ + 1;
  }
  counted_ = true;
  std::sort(places_.begin(), places_.end());
  return {};
}

void stream_scan::add_place(const place& found) {
  if (found.head < from_ || (cut_ && found.head >= *cut_))
    return;
  places_.push_back(found);
  if (places_.size() >= 2 * places_max_)
    drop_beyond_cut();
}

/// Keeps those whose keys come first.
void stream_scan::drop_beyond_cut() {
  const auto middle = places_.begin() + static_cast<std::ptrdiff_t>(places_max_);
  std::nth_element(places_.begin(), middle, places_.end());
  const std::uint64_t lowest = std::min_element(places_.begin(), places_.end())->head;
  // Streams are never divided; if one alone is too much, it is borne.
  cut_ = std::max(middle->head, lowest + 1);
  std::erase_if(places_, [this](const place& each) { return each.head >= *cut_; });
}

bool stream_scan::load_tails(lmdb::transaction& in) {
  tails_.clear();
  next_tail_ = 0;
  if (next_place_ == places_.size())
    return false;
  const std::uint64_t head = places_[next_place_].head;
  for (; next_place_ < places_.size() && places_[next_place_].head == head; ++next_place_) {
    const std::uint64_t position = places_[next_place_].position;
    const auto key = layout::key_of(position);
    const auto bytes = in.get(store_.parts().log, layout::view(key));
    if (!bytes) {
      missing_ = position;
      tails_.clear();
      return false;
    }
    const std::string_view stream = stream_key_in(*bytes);
    const auto same = std::find_if(tails_.begin(), tails_.end(), [&](const tail& each) { return each.key == stream; });
    if (same != tails_.end())
      same->records.emplace_back(position, *bytes);
    else
      tails_.push_back({stream, {{position, *bytes}}});
  }
  std::sort(tails_.begin(), tails_.end(), [](const tail& left, const tail& right) { return left.key < right.key; });
  return true;
}

void stream_scan::fold_tail(std::optional<std::string_view> before, const visitor& visit) {
  const tail& stream = tails_[next_tail_++];
  kept_memory kept;
  bool readable = true;
  if (before) {
    auto held = decode_memory(*before);
    readable = held.has_value();
    if (held)
      kept = std::move(*held);
  }
  for (const auto& [position, bytes] : stream.records) {
    const auto record = decode_record(position, bytes);
    if (!record) {
      readable = false;
      continue;
    }
    // Whatever couldn't be read before, this says all.
    readable = readable || std::holds_alternative<remembered>(record->what);
    kept.held = fold(std::move(kept.held), *record);
    kept.slice = record->slice;
    if (is_hashed_key(stream.key))
      kept.whose = record->whose;
    kept.covers = position;
  }
  if (!readable) {
    ++skipped_;
    return;
  }
  if (core::ended(kept.held))
    return;
  encoded_.clear();
  encode_memory(kept, encoded_);
  visit(stream.key, encoded_);
}

std::string stream_scan::read_on(std::size_t count, const visitor& visit) {
  const auto reading = store_.reading();
  if (store_.generation() != generation_ || !store_.environment().is_open())
    return "the journal was closed";
  lmdb::transaction in;
  lmdb::cursor kept;
  if (lmdb::failure why = in.begin(store_.environment(), lmdb::transaction::kind::read))
    return why.text();
  if (lmdb::failure why = kept.open(in, store_.parts().snapshots[snapshot_ ? snapshot_->which : 0]))
    return why.text();
  bool has_kept = snapshot_ && (last_key_.empty() ? kept.first() : kept.seek(last_key_));
  if (has_kept && !last_key_.empty() && kept.key() == last_key_)
    has_kept = kept.next();
  // What was loaded of the log doesn't outlast the transaction.
  for (; count > 0 || next_tail_<tails_.size(); count -= count> 0 ? 1 : 0) {
    const bool has_tail = next_tail_ < tails_.size() || load_tails(in);
    if (missing_ != 0)
      return "record " + std::to_string(missing_) + " is missing";
    // What lies beyond the cut waits until its places are known.
    const bool may_keep = has_kept && (!cut_ || head_of(kept.key()) < *cut_);
    if (!has_tail && !may_keep) {
      done_ = !cut_;
      searched_ = !cut_;
      from_ = cut_.value_or(0);
      break;
    }
    const bool takes_kept = may_keep && (!has_tail || kept.key() <= tails_[next_tail_].key);
    const bool takes_tail = has_tail && (!may_keep || tails_[next_tail_].key <= kept.key());
    if (takes_kept)
      last_key_ = kept.key();
    if (takes_tail)
      fold_tail(takes_kept ? std::optional{kept.value()} : std::nullopt, visit);
    else
      visit(kept.key(), kept.value());
    if (takes_kept)
      has_kept = kept.next();
  }
  return kept.why() ? kept.why().text() : std::string{};
}

} // namespace sliceferry::journal
