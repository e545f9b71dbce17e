#pragma once
#include "test/storm/server/server_state.hpp"

#include <array>
#include <string>

namespace sliceferry::storm {

/// What a request wants an object to be: the draft, and the values behind those of its members that are new.
///
/// The draft's parts may point into `texts`, hence not copyable.
struct proposal {
  proposal() = default;
  proposal(const proposal&) = delete;
  proposal& operator=(const proposal&) = delete;

  object_draft draft;
  std::array<std::string, members_max> texts;
  std::array<bool, members_max> given{};
  std::array<const boost::json::value*, members_max> values{}; ///< null: absent

  /// Makes the kind's member be the value (null: absent), in canonical form.
  void set_member(const resource_kind& kind, std::size_t member, const boost::json::value* value, field_errors& errors);
  /// The same from a text that is canonical already.
  void set_text(std::size_t member, std::string text);
};

} // namespace sliceferry::storm
