#pragma once
#include "actors/core/command_slot.hpp"
#include "actors/core/member_identity.hpp"
#include "actors/core/memory.hpp"
#include "messages/clock.hpp"
#include "messages/event.hpp"
#include "messages/inputs.hpp"
#include "messages/observation.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::core {

/// The export state machine of one EndpointSlice, whole: memory, inputs and the one command that may be out.
///
/// Each observation replaces the inputs; then the outcome that came with it is judged, then facts are decided until
/// there are none, then the writer is asked for what is owed. While a command is out nothing is decided: what
/// changes meanwhile can only replace it or take it back. Performs no I/O; the actor around it carries out each step.
class exporter {
public:
  /// What follows from one observation, to be carried out in this order.
  struct step {
    std::vector<event> events; ///< already folded; durable before the action leaves
    std::optional<slot_action> action;
    /// The exporter may retire: no command is out, nothing is owed, the slice isn't missing. Of one that is to rest,
    /// only the first of these is true.
    bool settled = false;
  };

  /// `held` is memory as replayed or kept by the member's table; empty for a slice never heard of.
  exporter(std::shared_ptr<const member_identity> identity, std::string slice_uid, memory held);

  /// The observation's number is the ticket of what is submitted: none may come twice for a slice, whoever exports it.
  step observe(const observation& seen, seconds_utc now);

  const memory& held() const { return held_; }
  const std::string& slice_uid() const { return slice_uid_; }
  /// Number of the last observation; 0 before the first.
  std::uint64_t seen() const { return seen_; }
  /// The command that is out, or null.
  const command* out() const { return slot_.out(); }

private:
  void tell(std::vector<event>& told, std::vector<event> events);
  void judge(std::vector<event>& told, const outcome& end);
  void decide_all(std::vector<event>& told, seconds_utc now);
  bool is_member_silent() const;
  std::optional<command> aim(std::optional<command> owed) const;

  std::shared_ptr<const member_identity> identity_;
  std::string slice_uid_;
  memory held_;
  inputs inputs_;
  command_slot slot_;
  std::uint64_t seen_ = 0;
  /// The slice's resourceVersion when a member write, or the read after one, found it missing or replaced: no more such
  /// writes before it is seen with another one.
  std::optional<std::string> missing_at_;
};

} // namespace sliceferry::core
