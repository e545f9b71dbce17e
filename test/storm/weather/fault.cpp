#include "test/storm/weather/fault.hpp"

#include "test/storm/weather/fault_table.hpp"

#include <array>
#include <charconv>

namespace sliceferry::storm {
namespace {

struct named_set {
  std::string_view name;
  std::string_view sentence;
};

constexpr named_set sets[]{
  {calm, "No faults."},
  {"basic", "What any network, server and machine does now and then."},
  {"all", "basic, and what hurts more: silence, lies, lost answers, backups, rights, clocks, disk."},
  {"disk", "What befalls the journal."},
};

/// As JSON has it, whatever the locale.
std::string shortest(double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  return {digits.data(), end};
}

} // namespace

std::string to_json(const fault& each) {
  return R"({"kind":")" + each.kind + R"(","cluster":")" + each.where + R"(","lasts_ms":)" +
         std::to_string(each.lasts.count()) + R"(,"share":)" + shortest(each.share) + R"(,"amount_ms":)" +
         std::to_string(each.amount.count()) + R"(,"seed":)" + std::to_string(each.seed) + '}';
}

std::vector<std::string> fault_names() {
  std::vector<std::string> out;
  for (const auto& each : sets)
    out.emplace_back(each.name);
  for (const auto& each : fault_kinds())
    out.emplace_back(each.name);
  return out;
}

std::string describe_fault(const std::string& name) {
  for (const auto& each : sets)
    if (each.name == name)
      return std::string{each.sentence};
  for (const auto& each : fault_kinds())
    if (each.name == name)
      return std::string{each.sentence};
  return {};
}

} // namespace sliceferry::storm
