#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sliceferry {

/// What has to be mirrored before a member counts as ready: its two collections, and the hub's
/// exports of it.
enum class input { endpointslices, serviceexports, hub_exports };

enum class sync_state {
  waiting,     ///< not listed completely yet
  synced,      ///< listed completely; a short reconnect or a relist doesn't change it
  unreachable, ///< its server doesn't answer now, or doesn't serve it; `why` says which
};

/// The board of what is synced. Thread-safe.
///
/// Ready when every input is synced and no trouble stands. With several members, a member's own input counts as well
/// when it is reported unreachable: one dead cluster must not keep the others' process out of
/// service. A single member and the hub get no such excuse.
class readiness {
public:
  /// Every input of these members starts as `waiting`.
  explicit readiness(const std::vector<std::string>& members);

  /// Notes how an input stands and, unless it is synced, why: one line for people. Members
  /// that the constructor wasn't told of are not noted.
  void set(const std::string& member, input which, sync_state how, std::string why = {});

  /// Notes what stands in the way of something that is otherwise synced, such as writes to a hub
  /// namespace that is missing; not ready until `healed`. `subject` begins the line.
  void troubled(const std::string& subject, std::string why);
  void healed(const std::string& subject);
  /// The same for what concerns one member: with several members it is noted only, as one member's trouble must not
  /// keep the others' process out of service.
  void member_troubled(const std::string& subject, std::string why);
  void member_healed(const std::string& subject);

  /// Notes what people should know though everything is in service, such as exports that a server refuses; shown until
  /// `cleared`, and never a reason not to be ready.
  void noted(const std::string& subject, std::string what);
  void cleared(const std::string& subject);

  /// Forgets everything, as everything begins anew.
  void reset();

  bool ready() const;

  struct report {
    bool ready = false;
    std::string
      lines; ///< one per input, trouble and note, then the verdict, in the style of kube-apiserver's `/readyz?verbose`;
             ///< `[+]` is well, `[!]` is not, and holds nothing back, `[-]` holds readiness back
  };
  report tell() const;

private:
  struct entry {
    sync_state how = sync_state::waiting;
    std::string why = "not listed yet";
  };
  bool passes(input which, const entry& held) const;

  mutable std::mutex guard_;
  std::map<std::string, std::map<input, entry>> members_;
  std::map<std::string, std::string> troubles_;
  std::map<std::string, std::string> notes_;
};

} // namespace sliceferry
