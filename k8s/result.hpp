#pragma once
#include "messages/failure.hpp"

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

namespace sliceferry {

/// Boost.System calls this when `value()` meets a failure; expected failures are tested for, so
/// getting here is a bug and the exception ends the program.
[[noreturn]] void throw_exception_from_error(const failure& what, const boost::source_location& where);

} // namespace sliceferry

namespace sliceferry::k8s {

/// A value, or why there is none and how to react.
template <class T>
using result = boost::system::result<T, failure>;

} // namespace sliceferry::k8s
