#pragma once
#include "messages/command.hpp"
#include "messages/failure.hpp"
#include "messages/outcome.hpp"

namespace sliceferry::core {

/// What a writer does about a failed write.
enum class write_step {
  answer, ///< the end is known: tell the exporter `how`
  read,   ///< only the object can tell: read it, then answer `how` with what was read
  retry,  ///< nothing was done and time may heal it: keep the command, back off
  refuse, ///< answer `refused` and park this content for its key
};

struct write_reaction {
  write_step step = write_step::retry;
  verdict how = verdict::refused; ///< for `answer` and `read`

  bool operator==(const write_reaction&) const = default;
};

/// The writers' one table: command × failure → reaction. Whose an object is, it never asks.
write_reaction react(const command& what, errc why);

} // namespace sliceferry::core
