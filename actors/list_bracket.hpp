#pragma once
#include "messages/watch_event.hpp"

namespace sliceferry {

/// Which ends of lists are in one batch.
struct list_bracket {
  bool begins = false; ///< some list begins
  bool ends = false;   ///< the list that began last, in this batch or before, ends
};

template <class T>
list_bracket bracket_of(const watch_batch<T>& seen) {
  list_bracket out;
  for (const auto& told : seen.events) {
    out.begins = out.begins || told.change == watch_change::init;
    out.ends = told.change == watch_change::init_done || (out.ends && told.change != watch_change::init);
  }
  return out;
}

} // namespace sliceferry
