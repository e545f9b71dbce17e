#pragma once
#include "actors/admin/admin_server.hpp"
#include "actors/core/explanation.hpp"
#include "actors/slice_question.hpp"

#include <string>
#include <vector>

namespace sliceferry {

// Explanations for people and for programs. Pure; nothing in them is secret, and what others wrote (names, annotations,
// messages of servers) can't do anything to a terminal.

/// Who says what an explanation says. The clusters alone can't tell what is remembered, queued, held or ordered.
enum class answerer { running_program, clusters_alone };

/// For people, the reason first.
std::string to_text(const core::explanation& told);

/// One JSON object on one line. Fields, of which those without a value are left out:
/// `namespace`, `name`, `member`, `uid`;
/// `status`: undecided, not_exported, exported, exporting, withdrawing, held; `conclusion`: the same as a sentence;
/// `decided_by`: the rule that decided; `proof`: why it may be withdrawn;
/// `rules`: each with `rule`, `verdict` (passes, fails, unknown, not_reached), `evidence`; in the order of judgement;
/// `export_name`, `name_rule`, `name_evidence`: where it ought to be exported; the name is missing where a new one is
/// due; `generation`, `exported_since`, `since_evidence`: the same; `owed`: the next command (annotate, apply,
/// withdraw, clear; unknown where the clusters alone show no need for one), `owed_text`; `exports`: each with `name`,
/// `uid`, `resource_version`, `generation`, `exported_since`, `owner` (this_slice, another_slice, foreign),
/// `terminating`, `equivalent`; from a running program: `awake`, `out` and `out_text` (the command that is on its way),
/// `undone`, and `work`: each with `writer` (member, hub), `command`, `text`, `state` (in_flight, waiting, backing_off,
/// parked, delayed, behind_server, behind_namespace, throttled, behind_journal), `only_reads`, `failures` (in a row),
/// `age_ms`, `next_try_ms`, `last_error`.
std::string to_json(const core::explanation& told);

/// What members tell of one name, as a page. 200 if any knows it, else 404 with what was looked at, or 503
/// if one couldn't say. `silent`: the members that gave no answer.
/// JSON: `answered_by` ("the running program", "the clusters alone"), `namespace`, `name`, `found` (explanations),
/// `members` (each with `member`, `slices`, `slices_synced`, `exports_synced`, `near`), `silent`.
admin_answer report(const object_key& slice, const std::vector<member_told>& told,
                    const std::vector<std::string>& silent, bool as_json, answerer by = answerer::running_program);

} // namespace sliceferry
