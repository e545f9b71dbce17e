#pragma once
#include "test/storm/weather/fault.hpp"
#include "test/storm/weather/storm_plan.hpp"

#include <string>
#include <vector>

namespace sliceferry::storm {

/// All that is wrong with the options of a run, each a sentence for its user; empty where it can start.
std::vector<std::string> complaints(const plan_options& plan);
std::vector<std::string> complaints(const weather_options& weather);
std::vector<std::string> complaints(const plan_options& plan, const weather_options& weather);

} // namespace sliceferry::storm
