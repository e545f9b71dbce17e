#include "actors/core/work.hpp"

#include "actors/core/fingerprint.hpp"
#include "messages/overloaded.hpp"

#include <variant>

namespace sliceferry::core {

work_id id_of(const work& asked) {
  return {{asked.member, asked.slice_uid}, asked.ticket};
}

work_key key_of(const work& asked) {
  return {asked.member, std::visit(overloaded{
                                     [](const annotate_slice& x) { return x.slice; },
                                     [](const clear_annotations& x) { return x.slice; },
                                     [](const apply_export& x) {
                                       return object_key{"", x.name};
                                     },
                                     [](const withdraw_export& x) {
                                       return object_key{"", x.name};
                                     },
                                   },
                                   asked.what)};
}

work_rank rank_of(const command& what) {
  return std::visit(overloaded{
                      [](const annotate_slice&) { return work_rank::change; },
                      [](const clear_annotations&) { return work_rank::removal; },
                      [](const apply_export& x) { return x.target ? work_rank::change : work_rank::create; },
                      [](const withdraw_export&) { return work_rank::removal; },
                    },
                    what);
}

std::uint64_t content_digest(const command& what) {
  fingerprint print;
  print.add(what.index());
  std::visit(overloaded{
               [&](const annotate_slice& x) {
                 print.add(x.uid);
                 print.add(x.name);
                 print.add(static_cast<std::uint64_t>(x.generation));
                 print.add(static_cast<std::uint64_t>(x.since.time_since_epoch().count()));
               },
               [&](const clear_annotations& x) { print.add(x.uid); },
               [&](const apply_export& x) {
                 print.add(x.target ? 1U : 0U);
                 print.add(x.digest);
               },
               [&](const withdraw_export& x) { print.add(x.hub_uid); },
             },
             what);
  return print.value();
}

} // namespace sliceferry::core
