#pragma once
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sliceferry::k8s {

/// Turns host names into addresses on threads of its own.
///
/// `getaddrinfo` blocks and can't be called off, so one dead DNS server must stall neither the
/// loop nor the look-ups of other names (asio's resolver has one thread for all; chriskohlhoff/asio#470).
/// At most eight run at once; their threads end when there is nothing left to look up. What still
/// runs when this object goes finishes unheard.
class name_lookup {
public:
  /// Textual addresses in the system's order of preference, or a sentence why there are none.
  using answer = std::variant<std::vector<std::string>, std::string>;

  name_lookup();
  ~name_lookup();
  name_lookup(const name_lookup&) = delete;
  name_lookup& operator=(const name_lookup&) = delete;

  /// `done` runs on a look-up thread, unless this object is gone by then.
  void start(std::string host, std::function<void(answer)> done);

private:
  struct state;
  std::shared_ptr<state> state_;
};

} // namespace sliceferry::k8s
