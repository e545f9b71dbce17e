#pragma once
#include "k8s/reflector.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/failure.hpp"
#include "test/k8s/mirrored.hpp"
#include "test/k8s/wire_samples.hpp"

#include <gtest/gtest.h>

namespace sliceferry::k8s {

inline const std::string path = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";

/// A reflector, a clock, and what it has yielded.
struct session {
  reflector<endpoint_slice> mirror{endpoint_slices, "shop", {}};
  tick now{std::chrono::hours{1}};
  mirrored seen;
  std::size_t events = 0, malformed_count = 0;
  std::vector<malformed> broken;
  std::string list_version; ///< as the latest init_done told it
  std::string target;
  std::chrono::milliseconds idle{};

  void open(unsigned status = 200) {
    reflected<endpoint_slice> out;
    const auto get = mirror.next(now, out);
    note(out);
    target = get.target;
    idle = get.idle;
    if (status != 0)
      mirror.head(status, std::nullopt);
  }
  bool feed(std::string_view bytes, std::size_t step = 1U << 20U) {
    bool good = true;
    for (; good && !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
      reflected<endpoint_slice> out;
      good = mirror.feed(bytes.substr(0, step), now, out);
      note(out);
    }
    return good;
  }
  get_end end(std::optional<failure> broken_by = {}) {
    reflected<endpoint_slice> out;
    auto got = mirror.ended(std::move(broken_by), now, out);
    note(out);
    return got;
  }
  void note(const reflected<endpoint_slice>& out) {
    seen.take(out.batch);
    for (const auto& event : out.batch.events)
      if (event.change == watch_change::init_done)
        list_version = event.object.resource_version;
    events += out.batch.events.size();
    malformed_count += out.batch.malformed;
    EXPECT_EQ(out.batch.malformed, out.broken.size());
    EXPECT_EQ(out.batch.malformed, out.batch.unreadable.size());
    broken.insert(broken.end(), out.broken.begin(), out.broken.end());
  }
  /// Lists `a` at version 10 and opens the watch.
  void sync() {
    open();
    feed(samples::list("10", samples::small_slice("a", "5")));
    end();
    open();
  }
  bool watches() const { return target.find("watch=1") != std::string::npos; }
};

inline const failure cut{errc::unavailable, "reset", std::nullopt, 0};

} // namespace sliceferry::k8s
