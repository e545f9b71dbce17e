#include "actors/journal/stream_chunks.hpp"

#include <thread>

namespace sliceferry::journal {
namespace {

constexpr std::size_t streams_per_chunk = 500;
constexpr std::size_t chunks_ahead_max = 4;

} // namespace

stream_chunks::stream_chunks(std::shared_ptr<const journal_store> store, std::uint64_t through,
                             std::function<void()> ready)
  : through_(through) {
  std::thread([store = std::move(store), through, to = desk_, ready = std::move(ready)] {
    read(store, through, to, ready);
  }).detach();
}

stream_chunks::~stream_chunks() {
  const std::lock_guard lock(desk_->mutex);
  desk_->unwanted = true;
  desk_->changed.notify_all();
}

void stream_chunks::read(const std::shared_ptr<const journal_store>& store, std::uint64_t through,
                         const std::shared_ptr<desk>& to, const std::function<void()>& ready) {
  stream_scan scan(*store, through);
  while (!scan.is_done()) {
    stream_chunk chunk;
    std::string wrong = scan.next(streams_per_chunk, [&](std::string_view key, std::string_view memory) {
      chunk.streams.emplace_back(key, memory);
    });
    chunk.last = scan.is_done();
    std::unique_lock lock(to->mutex);
    to->changed.wait(lock, [&] { return to->unwanted || to->ready.size() < chunks_ahead_max; });
    if (to->unwanted)
      return;
    if (wrong.empty())
      to->ready.push_back(std::move(chunk));
    to->failure = wrong;
    // Under the lock, so that nobody is called who has said that it is unwanted.
    ready();
    if (!wrong.empty())
      return;
  }
}

const stream_chunk* stream_chunks::peek() const {
  const std::lock_guard lock(desk_->mutex);
  return desk_->ready.empty() ? nullptr : &desk_->ready.front();
}

void stream_chunks::pop() {
  const std::lock_guard lock(desk_->mutex);
  desk_->ready.pop_front();
  desk_->changed.notify_all();
}

std::string stream_chunks::failure() const {
  const std::lock_guard lock(desk_->mutex);
  return desk_->failure;
}

} // namespace sliceferry::journal
