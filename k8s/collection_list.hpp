#pragma once
#include "k8s/http_client.hpp"
#include "k8s/io_loop.hpp"
#include "k8s/reflector.hpp"
#include "k8s/result.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::k8s {

/// A whole collection as it was at one moment. What isn't here did not exist then.
template <class T>
struct collection_list {
  std::vector<T> items; ///< in the server's order, each once
  std::string resource_version;
  std::vector<malformed> unreadable; ///< objects that exist and could not be decoded
};

struct list_options {
  /// One kind under the names that servers may know it by, preferred first. Where one isn't served the next is tried.
  std::vector<resource> served_as;
  std::string nspace; ///< empty: all namespaces
  reflector_options reflecting{};
  unsigned failures_max = 5;                  ///< in a row without getting any further; the last of them is the result
  std::chrono::milliseconds retry_after{250}; ///< after the first failure, doubling; the server's wish counts instead
  std::chrono::milliseconds pause{0};         ///< before each further page, for the limits of the server
  std::chrono::milliseconds longest{600'000}; ///< for all of it; what isn't complete then has failed
};

/// Reads one collection once, by consistent pages, without a watch; begins at once.
///
/// What may pass is tried again: broken connections, 429, 5xx, lists cut short, expired pages; a 401 once, since the
/// credentials are read anew. A missing right, and a kind that is not served under any name, are failures at
/// once and never an empty list. Failures name the GET.
///
/// Loop and client must outlive it.
template <class T>
class list_reader {
public:
  list_reader(io_loop& loop, http_client& client, list_options options);
  ~list_reader(); ///< gives up
  list_reader(const list_reader&) = delete;
  list_reader& operator=(const list_reader&) = delete;

  /// Waits for the end; once, and not on the loop's thread.
  result<collection_list<T>> wait();

private:
  struct impl;
  std::shared_ptr<impl> impl_;
  io_loop& loop_;
  std::future<result<collection_list<T>>> end_;
};

} // namespace sliceferry::k8s
