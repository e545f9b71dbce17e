#pragma once
#include "actors/admin/admin_server.hpp"
#include "actors/slice_question.hpp"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sliceferry {

/// Where the admin server's questions about slices meet the members' dispatchers. Thread-safe; outlives the fleet,
/// which may be built anew.
class explain_desk {
public:
  /// More questions than `open_max` at a time are refused.
  explicit explain_desk(const std::vector<std::string>& members, unsigned open_max = 16);

  /// Questions about slices of this member go to `put` from now on, until it is attached again or `detach`.
  void attach(const std::string& member, std::function<void(slice_question)> put);
  void detach();

  /// `/explain/NAMESPACE/NAME[?member=M][&output=json]`
  admin_questions pages();

private:
  void take(const asked_path& asked, const admin_reply& reply);
  std::vector<std::string> members() const; ///< under the lock

  std::mutex lock_;
  std::map<std::string, std::function<void(slice_question)>> seats_;
  unsigned open_max_;
  std::shared_ptr<std::atomic<unsigned>> open_ = std::make_shared<std::atomic<unsigned>>(0);
};

} // namespace sliceferry
