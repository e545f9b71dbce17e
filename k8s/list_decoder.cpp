#include "k8s/list_decoder.hpp"

#include "messages/endpoint_slice.hpp"
#include "messages/overloaded.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"

namespace sliceferry::k8s {

template <class T>
void list_decoder<T>::feed(std::string_view bytes, std::vector<T>& items, std::vector<malformed>& broken) {
  while (const auto json = splitter_.next(bytes))
    std::visit(overloaded{
                 [&](T&& object) { items.push_back(std::move(object)); },
                 [&](malformed&& what) { broken.push_back(std::move(what)); },
               },
               decode_item<T>(*json));
}

template <class T>
result<list_end> list_decoder<T>::finish() const {
  if (!splitter_.complete())
    return failure{errc::malformed, splitter_.overflowed() ? "a list with an oversized item" : "a list cut short",
                   std::nullopt, 0};
  return decode_list_end(splitter_.envelope());
}

template class list_decoder<endpoint_slice>;
template class list_decoder<service_export>;
template class list_decoder<slice_export>;

} // namespace sliceferry::k8s
