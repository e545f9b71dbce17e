#include "actors/journal/journal_store.hpp"

#include "actors/journal/record_codec.hpp"

#include <algorithm>
#include <mutex>

namespace sliceferry::journal {

using lmdb::failure;
using kind = lmdb::transaction::kind;

failure journal_store::open(std::uint64_t reserve) {
  const std::unique_lock alone(use_);
  if (failure why = environment_.open(how_.path, {.sync = !how_.relaxed, .map_bytes = how_.map_bytes + reserve}))
    return why;
  if (failure why = prepare()) {
    writing_.abort();
    environment_.close();
    return why;
  }
  return {};
}

/// Makes what a new file needs and finds where an old one ends.
failure journal_store::prepare() {
  if (failure why = writing_.begin(environment_, kind::write))
    return why;
  for (const auto& [name, part] : {std::pair{layout::meta, &parts_.meta},
                                   {layout::log, &parts_.log},
                                   {layout::snapshots[0], &parts_.snapshots[0]},
                                   {layout::snapshots[1], &parts_.snapshots[1]}})
    if (failure why = writing_.open(name, *part))
      return why;
  failure wrong;
  if (!writing_.get(parts_.meta, layout::format_key, &wrong)) {
    if (wrong)
      return wrong;
    if (failure why = writing_.put(parts_.meta, layout::format_key, layout::format_value(layout::version)))
      return why;
  }
  if (failure why = measure(writing_, figures_))
    return why;
  return writing_.commit();
}

failure journal_store::measure(lmdb::transaction& in, store_figures& out) const {
  out = {};
  failure wrong;
  if (const auto found = in.get(parts_.meta, layout::snapshot_key, &wrong))
    out.snapshot = layout::snapshot_of(*found);
  if (const auto found = in.get(parts_.meta, layout::start_key, &wrong))
    out.first = std::max<std::uint64_t>(layout::start_of(*found).value_or(1), 1);
  if (wrong)
    return wrong;
  lmdb::cursor log;
  if (failure why = log.open(in, parts_.log))
    return why;
  out.last = std::max(out.covered(), out.first - 1);
  out.first = out.last + 1;
  if (log.last())
    out.last = layout::position_of(log.key()).value_or(out.last);
  if (log.first())
    out.first = layout::position_of(log.key()).value_or(out.first);
  const auto size = [&](lmdb::database which) { return in.extent_of(which); };
  out.log_bytes = size(parts_.log).bytes;
  out.snapshot_streams = out.snapshot ? size(parts_.snapshots[out.snapshot->which]).entries : 0;
  out.spare_streams = size(parts_.snapshots[out.spare()]).entries;
  for (const lmdb::database each : {lmdb::transaction::free_pages, lmdb::transaction::root, parts_.meta, parts_.log,
                                    parts_.snapshots[0], parts_.snapshots[1]})
    out.bytes_used += size(each).bytes;
  return log.why();
}

void journal_store::close() {
  writing_.abort();
  const std::unique_lock alone(use_);
  environment_.close();
}

failure journal_store::begin() {
  next_ = figures_;
  return writing_.begin(environment_, kind::write);
}

failure journal_store::append(const record_batch& records) {
  std::size_t from = 0;
  for (const std::size_t end : records.ends) {
    const auto key = layout::key_of(++next_.last);
    if (failure why =
          writing_.append(parts_.log, layout::view(key), std::string_view(records.bytes).substr(from, end - from)))
      return why;
    from = end;
  }
  return {};
}

failure journal_store::keep(std::string_view key, std::string_view memory) {
  return writing_.append(parts_.snapshots[next_.spare()], key, memory);
}

failure journal_store::flip(std::uint64_t covers) {
  next_.snapshot = layout::snapshot_mark{next_.spare(), covers};
  return writing_.put(parts_.meta, layout::snapshot_key, layout::snapshot_value(*next_.snapshot));
}

failure journal_store::empty_spare(std::size_t count) {
  lmdb::cursor at;
  if (failure why = at.open(writing_, parts_.snapshots[next_.spare()]))
    return why;
  for (; count > 0 && at.first(); --count)
    if (failure why = at.erase())
      return why;
  return at.why();
}

failure journal_store::trim(std::size_t count) {
  lmdb::cursor at;
  if (failure why = at.open(writing_, parts_.log))
    return why;
  for (; count > 0 && next_.first <= next_.covered() && at.first(); --count) {
    if (failure why = at.erase())
      return why;
    ++next_.first;
  }
  if (at.why())
    return at.why();
  return writing_.put(parts_.meta, layout::start_key, layout::start_value(next_.first));
}

failure journal_store::cut(std::uint64_t first_bad, std::size_t count, std::string& removed) {
  lmdb::cursor at;
  if (failure why = at.open(writing_, parts_.log))
    return why;
  for (; count > 0 && at.last() && next_.last >= first_bad; --count) {
    const auto size = static_cast<std::uint32_t>(at.value().size());
    removed.append(at.key());
    removed.append(reinterpret_cast<const char*>(&size), sizeof size);
    removed.append(at.value());
    if (failure why = at.erase())
      return why;
    --next_.last;
  }
  return at.why();
}

failure journal_store::commit() {
  // What the pages amount to is known before they are written.
  store_figures after;
  if (failure why = measure(writing_, after))
    return why;
  if (failure why = writing_.commit())
    return why;
  figures_ = after;
  return {};
}

void journal_store::abandon() {
  writing_.abort();
}

std::optional<moment> journal_store::oldest() {
  lmdb::transaction reading;
  lmdb::cursor log;
  if (reading.begin(environment_, kind::read) || log.open(reading, parts_.log) || !log.first())
    return std::nullopt;
  const auto record = decode_record(layout::position_of(log.key()).value_or(0), log.value());
  return record ? std::optional{record->at} : std::nullopt;
}

} // namespace sliceferry::journal
