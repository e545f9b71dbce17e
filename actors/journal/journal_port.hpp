#pragma once
#include "actors/core/memory.hpp"
#include "actors/journal/journal_record.hpp"
#include "messages/event.hpp"
#include "messages/object_key.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>

namespace sliceferry::journal {

/// What one step of a slice's exporter, or of whoever else decides for a slice, adds to its stream.
struct addition {
  const stream_id& whose;
  const object_key& slice;
  std::span<const event> told;
  const core::memory& after; ///< with `told` folded: what is written instead if these events can't be
  bool begins = false;       ///< memory was blank before `told`, whatever the journal holds of this stream
  bool resumes = false; ///< memory was over before `told`: a snapshot may have left it out, so `after` is kept whole
};

/// Where events go before their command leaves. Thread-safe; no call waits for a disk.
///
/// Positions rise. What is at or below `durable()` survives a loss of power, or the journal has given up on it
/// (degraded, or none at all): either way nobody needs to wait for it any more.
class journal_port {
public:
  virtual ~journal_port() = default;

  /// Returns the position of the addition, or 0 if nobody need wait for it.
  virtual std::uint64_t append(const addition& made) = 0;
  virtual std::uint64_t durable() const = 0;
  /// Calls `then` once, on the journal's thread (or at once, on this one) when `durable()` has reached `position`.
  virtual void when_durable(std::uint64_t position, std::function<void()> then) = 0;
};

/// Stands where no data directory is set: nothing is kept and nothing waits. Correctness doesn't depend on a journal,
/// as the clusters are the truth.
class no_journal final : public journal_port {
public:
  std::uint64_t append(const addition&) override { return 0; }
  std::uint64_t durable() const override { return std::numeric_limits<std::uint64_t>::max(); }
  void when_durable(std::uint64_t, std::function<void()> then) override { then(); }
};

} // namespace sliceferry::journal
