#pragma once
#include "messages/command.hpp"
#include "messages/event.hpp"
#include "messages/outcome.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry {

/// How many slices of one member are in which state; each slice counts in exactly one.
struct export_counts {
  std::size_t exported = 0;    ///< the hub holds what it should
  std::size_t owed = 0;        ///< an export is to be created or changed, or its annotations to be written
  std::size_t withdrawing = 0; ///< an export is to be deleted, or its annotations to be cleared
  std::size_t refused = 0;     ///< a server refused its last command for good reasons
  std::size_t ignored = 0;     ///< nothing is to be exported and nothing is there

  bool operator==(const export_counts&) const = default;
};

/// A writer's queue as it now is.
struct queue_figures {
  std::size_t depth = 0; ///< commands that wait, without the ones in flight and the parked
  std::size_t in_flight = 0;
  std::size_t parked = 0;            ///< wait for their content to change, or for a slow retry
  std::chrono::nanoseconds oldest{}; ///< how long the oldest waiting command has waited; 0 when none does

  bool operator==(const queue_figures&) const = default;
};

/// A figure that is looked up when it is shown.
struct sampled_figure {
  const char* name;
  const char* help;
  bool is_counter = false; ///< it only rises while the process lives
  double value = 0;
};

/// The figures that `/metrics` shows. Every method may be called from any thread and costs about a
/// hash look-up; nothing is sampled and nothing is lost. Label values: `server` is `hub` or a
/// member's name, `writer` the same, `collection` a plural resource such as `endpointslices`.
///
/// Series appear with their first value; each one lives as long as the process, so label values
/// must come from a small set (no namespaces, no names of slices, no texts of errors).
class metrics {
public:
  /// `version` is shown by `sliceferry_build_info`.
  explicit metrics(std::string_view version);
  ~metrics();
  metrics(const metrics&) = delete;
  metrics& operator=(const metrics&) = delete;

  /// Replaces a member's counts of slices by state.
  void exports(std::string_view member, const export_counts& now);
  /// Replaces a member's counts of exporters: actors that run and slices at rest; and of these, how many something is
  /// owed for, which wait for a place among those that run.
  void exporters(std::string_view member, std::size_t awake, std::size_t dormant, std::size_t waiting);
  /// How a member's guard stands: whether it is tripped and how many withdrawals it holds back.
  void guard(std::string_view member, bool tripped, std::size_t held);
  /// Whether somebody else keeps undoing the member's exports.
  void contested(std::string_view member, bool is);
  /// One change of a member's object was acknowledged by the hub so long after its news had reached this process.
  void propagated(std::chrono::nanoseconds took);

  /// A fact was decided, a command sent, a command ended.
  void told(const event& fact);
  void commanded(const command& what);
  void ended(std::string_view command_name, verdict how);
  /// A server refused a write; `why` is quota, forbidden, or anything else, which counts as invalid.
  void refused(std::string_view server, errc why);

  /// Replaces a writer's figures.
  void queue(std::string_view writer, const queue_figures& now);
  /// Requests waited for the limiter of a writer: how many more, and how long in all.
  void limiter_waited(std::string_view writer, std::size_t count, std::chrono::nanoseconds in_all);

  /// A request ended. `status` is the HTTP status, 0 when no answer came (label code `none`).
  void request_done(std::string_view server, std::string_view verb, unsigned status, std::chrono::nanoseconds took);
  /// A watch ended and begins anew; `reason` such as `to_string(errc)`, `idle` or `end`.
  void watch_restarted(std::string_view member, std::string_view collection, std::string_view reason);
  /// So many more objects could not be decoded and were dropped.
  void malformed(std::string_view collection, std::size_t count);

  /// Has these looked up at each scrape, on whatever thread. At most once, before the first scrape; `source` must not
  /// outlive what it looks at.
  void sample(std::function<std::vector<sampled_figure>()> source);

  /// Everything, and the process's own figures as of now, in the text exposition format 0.0.4.
  std::string text() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry
