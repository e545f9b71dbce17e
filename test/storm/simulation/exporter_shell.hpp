#pragma once
#include "actors/core/exporter.hpp"
#include "messages/observation.hpp"

#include <string>

namespace sliceferry::storm {

class process;

/// Mirrors actors/slice_exporter.cpp, without its log, figures and journal (whose port lets everything leave at once).
class exporter_shell {
public:
  exporter_shell(process& whole, const std::string& slice_uid, core::memory held);

  void absorb(const observation& seen);
  const std::string& slice_uid() const { return machine_.slice_uid(); }

private:
  void act(const core::slot_action& action);
  void rewrite(const observation& seen);

  process& whole_;
  core::exporter machine_;
};

} // namespace sliceferry::storm
