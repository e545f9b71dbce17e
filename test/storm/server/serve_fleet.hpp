#pragma once
#include "test/storm/server/serve.hpp"

#include <memory>
#include <string>

namespace sliceferry::storm {

/// A hub, its members and the control port, all on one thread.
class serve_fleet {
public:
  /// Listens already; answers once it runs. Owns the history's descriptor unless it was given as a number.
  explicit serve_fleet(const serve_options& options);
  ~serve_fleet();
  serve_fleet(const serve_fleet&) = delete;
  serve_fleet& operator=(const serve_fleet&) = delete;

  /// The ready file's text.
  std::string addresses() const;

  /// Until stopped. False when the history's reader went away.
  bool run();
  void stop(); ///< from any thread
  void stop_at_signals();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry::storm
