#include "test/storm/simulation/trial.hpp"

#include "test/storm/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>

namespace sliceferry::storm {
namespace {

bool breaks(const trace& steps, const std::string& check, defect planted) {
  const auto found = replay(steps, planted);
  return found && found->check == check;
}

trace without(const trace& steps, std::size_t from, std::size_t count) {
  trace out(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(from));
  out.insert(out.end(), steps.begin() + static_cast<std::ptrdiff_t>(std::min(from + count, steps.size())), steps.end());
  return out;
}

/// Removes all chunks of this size that aren't needed. True if any went.
bool remove_chunks(trace& steps, std::size_t size, const std::string& check, defect planted) {
  bool any = false;
  for (std::size_t end = steps.size(); end > 0;) {
    const std::size_t from = end > size ? end - size : 0;
    if (auto shorter = without(steps, from, end - from); breaks(shorter, check, planted)) {
      steps = std::move(shorter);
      any = true;
    }
    end = std::min(from, steps.size());
  }
  return any;
}

bool simplify(trace& steps, const std::string& check, defect planted) {
  bool any = false;
  for (auto& one : steps)
    for (auto* number : {&one.a, &one.b}) {
      const auto was = *number;
      for (const auto smaller : {0U, 1U, was % 2, was % 3, was % 12, was % 60, was / 2}) {
        if (smaller >= *number)
          continue;
        const auto held = std::exchange(*number, smaller);
        if (breaks(steps, check, planted)) {
          any = true;
          break;
        }
        *number = held;
      }
    }
  return any;
}

std::string time_of(std::chrono::nanoseconds elapsed) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f s", std::chrono::duration<double>(elapsed).count());
  return text.data();
}

} // namespace

std::optional<violation> replay(const trace& steps, defect planted) {
  simulation all{planted};
  for (const auto& one : steps) {
    all.carry_out(one);
    if (all.found())
      return all.found();
  }
  all.finish();
  return all.found();
}

trace make_trace(std::uint64_t seed, std::size_t length) {
  std::mt19937_64 dice{seed};
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(dice() % bound); };
  // Some kinds of steps are left out of each trace, others come often: that finds more than all at the same rate.
  std::array<double, ops_count> weights{};
  for (auto& weight : weights)
    weight = std::array{0, 0, 1, 1, 3}[below(5)];
  for (const auto always : {op::write_slice, op::consent, op::hear, op::catch_up, op::serve, op::calm})
    weights[static_cast<std::size_t>(always)] += 1 + below(3);
  weights[static_cast<std::size_t>(op::crash)] /= 2;
  std::discrete_distribution<int> kinds{weights.begin(), weights.end()};
  const auto slots = 1 + std::min(below(6), below(6));

  trace out;
  for (std::uint32_t service = 0; service < 3; ++service)
    out.push_back({op::consent, service, 0});
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    out.push_back({op::write_slice, slot, below(200)});
  if (below(3) != 0)
    out.push_back({op::calm, 3, 0});
  while (out.size() < length) {
    const auto what = static_cast<op>(kinds(dice));
    const bool of_slot = what <= op::tamper || what == op::hub_foreign || what == op::hub_twin;
    const bool grants = what == op::consent && below(2) == 0;
    out.push_back({what, of_slot ? below(slots) : below(60'000), grants ? 0 : below(1000)});
  }
  return out;
}

trace shrink(trace steps, const std::string& check, defect planted) {
  for (bool any = true; any;) {
    any = false;
    for (std::size_t size = std::max<std::size_t>(steps.size() / 2, 1); size > 0; size /= 2)
      any = remove_chunks(steps, size, check, planted) || any;
    any = simplify(steps, check, planted) || any;
  }
  return steps;
}

std::string describe(const trace& steps, defect planted) {
  simulation all{planted, true};
  all.notes();
  std::string out = "replay({\n";
  const auto list_notes = [&] {
    for (const auto& text : all.notes())
      out += "          //   " + text + "\n";
  };
  for (const auto& one : steps) {
    out += "  " + to_string(one) + ",";
    all.carry_out(one);
    out += " // " + time_of(all.elapsed()) + "\n";
    list_notes();
  }
  all.finish();
  list_notes();
  out += "})\n";
  const auto& found = all.found();
  return out + (found ? time_of(all.elapsed()) + ": " + found->check + ": " + found->text : "nothing went wrong");
}

} // namespace sliceferry::storm
