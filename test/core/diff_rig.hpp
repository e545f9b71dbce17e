#pragma once
#include "actors/core/diff.hpp"
#include "test/core/shared_clusters.hpp"

#include <string>
#include <vector>

namespace sliceferry::core {

/// What three complete lists of shared clusters show.
inline member_lists lists_of(const shared_clusters& all) {
  member_lists out;
  for (const auto& [key, each] : all.slices)
    out.slices.push_back(each);
  for (const auto& [key, each] : all.consents)
    out.consents.push_back(each);
  for (const auto& [key, each] : all.exports)
    out.exports.push_back(each);
  out.slices_version = out.consents_version = out.exports_version = std::to_string(all.version());
  return out;
}

/// `content fleet-name: endpoints`: kind, export and fields, a line each; without what is harmless.
inline std::vector<std::string> lines_of(const std::vector<difference>& found, bool harmless = false) {
  std::vector<std::string> out;
  for (const auto& each : found) {
    if (is_harmless(each.kind) != harmless)
      continue;
    auto line = std::string{to_string(each.kind)} + ' ' + each.slice.name;
    for (const auto& field : each.fields)
      line += ' ' + field.field.substr(field.field.find_last_of("./") + 1) + '=' + field.is + "->" + field.should_be;
    out.push_back(std::move(line));
  }
  return out;
}

inline std::vector<difference> found_in(const shared_clusters& all, bool leaving = false) {
  return compare(m1, lists_of(all), leaving, all.now).found;
}

} // namespace sliceferry::core
