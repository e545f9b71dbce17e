#include "actors/core/slice_row.hpp"

#include <tuple>

namespace sliceferry::core {

bool operator==(const slice_row& left, const slice_row& right) {
  const auto rest = [](const slice_row& row) {
    return std::tie(row.uid, row.recorded, row.waiting, row.gone, row.leftover, row.assumed, row.awake, row.number,
                    row.key, row.heard, row.kept, row.exports);
  };
  const bool same_slice = left.slice == right.slice || (left.slice && right.slice && *left.slice == *right.slice);
  return same_slice && rest(left) == rest(right);
}

} // namespace sliceferry::core
