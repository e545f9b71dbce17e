#include "actors/core/decision.hpp"

#include "messages/overloaded.hpp"

namespace sliceferry::core {

bool is_decision(const event& told) {
  return std::visit(overloaded{
                      [](const adopted&) { return true; },
                      [](const generation_seen&) { return true; },
                      [](const name_chosen&) { return true; },
                      [](const annotated&) { return false; },
                      [](const export_applied&) { return false; },
                      [](const withdrawal_begun&) { return true; },
                      [](const withdrawal_cancelled&) { return true; },
                      [](const export_withdrawn&) { return false; },
                      [](const annotations_cleared&) { return false; },
                      [](const refused&) { return false; },
                      [](const drift_repaired&) { return false; },
                      [](const contradiction&) { return false; },
                      [](const slice_gone&) { return false; },
                    },
                    told);
}

} // namespace sliceferry::core
