#pragma once
#include "messages/command.hpp"
#include "messages/outcome.hpp"

#include <cstdint>
#include <optional>
#include <variant>

namespace sliceferry::core {

/// Hand this command to the writer; with `replaces`, in place of that one if it was not sent yet.
struct submit_command {
  std::uint64_t ticket = 0;
  command what;
  std::optional<std::uint64_t> replaces;

  bool operator==(const submit_command&) const = default;
};

/// Ask the writer to forget this command if it was not sent yet.
struct take_back_command {
  std::uint64_t ticket = 0;

  bool operator==(const take_back_command&) const = default;
};

using slot_action = std::variant<submit_command, take_back_command>;

/// Keeps an exporter to one command at a time.
///
/// While a command is out it may be replaced by one for the same object, or taken back; at most one such wish is
/// unanswered. A wish is answered by `superseded` or `taken_back` (it was never sent), or comes too late: then the
/// replacement was dropped by the writer and the outcome follows, before or after the `too_late`. That outcome may be
/// `taken_back`, too: the attempt had failed without effect, and the writer makes no other one of what was wished away.
/// Answers about tickets that are not out are ignored, so a repeated answer does no harm.
class command_slot {
public:
  /// The action that brings what is out nearer to what is wanted; nothing while that can't be or needn't be. `ticket`
  /// is for what it may submit, and must never have been used for this slice, not even by an earlier slot: an answer
  /// may come after the slot that asked is gone.
  std::optional<slot_action> want(const std::optional<command>& wanted, std::uint64_t ticket);

  /// Takes an outcome; returns the command whose end it tells. Nothing when it only answers a wish (the slot may
  /// then be free) or means a ticket that isn't out.
  std::optional<command> take(const outcome& end);

  /// The command that is out, or null.
  const command* out() const { return out_ ? &out_->what : nullptr; }

private:
  struct submitted {
    std::uint64_t ticket = 0;
    command what;
  };

  std::optional<submitted> out_;
  std::optional<submitted> replacement_; ///< asked for, not answered yet
  bool is_taking_back_ = false;          ///< asked for, not answered yet
  bool is_sent_ = false;                 ///< known to have left: nothing but its outcome ends it
};

} // namespace sliceferry::core
