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
/// At most eight run at once, one for each name; their threads end when there is nothing left to look
/// up. Whose asker is gone is not looked up, so that what waits is never more than those who ask. What
/// still runs when this object goes finishes unheard.
class name_lookup {
public:
  /// Textual addresses in the system's order of preference, or a sentence why there are none.
  using answer = std::variant<std::vector<std::string>, std::string>;

  /// `how` blocks; it is called on several threads.
  explicit name_lookup(std::function<answer(const std::string& host)> how = by_the_system);
  ~name_lookup();
  name_lookup(const name_lookup&) = delete;
  name_lookup& operator=(const name_lookup&) = delete;

  /// `done` runs on a look-up thread, unless this object or the asker is gone by then. Who asks for a name
  /// that is being looked up gets the same answer.
  void start(const std::string& host, std::weak_ptr<const void> asker, std::function<void(const answer&)> done);

private:
  static answer by_the_system(const std::string& host);

  struct state;
  std::shared_ptr<state> state_;
};

} // namespace sliceferry::k8s
