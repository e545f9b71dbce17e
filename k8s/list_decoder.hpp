#pragma once
#include "k8s/decode.hpp"
#include "k8s/list_splitter.hpp"
#include "k8s/result.hpp"

#include <string_view>
#include <vector>

namespace sliceferry::k8s {

/// Reads one page of a list as its bytes arrive; any split of them yields the same items.
template <class T>
class list_decoder {
public:
  /// Takes the next bytes; appends the items that they complete, and those that were unreadable.
  void feed(std::string_view bytes, std::vector<T>& items, std::vector<malformed>& broken);

  /// Once the body has ended: what the list says of itself, or `malformed` where it is cut short,
  /// no list, or without a resourceVersion. Then the items prove nothing about absence.
  result<list_end> finish() const;

private:
  list_splitter splitter_;
};

} // namespace sliceferry::k8s
