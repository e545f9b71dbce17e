#include "actors/explanation_words.hpp"

#include "messages/overloaded.hpp"

#include <algorithm>

namespace sliceferry {

std::string words_of(core::ruling is) {
  return is == core::ruling::not_reached ? "-" : std::string{to_string(is)};
}

std::string words_of(core::explained_rule rule) {
  switch (rule) {
    case core::explained_rule::leaving:
      return "the member stays in the fleet";
    case core::explained_rule::synced:
      return "its inputs are synced";
    case core::explained_rule::presence:
      return "the slice is there";
    case core::explained_rule::imported:
      return "it is no import";
    case core::explained_rule::address_type:
      return "its address type is exported";
    case core::explained_rule::service:
      return "it belongs to a Service";
    case core::explained_rule::deleting:
      return "it isn't being deleted";
    case core::explained_rule::consent:
      return "its ServiceExport grants";
    case core::explained_rule::leave:
      return "the guard gives leave";
  }
  return "?";
}

std::string words_of(core::standing stands) {
  auto out = std::string{to_string(stands)};
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string words_of(core::owner_seen whose) {
  auto out = std::string{to_string(whose)};
  std::ranges::replace(out, '_', ' ');
  return out;
}

std::string words_of(core::wish_state is) {
  switch (is) {
    case core::wish_state::in_flight:
      return "sent, awaiting the answer";
    case core::wish_state::waiting:
      return "waiting for its turn";
    case core::wish_state::backing_off:
      return "backing off";
    case core::wish_state::parked:
      return "parked, since its server refuses this content";
    case core::wish_state::delayed:
      return "delayed, since something fights us over it";
    case core::wish_state::behind_server:
      return "waiting for its server, which is away";
    case core::wish_state::behind_namespace:
      return "waiting for its hub namespace, which takes no creates";
    case core::wish_state::throttled:
      return "waiting, since its server asked to slow down";
    case core::wish_state::behind_journal:
      return "waiting for the journal, where what led to it isn't durable yet";
  }
  return "?";
}

std::string said(const command& what, bool name_is_made_up) {
  const auto named = [&](const std::string& name) { return name_is_made_up ? "a new name" : name; };
  return std::visit(
    overloaded{
      [&](const annotate_slice& x) {
        return "annotate " + to_string(x.slice) + " with " + named(x.name) + ", generation " +
               std::to_string(x.generation);
      },
      [&](const clear_annotations& x) { return "remove the annotations of " + to_string(x.slice); },
      [&](const apply_export& x) { return (x.target ? "change export " : "create export ") + named(x.name); },
      [&](const withdraw_export& x) { return "delete export " + x.name + " (" + std::string{to_string(x.why)} + ')'; },
    },
    what);
}

std::string times(unsigned count) {
  return count == 1 ? "once" : std::to_string(count) + " times";
}

std::string seconds_of(std::chrono::nanoseconds duration) {
  const auto tenths = (std::max<std::int64_t>(duration.count(), 0) + 99'999'999) / 100'000'000;
  if (tenths >= 100 || tenths % 10 == 0)
    return std::to_string((tenths + 9) / 10) + " s";
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s";
}

} // namespace sliceferry
