#pragma once
#include "actors/admin/metrics.hpp"
#include "actors/journal/journal_options.hpp"
#include "actors/journal/journal_status.hpp"
#include "config/settings.hpp"

#include <cstdint>
#include <vector>

namespace sliceferry {

class readiness;

/// How the settings want the journal kept; what it has to say goes to the log.
journal::journal_options options_of(const journal_settings& chosen, std::uint64_t seed);

/// What `/metrics` shows of it.
std::vector<sampled_figure> figures_of(const journal::journal_status& now);

/// Notes on the board that the journal isn't written, or no more that it isn't. Exports go on either way, so it is
/// never a reason not to be ready.
void show(const journal::journal_status& now, readiness& board);

} // namespace sliceferry
