#pragma once
#include "test/storm/weather/user_request.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::storm {

struct plan_options {
  std::uint64_t seed = 1;
  std::vector<std::string> members; ///< names, which are their cluster ids
  std::size_t slices = 3'000;       ///< over all members
  std::vector<std::string> storms;  ///< names from `storm_names`; `everything` is all of them
};

/// The known storms in the order of their table, then `everything`.
std::vector<std::string> storm_names();
/// One sentence for `--help`.
std::string describe_storm(const std::string& name);

/// What the users of a fleet do, from a seed: the same options give the same requests, whatever is answered.
///
/// It keeps its own model of what it made, so that each request succeeds on a server that has carried out those before
/// in the same lane: POST, merge PATCH, DELETE and PUT of a namespace's finalize, never with a resourceVersion.
class storm_plan {
public:
  /// Throws `std::invalid_argument` where `complaints` has something to say of the options.
  explicit storm_plan(plan_options options);
  ~storm_plan();
  storm_plan(storm_plan&&) noexcept;

  /// The fleet before the storm: namespaces, consents, slices; on the hub the members' namespaces and some foreign
  /// exports that nobody may touch.
  std::vector<user_request> setup() const;
  /// The same without holding all of it.
  void setup(const std::function<void(user_request)>& sink) const;

  /// The next change; storms never end.
  user_request next();

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace sliceferry::storm
