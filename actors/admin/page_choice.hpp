#pragma once
#include "actors/admin/admin_server.hpp"

#include <string>
#include <string_view>

namespace sliceferry {

/// A request, as far as its answer depends on it.
struct page_request {
  std::string_view method;
  std::string_view target;
  bool is_local = false; ///< from this machine
  bool is_order = false; ///< it carries `order_header`
};

/// The answer, or who gives it later.
struct page_choice {
  admin_answer now;
  std::string allow{};                                    ///< the methods, where this one isn't allowed
  const admin_questions::mapped_type* question = nullptr; ///< `now` doesn't count; lives as long as the site
  asked_path asked{};                                     ///< of the question
};

page_choice choose_page(const admin_site& site, const page_request& request);

} // namespace sliceferry
