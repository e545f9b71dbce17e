#include "test/storm/simulation/api_server.hpp"

#include "messages/overloaded.hpp"
#include "messages/rfc3339.hpp"

#include <array>
#include <chrono>
#include <utility>

namespace sliceferry::storm {
namespace {

reply failed(errc code, unsigned status) {
  reply out;
  out.failed = failure{code, "simulated", {}, status};
  if (status == 429)
    out.failed->retry_after = std::chrono::seconds{1};
  return out;
}

/// What a fate answers to a read, where every failure is one that time heals, and to a write.
std::optional<reply> refusal(const request& asked, fate how) {
  const bool reads = asked.what != request::call::write;
  const auto* applied = std::get_if<apply_export>(&asked.asked.what);
  switch (how) {
    case fate::ok:
      return std::nullopt;
    case fate::unavailable:
      return failed(errc::unavailable, 503);
    case fate::throttled:
      return failed(errc::throttled, 429);
    case fate::broke_before:
    case fate::broke_after:
      return failed(reads ? errc::unavailable : errc::ambiguous, 500);
    case fate::garbled:
      return failed(errc::malformed, 200);
    case fate::conflict:
      return !reads && applied && applied->target ? std::optional{failed(errc::conflict, 409)} : std::nullopt;
    case fate::unauthorized:
      return failed(errc::unauthorized, 401);
    case fate::forbidden:
      return failed(errc::forbidden, 403);
    case fate::invalid:
      return reads ? std::nullopt : std::optional{failed(errc::invalid, 422)};
    case fate::quota:
      return !reads && applied && !applied->target ? std::optional{failed(errc::quota, 403)} : std::nullopt;
  }
  return std::nullopt;
}

} // namespace

fate fate_of(std::uint32_t number) {
  constexpr std::array all{fate::ok,          fate::unavailable, fate::throttled, fate::broke_before,
                           fate::broke_after, fate::garbled,     fate::conflict,  fate::unauthorized,
                           fate::forbidden,   fate::invalid,     fate::quota};
  number %= 2 * static_cast<std::uint32_t>(all.size());
  return number < all.size() ? all[number] : fate::ok;
}

std::string_view name_of(fate what) {
  constexpr std::array<std::string_view, 11> names{"ok",        "503",     "429",      "500 undone",
                                                   "500 done",  "garbled", "conflict", "unauthorized",
                                                   "forbidden", "invalid", "quota"};
  return names[static_cast<std::size_t>(what)];
}

bool api_server::is_done(const request& asked, fate how) {
  return how == fate::broke_after || how == fate::garbled || !refusal(asked, how);
}

reply api_server::serve(const request& asked, fate how) {
  reply out;
  if (is_done(asked, how))
    out = asked.what == request::call::write ? execute(asked) : read(asked);
  if (auto refused = refusal(asked, how); refused && !out.failed)
    out = std::move(*refused);
  out.version = asked.to == server::hub ? truth_.hub_version() : truth_.member_version();
  return out;
}

reply api_server::execute(const request& asked) {
  return std::visit(
    overloaded{
      [&](const annotate_slice& x) {
        return annotate(x.slice, x.uid, {x.name, std::to_string(x.generation), format_rfc3339(x.since)});
      },
      [&](const clear_annotations& x) { return annotate(x.slice, x.uid, {}); },
      [&](const apply_export& x) { return x.target ? change(x) : create(x); },
      [&](const withdraw_export& x) { return remove(x); },
    },
    asked.asked.what);
}

reply api_server::read(const request& asked) const {
  reply out;
  const bool of_slice = asked.what == request::call::look || is_member_write(asked.asked.what);
  const auto key = asked.what == request::call::look ? asked.suspect.slice : core::key_of(asked.asked).object;
  if (of_slice) {
    if (const auto* held = truth_.slices().find(key))
      out.slice = *held;
  } else if (const auto* held = truth_.exports().find({our_nspace, key.name})) {
    out.exported = *held;
  }
  return out.slice || out.exported ? out : failed(errc::missing, 404);
}

reply api_server::annotate(const object_key& key, const std::string& uid, const slice_annotations& ours) {
  const auto* held = truth_.slices().find(key);
  if (held == nullptr)
    return failed(errc::missing, 404);
  if (held->uid != uid)
    return failed(errc::other_uid, 422);
  if (held->ours != ours) { // a patch that changes nothing moves no version
    auto next = *held;
    next.ours = ours;
    truth_.put(next);
  }
  reply out;
  out.slice = *truth_.slices().find(key);
  return out;
}

reply api_server::create(const apply_export& what) {
  if (truth_.hub_nspace == clusters::nspace::gone)
    return failed(errc::namespace_missing, 404);
  if (truth_.hub_nspace == clusters::nspace::terminating)
    return failed(errc::namespace_terminating, 403);
  const object_key key{our_nspace, what.name};
  if (truth_.exports().find(key) != nullptr)
    return failed(errc::already_exists, 409);
  slice_export made;
  made.key = key;
  made.uid = truth_.fresh_uid('h');
  made.created = truth_.now;
  made.spec = *what.spec;
  truth_.put(made);
  reply out;
  out.exported = *truth_.exports().find(key);
  return out;
}

reply api_server::change(const apply_export& what) {
  const object_key key{our_nspace, what.name};
  const auto* held = truth_.exports().find(key);
  if (held == nullptr)
    return failed(errc::missing, 404);
  if (held->resource_version != what.target->resource_version)
    return failed(errc::conflict, 409);
  if (held->uid != what.target->uid)
    return failed(errc::other_uid, 422);
  if (held->spec != *what.spec) {
    auto next = *held;
    next.spec = *what.spec;
    truth_.put(next);
  }
  if (planted_ == defect::replaces_whole)
    truth_.strip_finalizer(what.target->uid);
  reply out;
  out.exported = *truth_.exports().find(key);
  return out;
}

reply api_server::remove(const withdraw_export& what) {
  const object_key key{our_nspace, what.name};
  const auto* held = truth_.exports().find(key);
  if (held == nullptr)
    return failed(errc::missing, 404);
  if (held->uid != what.hub_uid && planted_ != defect::deletes_by_name)
    return failed(errc::other_uid, 409);
  truth_.remove_export(key);
  reply out;
  if (const auto* left = truth_.exports().find(key))
    out.exported = *left;
  return out;
}

} // namespace sliceferry::storm
