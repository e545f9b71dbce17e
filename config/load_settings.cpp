#include "config/load_settings.hpp"

#include "config/settings_sources.hpp"

#include <algorithm>

namespace sliceferry {

namespace {

/// A flag that counts for all members is judged with each.
setting_errors without_repetitions(const setting_errors& errors) {
  setting_errors out;
  for (const setting_error& error : errors) {
    if (std::find(out.begin(), out.end(), error) == out.end())
      out.push_back(error);
  }
  return out;
}

} // namespace

loaded_settings load_settings(const setting_flags& flags, const surroundings& around) {
  setting_errors errors;
  settings_draft draft;
  if (flags.config) {
    const file_content file = around.file(*flags.config);
    if (file.problem.empty()) {
      draft = read_settings_file(*flags.config, file.text, errors);
    } else {
      errors.push_back({"--config", "cannot read " + *flags.config + ": " + file.problem, "name a readable file"});
      draft.whole = false;
    }
  }
  overlay_sources(draft, flags, around, errors);
  settings out = judge_settings(draft, around, errors);
  if (!errors.empty())
    return without_repetitions(errors);
  return out;
}

} // namespace sliceferry
