#pragma once
#include "test/storm/oracle/toy_program.hpp"

#include <optional>
#include <random>
#include <set>

namespace sliceferry::storm {

/// What a toy exporter may do wrong, one at a time.
enum class toy_bug {
  none,
  names_late,       ///< the hub before the annotation
  deletes_called,   ///< now and then an export that is called for
  rewrites,         ///< what is right already
  keeps_leftovers,  ///< of slices that are gone
  keeps_withdrawn,  ///< of slices that nobody calls for any more
  writes_older,     ///< the content that it wrote before
  doubles,          ///< makes a second export and leaves the first
  drops_finalizers, ///< replaces the whole object
  exports_unready,  ///< endpoints
  moves_since,      ///< after a restart
  takes_foreign,    ///< writes over an export of another cluster
  labels_slices,    ///< on its way
  asks_without_end, ///< GETs
  clears_name_only, ///< leaves the last-seen annotations
  misses_changes,   ///< of content, when only endpoints changed
  shifts_since,     ///< of the export against the annotation
};

/// A level-triggered exporter in a few lines: looks at a slice, decides one request, and carries it out somewhat later.
class toy_exporter {
public:
  toy_exporter(toy_world& world, toy_bug bug, std::mt19937_64& dice) : world_(world), bug_(bug), dice_(dice) {}

  /// Everything that is due now, then a look at all slices and exports.
  void run() {
    for (auto each = due_.begin(); each != due_.end();)
      if (each->second.first <= world_.now) {
        each->second.second();
        each = due_.erase(each);
      } else {
        ++each;
      }
    for (const auto& uid : uids())
      if (!due_.contains(uid))
        if (auto next = decide(uid))
          due_[uid] = {world_.now + std::chrono::milliseconds{dice_() % delay_max}, std::move(next)};
    if (bug_ == toy_bug::asks_without_end)
      for (int i = 0; i < 30; ++i)
        world_.get(program, export_place("x"));
  }

  /// As a killed process: what was decided is lost, and so is all memory.
  void restart() {
    due_.clear();
    renamed_.clear();
    fresh_ = true;
  }

  bool idle() const { return due_.empty(); }

  static constexpr std::uint64_t delay_max = 1500;

private:
  using request = std::function<void()>;
  using strings = std::set<std::string>;

  bool bug(toy_bug which) const { return bug_ == which; }
  bool rarely() { return dice_() % 20 == 0; }

  static bool is_ours(toy_object& any) { return text_of(reference_of(any), "clusterId") == "m1"; }
  static toy_object& reference_of(toy_object& any) {
    return any["spec"].get_object()["endpointSliceReference"].get_object();
  }
  static bool is_terminating(toy_object& any) { return metadata_of(any).contains("deletionTimestamp"); }

  strings uids() {
    strings out;
    for (auto& [where, body] : world_.objects)
      if (std::get<1>(where) == "endpointslices")
        out.insert(text_of(metadata_of(body), "uid"));
      else if (std::get<1>(where) == "endpointsliceexports" && is_ours(body))
        out.insert(text_of(reference_of(body), "uid"));
    return out;
  }

  std::optional<toy_world::place> slice_of(const std::string& uid) {
    for (auto& [where, body] : world_.objects)
      if (std::get<1>(where) == "endpointslices" && text_of(metadata_of(body), "uid") == uid)
        return where;
    return {};
  }

  /// Names of its exports that aren't terminating, oldest first.
  std::vector<std::string> exports_of(const std::string& uid) {
    std::map<std::int64_t, std::string> out;
    for (auto& [where, body] : world_.objects)
      if (std::get<1>(where) == "endpointsliceexports" && is_ours(body) && !is_terminating(body) &&
          text_of(reference_of(body), "uid") == uid)
        out[std::stoll(text_of(metadata_of(body), "uid").substr(4))] = std::get<3>(where);
    std::vector<std::string> names;
    for (auto& [age, name] : out)
      names.push_back(name);
    return names;
  }

  bool is_called_for(toy_object& slice) {
    auto& labels = metadata_of(slice)["labels"].get_object();
    if (text_of(slice, "addressType") != "IPv4" || is_terminating(slice) ||
        !labels.contains("kubernetes.io/service-name"))
      return false;
    auto* consent = world_.find(consent_place(text_of(labels, "kubernetes.io/service-name")));
    return consent && (*consent)["status"] == make_toy_consent()["status"];
  }

  request decide(const std::string& uid) {
    const auto where = slice_of(uid);
    const auto exports = exports_of(uid);
    if (!where || !is_called_for(*world_.find(*where)))
      return withdraw(where, exports);
    if (bug(toy_bug::deletes_called) && !exports.empty() && rarely())
      return removal(exports.front());
    return exporting(*where, exports);
  }

  request withdraw(const std::optional<toy_world::place>& where, const std::vector<std::string>& exports) {
    const bool keeps = bug(where ? toy_bug::keeps_withdrawn : toy_bug::keeps_leftovers);
    if (!exports.empty())
      return keeps ? request{} : removal(exports.front());
    if (!where || !annotations_of(*world_.find(*where)).contains(toy_name))
      return {};
    return patch_of_slice(*where, [this](toy_object& any) {
      annotations_of(any).erase(toy_name);
      if (!bug(toy_bug::clears_name_only))
        annotations_of(any).erase(toy_generation), annotations_of(any).erase(toy_timestamp);
    });
  }

  request removal(const std::string& name) {
    renamed_.insert(name);
    const auto hub_uid = text_of(metadata_of(*world_.find(export_place(name))), "uid");
    return [=, this] {
      auto* found = world_.find(export_place(name));
      if (found && text_of(metadata_of(*found), "uid") == hub_uid)
        world_.remove(program, export_place(name));
    };
  }

  /// A patch that needs the slice's UID.
  request patch_of_slice(const toy_world::place& where, const toy_world::edit& how) {
    const auto uid = text_of(metadata_of(*world_.find(where)), "uid");
    return [=, this] {
      auto* found = world_.find(where);
      if (found && text_of(metadata_of(*found), "uid") == uid)
        world_.change(program, where, how);
    };
  }

  std::string name_for(toy_object& slice, const std::vector<std::string>& exports, bool& anew) {
    const auto name = text_of(annotations_of(slice), toy_name);
    auto* held = world_.find(export_place(name));
    const bool is_foreign =
      held && (!is_ours(*held) || text_of(reference_of(*held), "uid") != text_of(metadata_of(slice), "uid"));
    anew = renamed_.contains(name);
    if (!name.empty() && !anew && !is_foreign)
      return name;
    if (bug(toy_bug::takes_foreign) && is_foreign)
      return name;
    if (name.empty() && !exports.empty())
      return exports.front();
    return "m1-" + std::to_string(++names_);
  }

  request exporting(const toy_world::place& where, const std::vector<std::string>& exports) {
    auto slice = *world_.find(where);
    auto& ours = annotations_of(slice);
    const auto generation = std::to_string(metadata_of(slice)["generation"].get_int64());
    bool anew = false;
    const auto name = name_for(slice, exports, anew);
    const bool has_time = read_since(text_of(ours, toy_timestamp)) && text_of(ours, toy_generation) == generation;
    const bool moves = bug(toy_bug::moves_since) && std::exchange(fresh_, false);
    if (name != text_of(ours, toy_name) || !has_time || moves)
      return annotation(where, slice, name, generation, !anew && !moves && has_time);
    auto* held = world_.find(export_place(name));
    if (!held)
      return creation(name, content_of(slice));
    if (is_terminating(*held))
      return {};
    if (auto change = correction(name, *held, content_of(slice)))
      return change;
    for (const auto& each : exports)
      if (each != name && !bug(toy_bug::doubles))
        return removal(each);
    return {};
  }

  request annotation(const toy_world::place& where, toy_object& slice, const std::string& name,
                     const std::string& generation, bool keeps_time) {
    const auto time = keeps_time ? text_of(annotations_of(slice), toy_timestamp) : clock();
    const bool late = bug(toy_bug::names_late) && rarely();
    if (late && !world_.find(export_place("m1-late-" + name)))
      return creation("m1-late-" + name, content_of(slice));
    const auto shown = bug(toy_bug::doubles) && rarely() ? "m1-" + std::to_string(++names_) : name;
    return patch_of_slice(where, [=, this](toy_object& any) {
      annotations_of(any)[toy_name] = shown;
      annotations_of(any)[toy_generation] = generation;
      annotations_of(any)[toy_timestamp] = time;
      if (bug(toy_bug::labels_slices) && rarely())
        metadata_of(any)["labels"].get_object()["seen-by"] = "toy";
    });
  }

  toy_object content_of(toy_object slice) {
    if (bug(toy_bug::exports_unready))
      for (auto& each : slice["endpoints"].get_array())
        each.get_object().erase("conditions");
    auto out = make_toy_spec(slice);
    if (bug(toy_bug::shifts_since))
      out["endpointSliceReference"].get_object()["exportedSince"] = "2027-01-01T00:00:00Z";
    return out;
  }

  request creation(const std::string& name, const toy_object& spec) {
    return [=, this] { world_.create(program, export_place(name), toy_object{{"spec", spec}}); };
  }

  request correction(const std::string& name, toy_object held, toy_object spec) {
    const auto same = [&](toy_object left, toy_object right) {
      for (auto* each : {&left, &right}) {
        auto& reference = (*each)["endpointSliceReference"].get_object();
        reference.erase("resourceVersion");
        if (bug(toy_bug::misses_changes))
          reference.erase("generation"), reference.erase("exportedSince"), each->erase("endpoints");
      }
      return left == right;
    };
    const auto was = held["spec"].get_object();
    if (same(was, spec)) {
      if (!bug(toy_bug::rewrites) || !rarely())
        return {};
      spec = was;
    }
    if (bug(toy_bug::writes_older) && older_.contains(name) && dice_() % 3 == 0)
      spec = older_.at(name);
    older_[name] = was;
    const auto version = text_of(metadata_of(held), "resourceVersion");
    return [=, this] {
      auto* found = world_.find(export_place(name));
      if (!found || text_of(metadata_of(*found), "resourceVersion") != version)
        return;
      world_.change(program, export_place(name), [&](toy_object& any) {
        any["spec"] = spec;
        if (bug(toy_bug::drops_finalizers))
          metadata_of(any).erase("finalizers");
      });
    };
  }

  static bool read_since(const std::string& text) { return text.size() == 20 && text.ends_with("Z"); }

  std::string clock() const {
    const auto time = std::chrono::floor<std::chrono::seconds>(world_.now).count() % 3600;
    const auto two = [](auto value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return "2027-01-15T08:" + two(time / 60) + ':' + two(time % 60) + 'Z';
  }

  toy_world& world_;
  toy_bug bug_;
  std::mt19937_64& dice_;
  std::map<std::string, std::pair<instant, request>> due_; ///< by UID of the slice
  strings renamed_;                                        ///< names whose export it deleted
  std::map<std::string, toy_object> older_;
  bool fresh_ = false;
  int names_ = 0;
};

} // namespace sliceferry::storm
