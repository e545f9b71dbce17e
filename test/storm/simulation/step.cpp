#include "test/storm/simulation/step.hpp"

namespace sliceferry::storm {

std::string_view name_of(op what) {
  constexpr std::string_view names[ops_count] = {
    "write_slice", "label_slice", "mark_slice", "delete_slice", "recreate_slice", "tamper",   "consent",
    "drop_nspace", "hub_edit",    "hub_delete", "hub_foreign",  "hub_leftover",   "hub_twin", "controller",
    "hub_nspace",  "hear",        "cut",        "expire",       "page",           "catch_up", "serve",
    "execute",     "answer",      "lose",       "ghost",        "busy",           "turn",     "fail",
    "crash",       "pass",        "clock",      "calm"};
  return names[static_cast<int>(what)];
}

std::string to_string(const step& one) {
  return "{op::" + std::string(name_of(one.what)) + ", " + std::to_string(one.a) + ", " + std::to_string(one.b) + "}";
}

} // namespace sliceferry::storm
