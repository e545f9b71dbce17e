#include "test/storm/oracle/digest.hpp"

#include <boost/json.hpp>

#include <bit>

namespace sliceferry::storm {

std::uint64_t digest_of(const boost::json::value& any) {
  digest out;
  out.add(static_cast<std::uint64_t>(any.kind() == boost::json::kind::uint64 ? boost::json::kind::int64 : any.kind()));
  switch (any.kind()) {
    case boost::json::kind::null:
      break;
    case boost::json::kind::bool_:
      out.add(std::uint64_t{any.get_bool()});
      break;
    case boost::json::kind::int64:
      out.add(static_cast<std::uint64_t>(any.get_int64()));
      break;
    case boost::json::kind::uint64:
      out.add(any.get_uint64());
      break;
    case boost::json::kind::double_:
      out.add(std::bit_cast<std::uint64_t>(any.get_double()));
      break;
    case boost::json::kind::string:
      out.add(std::string_view{any.get_string()});
      break;
    case boost::json::kind::array:
      for (const auto& each : any.get_array())
        out.add(digest_of(each));
      break;
    case boost::json::kind::object: {
      std::uint64_t sum = 0;
      for (const auto& [key, value] : any.get_object())
        sum += digest{}.add(std::string_view{key}).add(digest_of(value)).value();
      out.add(sum);
      break;
    }
  }
  return out.value();
}

} // namespace sliceferry::storm
