#pragma once
// What actors send to each other. None of it ever leaves the process, so none is serialised;
// payloads travel shared and immutable.
#include "actors/admin/control_desk.hpp"
#include "actors/caf_seam.hpp"
#include "actors/core/memory.hpp"
#include "actors/core/queue_tale.hpp"
#include "actors/core/stalled_work.hpp"
#include "actors/core/work.hpp"
#include "actors/journal/journal.hpp"
#include "actors/memory_desk.hpp"
#include "actors/slice_question.hpp"
#include "k8s/http_client.hpp"
#include "messages/command.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/observation.hpp"
#include "messages/outcome.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"
#include "messages/watch_event.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry {

/// One read of a member's slices, its ServiceExports, or a hub namespace's exports. Dropping the
/// last copy gives the reader back the credit that the batch took.
struct slices_read {
  std::shared_ptr<const watch_batch<endpoint_slice>> batch;
};
struct consents_read {
  std::shared_ptr<const watch_batch<service_export>> batch;
};
struct exports_read {
  std::string hub_nspace;
  std::shared_ptr<const watch_batch<slice_export>> batch;
};

/// An exporter asks a writer to carry out a command, in place of an earlier one if that is still queued.
struct submission {
  std::string member;
  std::string slice_uid;
  std::uint64_t ticket = 0;
  std::optional<std::uint64_t> replaces;
  command what;
  caf::actor answer_to;         ///< the member's dispatcher
  std::uint64_t durable_at = 0; ///< not to be sent before the journal is durable up to here; 0: nothing waits
};

/// What the journal kept of slices of a member, from before this process.
struct memories_recalled {
  std::vector<journal::recovered_stream> streams;
};

/// The journal is durable as far as a writer asked to be told of.
struct journal_moved {};

/// An exporter no longer wants a command that may still be queued.
struct take_back_request {
  std::string member;
  std::string slice_uid;
  std::uint64_t ticket = 0;
  caf::actor answer_to;
};

/// A slice's exporter is no more; what it asked for must not be sent.
struct forget_request {
  std::string member;
  std::string slice_uid;
};

/// A dispatcher asks its member's writer for the token of a read of its own; as `read_turn` its number comes back once
/// the limiter allows the read.
struct read_turn_request {
  std::uint64_t number = 0;
  caf::actor answer_to;
};
struct read_turn {
  std::uint64_t number = 0;
};

/// A writer reminds itself of a read that had to wait for its token.
struct read_due {
  core::work asked;
  verdict how = verdict::ambiguous;
};

/// A settled exporter, or one that was told to rest, asks to be put to sleep; refused if anything was sent to it after
/// `seen`.
struct retire_request {
  std::string slice_uid;
  std::uint64_t seen = 0;
  core::memory held;
  std::uint64_t decided_at = 0; ///< where in the journal its last decision is
};

/// An exporter ended by an exception; its memory is lost and is adopted anew from the clusters.
struct exporter_failed {
  std::string slice_uid;
  std::string what;
};

/// One HTTP call through a gateway, and its end.
struct http_call {
  k8s::http_request request;
};
struct http_reply {
  k8s::result<k8s::http_response> end;
};

/// The I/O thread's completion of call number `id`.
struct call_ended {
  std::uint64_t id = 0;
  k8s::result<k8s::http_response> end;
};

/// An operator tells a member's dispatcher something.
struct order_given {
  operator_order what = operator_order::allow;
};

/// Somebody asks a member's dispatcher about a slice.
struct question_put {
  std::shared_ptr<const slice_question> what;
};

/// Somebody asks it what its slices remember; and it reminds itself that the answer isn't whole yet.
struct memories_put {
  std::shared_ptr<const memories_question> what;
};
struct memories_due {
  std::shared_ptr<const memories_question> what;
  std::shared_ptr<std::vector<std::string>> left; ///< UIDs
  std::shared_ptr<std::string> lines;
};

/// What an exporter remembers, and the command that it has out.
struct progress_request {};
struct progress_reply {
  core::memory held;
  std::optional<command> out;
};

/// How the wishes of a slice stand in a writer.
struct tale_request {
  core::work_owner whose;
};
struct tale_reply {
  core::queue_tale tale;
};

/// A moment that an actor had asked to be reminded of.
struct moment_due {
  tick when{};
};

/// Whether a writer has nothing of a member's waiting or in flight.
struct idle_request {
  std::string member;
};
struct idle_reply {
  bool is = false;
};

/// What of a member's works can't leave its writer now, asked when exporters that could get on wait for a place.
struct stalled_request {
  std::string member;
  std::size_t at_most = 0;
};
struct stalled_reply {
  std::vector<core::stalled_work> works;
};

/// Stop starting new writes; answer once those in flight have ended.
struct drain_request {};
struct drained {};

/// Something that must live has died.
struct part_died {
  std::string who;
  std::string why;
};

} // namespace sliceferry

CAF_BEGIN_TYPE_ID_BLOCK(sliceferry, caf::first_custom_type_id)
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::slices_read))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::consents_read))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::exports_read))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::observation))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::write_answer))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::submission))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::memories_recalled))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::journal_moved))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::take_back_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::forget_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::read_turn_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::read_turn))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::read_due))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::retire_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::exporter_failed))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::http_call))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::http_reply))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::call_ended))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::moment_due))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::order_given))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::question_put))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::memories_put))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::memories_due))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::progress_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::progress_reply))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::tale_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::tale_reply))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::idle_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::idle_reply))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::stalled_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::stalled_reply))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::drain_request))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::drained))
  CAF_ADD_TYPE_ID(sliceferry, (sliceferry::part_died))
CAF_END_TYPE_ID_BLOCK(sliceferry)

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::slices_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::consents_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::exports_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::observation)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::write_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::submission)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::memories_recalled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::journal_moved)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::take_back_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::forget_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::read_turn_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::read_turn)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::read_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::retire_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::exporter_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::http_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::http_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::call_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::moment_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::order_given)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::question_put)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::memories_put)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::memories_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::progress_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::progress_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::tale_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::tale_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::idle_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::idle_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::stalled_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::stalled_reply)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::drain_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::drained)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sliceferry::part_died)
