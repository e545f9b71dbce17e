#include "actors/journal/journal_record.hpp"

#include "actors/core/evolve.hpp"
#include "messages/overloaded.hpp"

#include <utility>

namespace sliceferry::journal {

core::memory fold(core::memory before, const journal_record& next) {
  return std::visit(overloaded{
                      [&](const event& told) { return core::evolve(std::move(before), told); },
                      [&](const remembered& whole) { return whole.held; },
                      [&](const interruption&) { return std::move(before); },
                    },
                    next.what);
}

} // namespace sliceferry::journal
