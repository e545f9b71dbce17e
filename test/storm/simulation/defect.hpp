#pragma once
#include <string_view>

namespace sliceferry::storm {

/// A bug planted into the wiring of a simulated process, to prove that the checks find it.
enum class defect {
  none,
  spares_absent,      ///< a relist concludes no absence: the synthetic deletes are dropped
  empties_expired,    ///< a list that expired is taken for an empty one
  lists_before_init,  ///< the list was asked for before its beginning was told: answers in between get lost
  repeats_lost_write, ///< a write whose answer was lost is sent again without a read
  acts_before_sync,   ///< inputs count as synced from the start
  forgets_outcome,    ///< how a write ended isn't passed on where its answer was lost
  forgets_superseded, ///< that a command gave way isn't passed on
  rewrites_on_echo,   ///< what is right already is written again when it is heard of
  retires_unheard,    ///< an exporter ends though news is on its way to it
  deletes_by_name,    ///< a DELETE carries no UID
  replaces_whole,     ///< a change is a PUT and strips the finalizer of others
  skips_queue,        ///< each command is sent at once
  ignores_take_back,  ///< what is taken back is sent all the same
  leaves_dead,        ///< an exporter that failed isn't started again
  moves_since,        ///< after a restart the time of first sight is forgotten
  drops_failed_reads, ///< a failed read about a leftover isn't tried again
  ignores_limits,     ///< the writers take the default limits whatever the settings say
};

inline constexpr int defects_count = static_cast<int>(defect::ignores_limits) + 1;

std::string_view name_of(defect planted);

} // namespace sliceferry::storm
