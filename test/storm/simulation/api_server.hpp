#pragma once
#include "test/storm/simulation/clusters.hpp"
#include "test/storm/simulation/defect.hpp"
#include "test/storm/simulation/mail.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sliceferry::storm {

/// What befalls a request at its server.
enum class fate {
  ok,
  unavailable,  ///< 503: nothing was done
  throttled,    ///< 429
  broke_before, ///< 500: nothing was done, but who knows
  broke_after,  ///< 500: it was done
  garbled,      ///< it was done, and the answer can't be read
  conflict,     ///< 409 of a change, by a writer who left no trace
  unauthorized,
  forbidden,
  invalid,
  quota,
};

/// Mostly `ok`, which is number 0.
fate fate_of(std::uint32_t number);
std::string_view name_of(fate what);

/// The two API servers, as their clients' calls see them: preconditions, finalizers, versions, failures by reaction.
class api_server {
public:
  api_server(clusters& truth, defect planted) : truth_(truth), planted_(planted) {}

  /// Carries out the request, as far as its fate lets it.
  reply serve(const request& asked, fate how);
  /// Whether the fate lets it be carried out.
  static bool is_done(const request& asked, fate how);

private:
  reply execute(const request& asked);
  reply read(const request& asked) const;
  reply annotate(const object_key& key, const std::string& uid, const slice_annotations& ours);
  reply create(const apply_export& what);
  reply change(const apply_export& what);
  reply remove(const withdraw_export& what);

  clusters& truth_;
  defect planted_;
};

} // namespace sliceferry::storm
