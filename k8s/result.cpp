#include "k8s/result.hpp"

#include <stdexcept>

namespace sliceferry {

void throw_exception_from_error(const failure& what, const boost::source_location& where) {
  throw std::logic_error("value() of a failed result at " + where.to_string() + ": " + what.text);
}

} // namespace sliceferry
