#include "test/storm/weather/complaints.hpp"

#include "test/storm/weather/fault_table.hpp"
#include "test/storm/weather/nearest_name.hpp"
#include "test/storm/weather/storm_table.hpp"

#include <algorithm>
#include <set>

namespace sliceferry::storm {
namespace {

constexpr std::size_t slices_max = 2'000'000;     // pods' addresses are unique within a member up to here
constexpr std::size_t member_name_bytes_max = 40; // `fleet-member-` goes before it in a namespace's name
constexpr std::chrono::seconds length_min{5};     // of a run with faults

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& each : names)
    out += (out.empty() ? "" : ", ") + each;
  return out;
}

std::string unknown_name(const std::string& what, const std::string& wrong, const std::vector<std::string>& known) {
  return "there is no " + what + " '" + wrong + "'; did you mean '" + nearest_name(wrong, known) +
         "'? Known are: " + joined(known);
}

bool is_label(const std::string& name) {
  const auto is_inner = [](char x) { return (x >= 'a' && x <= 'z') || (x >= '0' && x <= '9') || x == '-'; };
  return !name.empty() && name.front() != '-' && name.back() != '-' && std::all_of(name.begin(), name.end(), is_inner);
}

void check_members(const std::vector<std::string>& members, std::vector<std::string>& out) {
  if (members.empty())
    out.emplace_back("there is no member");
  std::set<std::string> seen;
  for (const auto& each : members) {
    if (!is_label(each) || each.size() > member_name_bytes_max)
      out.push_back("member '" + each + "' must be named by 1 to " + std::to_string(member_name_bytes_max) +
                    " lower-case letters, digits and inner hyphens");
    if (each == "hub" || each == "program")
      out.push_back("no member may be called '" + each + "': that is somebody else here");
    if (!seen.insert(each).second)
      out.push_back("member '" + each + "' is named twice");
  }
}

void check_slices(const plan_options& plan, std::vector<std::string>& out) {
  if (plan.slices > slices_max)
    out.push_back("at most " + std::to_string(slices_max) + " slices can be simulated");
  const std::size_t members = std::max<std::size_t>(plan.members.size(), 1);
  for (const auto& each : storms()) {
    const bool is_chosen = std::any_of(plan.storms.begin(), plan.storms.end(),
                                       [&](const auto& x) { return x == each.name || x == "everything"; });
    if (is_chosen && plan.slices < each.slices_per_member * members)
      out.push_back("storm '" + std::string{each.name} + "' needs " +
                    (each.slices_per_member == 1 ? "a slice" : std::to_string(each.slices_per_member) + " slices") +
                    " in each member: choose at least " + std::to_string(each.slices_per_member * members) + " slices");
  }
}

} // namespace

std::vector<std::string> complaints(const plan_options& plan) {
  std::vector<std::string> out;
  check_members(plan.members, out);
  if (plan.storms.empty())
    out.push_back("no storm is chosen; known are: " + joined(storm_names()));
  for (const auto& each : plan.storms)
    if (each != "everything" && find_storm(each) == nullptr)
      out.push_back(unknown_name("storm", each, storm_names()));
  check_slices(plan, out);
  return out;
}

std::vector<std::string> complaints(const weather_options& weather) {
  std::vector<std::string> out;
  bool is_calm = true;
  for (const auto& each : weather.faults) {
    is_calm = is_calm && each == calm;
    if (each == calm && weather.faults.size() > 1)
      out.push_back("'" + each + "' means no faults: choose it alone");
    else if (!kinds_named(each))
      out.push_back(unknown_name("fault", each, fault_names()));
  }
  if (!is_calm && weather.length < length_min)
    out.push_back("faults need a run of at least " + std::to_string(length_min.count()) + " seconds");
  return out;
}

std::vector<std::string> complaints(const plan_options& plan, const weather_options& weather) {
  auto out = complaints(plan);
  for (auto& each : complaints(weather))
    out.push_back(std::move(each));
  return out;
}

} // namespace sliceferry::storm
