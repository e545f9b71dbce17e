#include "actors/core/command_slot.hpp"

#include "messages/overloaded.hpp"

#include <utility>

namespace sliceferry::core {
namespace {

/// True if both write to the same object, so that the writer can exchange one for the other.
bool same_object(const command& left, const command& right) {
  // The slice of an exporter is always the same one, and so all its member writes share one key.
  if (is_member_write(left) || is_member_write(right))
    return is_member_write(left) == is_member_write(right);
  const auto export_of = [](const command& what) {
    return std::visit(overloaded{
                        [](const annotate_slice& x) { return x.name; },
                        [](const clear_annotations&) { return std::string{}; },
                        [](const apply_export& x) { return x.name; },
                        [](const withdraw_export& x) { return x.name; },
                      },
                      what);
  };
  return export_of(left) == export_of(right);
}

} // namespace

std::optional<slot_action> command_slot::want(const std::optional<command>& wanted, std::uint64_t ticket) {
  if (!out_) {
    if (!wanted)
      return std::nullopt;
    out_ = submitted{ticket, *wanted};
    return submit_command{out_->ticket, *wanted, std::nullopt};
  }
  if (replacement_ || is_taking_back_ || is_sent_ || (wanted && *wanted == out_->what))
    return std::nullopt;
  if (wanted && same_object(*wanted, out_->what)) {
    replacement_ = submitted{ticket, *wanted};
    return submit_command{replacement_->ticket, *wanted, out_->ticket};
  }
  is_taking_back_ = true;
  return take_back_command{out_->ticket};
}

std::optional<command> command_slot::take(const outcome& end) {
  if (!out_)
    return std::nullopt;
  const bool is_about_out = end.ticket == out_->ticket;
  const bool is_about_replacement = replacement_ && end.ticket == replacement_->ticket;
  if (end.how == verdict::too_late && (is_about_out || is_about_replacement)) {
    replacement_.reset();
    is_taking_back_ = false;
    is_sent_ = true;
    return std::nullopt;
  }
  if (!is_about_out)
    return std::nullopt;
  auto ended = std::exchange(out_, std::nullopt);
  auto replacement = std::exchange(replacement_, std::nullopt);
  is_taking_back_ = is_sent_ = false;
  if (end.how == verdict::superseded)
    out_ = std::move(replacement);
  if (end.how == verdict::superseded || end.how == verdict::taken_back)
    return std::nullopt;
  return std::move(ended->what);
}

} // namespace sliceferry::core
