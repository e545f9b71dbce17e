#pragma once
#include "test/storm/simulation/clusters.hpp"
#include "test/storm/simulation/step.hpp"

#include <cstdint>
#include <set>
#include <string>

namespace sliceferry::storm {

/// Everybody but the program: kube, owners of Services, other agents, the hub controller, people with kubectl.
class users {
public:
  static constexpr std::uint32_t slots_count = 6; ///< places for slices; the last one is in the namespace of imports
  static constexpr std::uint32_t services_count = 3;

  explicit users(clusters& truth) : truth_(truth) {}

  /// False: that step isn't theirs.
  bool carry_out(const step& one);
  /// What the fleet's controllers owe: ServiceExports are judged anew, finalizers added and honoured. False: nothing
  /// was.
  bool tidy();

  static object_key slot_key(std::uint32_t slot);
  /// UIDs of slices whose annotations somebody has meddled with.
  const std::set<std::string>& meddled() const { return meddled_; }

private:
  static endpoint_slice make_slice(const object_key& key, std::string uid);
  bool on_member(const step& one);
  bool on_hub(const step& one);
  void write_slice(const object_key& key, std::uint32_t content);
  void label(const object_key& key, std::uint32_t service);
  void mark(const object_key& key, std::uint32_t how);
  void remove_slice(const object_key& key, bool held);
  void recreate(const object_key& key, bool with_annotations);
  void tamper(const object_key& key, std::uint32_t how);
  void set_name(endpoint_slice& slice, std::uint32_t how);
  void consent(std::uint32_t service, std::uint32_t how);
  void drop_nspace(const std::string& nspace);
  void edit(std::uint32_t index, std::uint32_t how);
  void put_export(const std::string& name, const endpoint_slice& of, const std::string& cluster);
  void leftovers(std::uint32_t count);
  void set_nspace(std::uint32_t state);
  const slice_export* export_at(std::uint32_t index) const;

  clusters& truth_;
  std::uint32_t made_ = 0;
  std::set<std::string> meddled_;
};

} // namespace sliceferry::storm
