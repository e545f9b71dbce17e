#pragma once

namespace sliceferry {

/// Builds one visitor from several lambdas. Visitors in this tree list every alternative and have
/// no catch-all, so that a new alternative fails to compile everywhere it matters.
template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

} // namespace sliceferry
