#pragma once
#include "actors/core/leftover.hpp"
#include "actors/core/memory.hpp"
#include "actors/core/work.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/observation.hpp"
#include "messages/outcome.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"
#include "messages/watch_event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

// What the actors of a simulated process send to each other and to the servers: the counterpart of actors/mail.hpp,
// with answers as values in place of bytes.
namespace sliceferry::storm {

enum class server { member, hub };

/// A server's answer after decoding: why it failed, or the object (none after a DELETE that left nothing).
struct reply {
  std::optional<failure> failed;
  std::optional<endpoint_slice> slice;
  std::optional<slice_export> exported;
  std::uint64_t version = 0; ///< of the server when it answered; the program doesn't see it
};

/// A call to a server, as a gateway carries it.
struct request {
  enum class call { write, read, look }; ///< `look` reads the slice of a suspected leftover
  std::uint64_t number = 0;
  std::uint64_t process = 0;
  server to = server::member;
  call what = call::write;
  core::work asked;
  verdict how = verdict::ambiguous; ///< of a read: how the write will have ended
  core::leftover suspect;
};

struct submission {
  core::work asked;
  std::optional<std::uint64_t> replaces;
};
struct take_back_request {
  core::work_id id;
};
struct forget_request {
  core::work_owner owner;
};
struct read_turn_request {
  core::leftover suspect;
};
struct read_due {
  core::work asked;
  verdict how = verdict::ambiguous;
};
struct moment_due {
  tick when{};
};
struct call_ended {
  request asked;
  reply end;
};
using writer_mail =
  std::variant<submission, take_back_request, forget_request, read_turn_request, read_due, moment_due, call_ended>;

struct retire_request {
  std::string slice_uid;
  std::uint64_t seen = 0;
  core::memory held;
};
struct exporter_failed {
  std::string slice_uid;
};
struct read_turn {
  core::leftover suspect;
};
using dispatcher_mail =
  std::variant<watch_batch<endpoint_slice>, watch_batch<service_export>, watch_batch<slice_export>, write_answer,
               retire_request, exporter_failed, read_turn, moment_due, call_ended>;

} // namespace sliceferry::storm
