"""The planted bugs: each a mistake that someone could make, where the rule that it breaks really lives."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Edit:
    """`old` occurs exactly once in the file, and becomes `new`."""

    file: str
    old: str
    new: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    sentence: str
    edits: tuple
    scenarios: tuple  # each of them must catch it; `kills` is the run of that name
    rules: tuple  # by one of which at least: the oracle's, or "state"
    seed: int = 1


def mutant(name, sentence, *edits, caught_in, by, seed=1):
    return Mutant(name, sentence, tuple(Edit(*edit) for edit in edits), tuple(caught_in.split()), by, seed)


# --- as the acceptance of the simulation asks for

ASKED_FOR = [
    mutant(
        "skip-uid-check",
        "Whatever export a slice names counts as its own, whoever's it is.",
        ("actors/core/keeper.cpp",
         "return seen.mine || created(held, seen.uid);",
         "return true;"),
        caught_in="tamper", by=("foreign", "availability")),
    mutant(
        "drop-synthetic-delete",
        "What a complete list doesn't show is forgotten without a word.",
        ("actors/core/slice_table.cpp",
         "      absent.push_back({rows_->look(at).key, rows_->look(at).uid});\n",
         "      continue;\n"),
        caught_in="reconnect", by=("state", "starved")),
    mutant(
        "take-404-for-empty",
        "A collection that is answered with 404 counts as listed and empty.",
        ("k8s/reflector.cpp",
         "  if (status_ != 0 && status_ != 200)\n",
         """  if (status_ == 404 && !is_watch_) {
    listed_ = true;
    continue_.clear();
    watch_event<T>& done = out.batch.events.emplace_back();
    done.change = watch_change::init_done;
    done.object.resource_version = resource_version_;
    return {};
  }
  if (status_ != 0 && status_ != 200)
"""),
        caught_in="balancer", by=("unwarranted delete", "availability", "repeated create")),
    mutant(
        "repeat-create",
        "A create whose answer didn't come is sent again, without a look.",
        ("actors/core/write_reaction.cpp",
         "  if (why == errc::already_exists)\n",
         "  if (why == errc::ambiguous)\n    return retry;\n  if (why == errc::already_exists)\n"),
        caught_in="lost-answers", by=("repeated create",)),
    mutant(
        "rewrite-on-echo",
        "The resourceVersion that our own annotation moved counts as a difference.",
        ("actors/core/equivalent.cpp",
         "  if (count_resource_version)\n    hash.add(",
         "  hash.add("),
        caught_in="restart-in-sync", by=("needless write",)),
    mutant(
        "act-before-sync",
        "Exporters decide before the lists are complete.",
        ("actors/core/target.cpp",
         "  if (!seen.slices_synced || !seen.consents_synced || !seen.hub_synced)\n"
         "    return {{goal::wait}, target_rule::synced};\n",
         ""),
        caught_in="restart-in-sync", by=("repeated create",)),
    mutant(
        "lose-newest-wins",
        "An answer that comes late replaces what the watch has told since.",
        ("actors/core/newness.cpp",
         "  if (order == version_order::same || order == version_order::older || (other",
         "  if (order == version_order::same || (other"),
        caught_in="slow", by=("state", "starved")),
    mutant(
        "move-since-on-restart",
        "A process believes only its own memory of when a generation was first seen.",
        ("actors/core/decide.cpp",
         "    out.since = told->since;\n",
         ""),
        ("actors/core/exported_since.cpp",
         "return told->since <= now || stepped_back ? told->since : now;",
         "return told->since == held.since ? told->since : now;"),
        caught_in="restart-in-sync", by=("since moved",)),
    mutant(
        "replace-by-put",
        "Exports are changed by a PUT of what we know of them, without the finalizer.",
        ("actors/wire.cpp",
         """make_request(http_method::patch, export_path(hub_nspace, x.name), k8s::merge_patch_type,
                                       k8s::encode_change(*x.target, *x.spec))""",
         """make_request(http_method::put, export_path(hub_nspace, x.name), k8s::json_type, [&] {
                           auto body = k8s::encode_create({hub_nspace, x.name}, *x.spec);
                           const std::string begin = "\\"metadata\\":{";
                           body.insert(body.find(begin) + begin.size(), "\\"uid\\":\\"" + x.target->uid +
                             "\\",\\"resourceVersion\\":\\"" + x.target->resource_version + "\\",");
                           return body;
                         }())"""),
        caught_in="finalizer", by=("export touched",)),
    mutant(
        "starve-the-restless",
        "A new generation is annotated before the last one's export is written.",
        ("actors/core/progress.cpp",
         "  if (!held.apply_owed || !is_named(held, *seen.slice))\n    return false;\n",
         "  return false;\n"),
        caught_in="restless-latency", by=("starved",)),
]

# --- and others

FURTHER = [
    mutant(
        "ignore-limiter",
        "Writes leave without a token.",
        ("actors/core/write_queue.cpp",
         "  if (!bucket_.take(now)) {\n",
         "  if (!bucket_.take(now) && false) {\n"),
        caught_in="restless-crowd", by=("limit",)),
    mutant(
        "clear-foreign-annotations",
        "When a slice's export ends, all of its annotations go.",
        ("k8s/encode.cpp",
         """",\\"annotations\\":{\\"networking.fleet.azure.com/fleet-unique-name\\":null,"
                "\\"networking.fleet.azure.com/last-seen-generation\\":null,"
                "\\"networking.fleet.azure.com/last-seen-timestamp\\":null}}}";""",
         """",\\"annotations\\":null}}";"""),
        caught_in="labels-flapping", by=("member touched",)),
    mutant(
        "ignore-cluster-id",
        "An export counts as ours though its reference names another cluster.",
        ("actors/core/hub_view.cpp",
         "return reference.cluster == who_->cluster ? reference.uid : nobody;",
         "return reference.uid;"),
        caught_in="tamper", by=("foreign",)),
    mutant(
        "withdraw-too-soon",
        "The old export goes before the new one is acknowledged.",
        ("actors/core/progress.cpp",
         "return object && is_live(held, *object) && holds(held, *object, desire(identity, held, *seen.slice).digest);",
         "return true;"),
        ("actors/core/outstanding.cpp",
         "  if (annotated || goes_first)\n",
         """  if (annotated)
    if (auto old = owed_withdrawal(held, seen))
      return old;
  if (annotated || goes_first)
"""),
        caught_in="tamper", by=("unwarranted delete", "availability")),
    mutant(
        "keep-without-consent",
        "An export stays though its ServiceExport was deleted.",
        ("actors/core/target.cpp",
         "return seen.consent_proven ? forbidden(held, seen, proof::gone) : target{goal::wait};",
         "return {goal::wait};"),
        caught_in="labels-flapping", by=("state", "starved")),
    mutant(
        "drop-label-move",
        "A slice that moves to another service isn't found there when that one's consent changes.",
        ("actors/core/record_store.cpp",
         "  move(by_service_, at, before.service, after.service);\n",
         "  move(by_service_, at, before.service, before.service && after.service ? before.service : after.service);\n"),
        caught_in="labels-flapping", by=("state", "starved", "unwarranted delete")),
    mutant(
        "forget-after-error",
        "A write that a server was too busy for isn't queued again.",
        ("actors/core/write_queue_ends.cpp",
         "    requeue(*entry, now);\n  return ends;\n",
         "    end(*entry, now);\n  return ends;\n"),
        caught_in="errors", by=("state", "starved")),
    mutant(
        "export-not-ready",
        "Endpoints that aren't ready are exported too.",
        ("k8s/slice_form.hpp",
         "    if (ready_)\n      object.ready",
         "    if (ready_ || !ready_)\n      object.ready"),
        caught_in="node_loss", by=("state", "starved")),
    mutant(
        "act-before-durable",
        "A command leaves before the decision that it follows from is on the disk.",
        ("actors/slice_exporter.cpp",
         "    act(*step.action, durable_at);\n",
         "    act(*step.action, 0 * durable_at);\n"),
        caught_in="kills", by=("unjournaled",), seed=7),
    mutant(
        "forget-what-was-missed",
        "When the journal's disk is well again, what became of slices meanwhile is not written.",
        ("actors/journal/journal_writer.cpp",
         "    none_left = queue_.take_notes(notes_per_commit, notes);\n",
         "    record_batch lost;\n    none_left = queue_.take_notes(notes_per_commit, lost);\n"),
        caught_in="disk", by=("unjournaled",)),
]

ALL = ASKED_FOR + FURTHER
