#pragma once
#include "actors/core/explanation.hpp"

#include <chrono>
#include <string>

namespace sliceferry {

// How explanations put things for people.

std::string words_of(core::ruling is);
std::string words_of(core::explained_rule rule);
std::string words_of(core::standing stands);
std::string words_of(core::owner_seen whose);
std::string words_of(core::wish_state is);

/// A command in short, without its content. `name_is_made_up`: the name that it gives hasn't been chosen yet.
std::string said(const command& what, bool name_is_made_up = false);

std::string times(unsigned count);                         ///< `once`, `3 times`
std::string seconds_of(std::chrono::nanoseconds duration); ///< `0.4 s`, `25 s`; rounded up

} // namespace sliceferry
