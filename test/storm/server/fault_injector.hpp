#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// What a simulated server can be told to do wrong. Where several meet one request, the first of this list that forbids
/// to handle it decides.
enum class server_fault {
  half_open,       ///< at once: connections fall silent, both ways, then are reset
  reset,           ///< closed by RST before the request is handled
  expired_token,   ///< 401
  throttle,        ///< 429 with Retry-After
  html_errors,     ///< 502 or 404 with a page, as a balancer answers
  errors_5xx,      ///< 500, 503 and 504
  conflict_bursts, ///< 409 to each kind of change that can conflict
  quota,           ///< 403 to creates: a quota is exceeded
  denied_writes,   ///< 403 to creates and changes: an admission webhook denies them
  expired_watches, ///< at once: compacted, watches cut; then new watches get the status 410
  lost_answers,    ///< handled, then closed by RST instead of the answer
  revoked_rights,  ///< 403 by the cluster itself
  revoked_writes,  ///< the same, to writes alone
  revoked_watches, ///< the same, to lists and watches; the running ones are cut at once
  latency,         ///< answers come late
  one_byte_chunks, ///< answers come in small pieces
  gzip,            ///< bodies come compressed, unasked
  mute_watches,    ///< at once: watches stay open and tell nothing more; at the end they are cut
  truncated_lines, ///< a watch's line is cut in the middle, and the connection with it
  empty_lists,     ///< lists lack a share of their objects; at begin and end watches are cut and can't resume
  mutated_exports, ///< a webhook changes the exports that are written
  huge_lines,      ///< a watch's line comes again, with 1.5 MB that mean nothing
  blank_lines,     ///< empty lines between a watch's lines
  cut_watches,     ///< at once
  server_restart,  ///< at once: nothing listens for a while, all history is forgotten
  outage,          ///< the same, for long
  long_outage,     ///< and for minutes
  restored_backup, ///< backed up at once, restored after a while
  emptied,         ///< at once as it was when new; after a while the namespaces are made again
  remove_crd,      ///< a fleet's kind is gone for a while, on the hub its objects for good
};
constexpr std::size_t server_fault_count = 30;

/// Its name as in an order and in the history.
std::string_view name_of(server_fault kind);
std::optional<server_fault> fault_named(std::string_view name);

struct fault_order {
  server_fault kind{};
  std::chrono::milliseconds lasts{};
  double share = 1; ///< of what the fault could meet
  std::chrono::milliseconds amount{};
  std::uint64_t seed = 0; ///< decides which

  bool operator==(const fault_order&) const = default;
};

struct request_facts {
  std::string_view method;
  std::string_view user;
  bool is_watch = false;
};

/// What shall be done with one request.
struct treatment {
  enum class way { handle, refuse, lose_answer, reset, silence };

  way what = way::handle;
  /// Name of the fault that says so, or that spoils the answer. Empty also where the answer only comes late or in
  /// pieces: then the peer knows what was done.
  std::string_view fault;
  unsigned status = 0;               ///< of a refusal
  std::chrono::microseconds delay{}; ///< of the answer, whatever it is
  bool in_pieces = false;
  bool zipped = false;
  bool mute = false; ///< the watch never tells anything

  bool operator==(const treatment&) const = default;
};

/// What shall be done with one line of a watch.
struct line_treatment {
  bool in_pieces = false;
  bool cut = false;
  bool repeated_hugely = false;
  bool after_blank = false;

  bool operator==(const line_treatment&) const = default;
};

/// Decides which requests, lines and connections of one server the active faults meet: without clock, chance or I/O.
///
/// Only faulty users' are met. The n-th request (or line) that is asked about is met by a fault when the hash of the
/// fault's seed and n falls into its share: the same orders and requests give the same treatments.
class fault_injector {
public:
  /// Of any clock that doesn't go back.
  using instant = std::chrono::microseconds;

  explicit fault_injector(std::vector<std::string> faulty_users);

  /// From now on, until `order.lasts` has passed.
  void begin(const fault_order& order, instant now);
  /// Takes out what has ended by now, in order of its end.
  std::vector<fault_order> take_ended(instant now);
  /// Takes out all.
  std::vector<fault_order> clear();

  bool idle() const { return active_.empty(); }
  bool is_active(server_fault kind) const;
  bool is_faulty(std::string_view user) const;
  const std::vector<std::string>& faulty_users() const { return faulty_users_; }

  treatment treat(const request_facts& asked);
  line_treatment treat_line();

  /// Whether the order meets the n-th of its kind (of connections: n is the connection's number).
  static bool meets(const fault_order& order, std::uint64_t n);

private:
  struct window {
    fault_order order;
    instant ends;
  };
  void apply(const fault_order& order, const request_facts& asked, treatment& out) const;
  const fault_order* active(server_fault kind, std::uint64_t n) const;

  std::vector<std::string> faulty_users_;
  std::vector<window> active_; ///< in order of `server_fault`
  std::uint64_t requests_ = 0;
  std::uint64_t lines_ = 0;
};

/// Evenly spread over all 64 bits, whatever the seeds are.
std::uint64_t fault_hash(std::uint64_t seed, std::uint64_t n);

} // namespace sliceferry::storm
