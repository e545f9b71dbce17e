#pragma once
#include "k8s/http_client.hpp"
#include "k8s/list_decoder.hpp"
#include "k8s/resource.hpp"
#include "test/bench/process.hpp"
#include "test/storm/stage/ask.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sliceferry::bench {

/// The pages of one collection as a server sends them to a reflector, kept to measure what reading them costs alone.
template <class T>
class listed_bodies {
public:
  listed_bodies(k8s::http_client& from, const k8s::resource& of, const std::string& nspace) {
    for_each_page(from, of, nspace, [this](std::string page) { pages_.push_back(std::move(page)); });
  }

  /// CPU of asking for all pages, receiving and decoding them: of a client that does nothing else and keeps nothing.
  static double reading_seconds(k8s::http_client& from, const k8s::resource& of, const std::string& nspace) {
    const double before = cpu_seconds();
    for_each_page(from, of, nspace, [](const std::string&) {});
    return cpu_seconds() - before;
  }

  /// CPU of decoding all of them once, in pieces as a socket brings them; the items are dropped page by page.
  double decoding_seconds() const {
    const double before = cpu_seconds();
    for (const auto& each : pages_)
      decode(each);
    return cpu_seconds() - before;
  }

  std::size_t bytes() const {
    std::size_t out = 0;
    for (const auto& each : pages_)
      out += each.size();
    return out;
  }

private:
  static constexpr std::size_t piece = std::size_t{64} << 10U;

  template <class Take>
  static void for_each_page(k8s::http_client& from, const k8s::resource& of, const std::string& nspace,
                            const Take& take) {
    const auto path = k8s::collection_path(of, nspace) + "?limit=500";
    std::string more;
    do {
      auto got = storm::get(from, more.empty() ? path : path + "&continue=" + k8s::percent_encoded(more));
      if (got.status != 200)
        throw std::runtime_error{path + " can't be listed: " + std::to_string(got.status)};
      more = decode(got.body);
      take(std::move(got.body));
    } while (!more.empty());
  }

  /// Returns the token of the next page.
  static std::string decode(std::string_view page) {
    k8s::list_decoder<T> decoder;
    std::vector<T> items;
    std::vector<k8s::malformed> broken;
    for (; !page.empty(); page.remove_prefix(std::min(piece, page.size())))
      decoder.feed(page.substr(0, piece), items, broken);
    const auto end = decoder.finish();
    if (!end || !broken.empty())
      throw std::runtime_error{"a page doesn't decode"};
    return end->continue_token;
  }

  std::vector<std::string> pages_;
};

} // namespace sliceferry::bench
