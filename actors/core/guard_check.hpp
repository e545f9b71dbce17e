#pragma once
#include "actors/core/mirrored.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sliceferry::core {

/// What a read of one object showed.
enum class existence {
  exists,
  terminating,
  missing,
  unknown, ///< no right to read it: it tells nothing, and never will
};

/// One inquiry into whether what looks absent from a member is absent: a consistent list of each input, a read of the
/// ServiceExport CRD, reads of the namespaces concerned, and last a sample of what the lists don't show, read one by
/// one: a server or a proxy whose lists lack something says so again and again, but seldom of a single object.
///
/// Only lists that began after the inquiry did count. A read is outstanding until it is answered, but a right that is
/// missing is an answer, or it would hold the inquiry up for ever. That the kind is gone or goes ends it without lists
/// and sample: of a kind that isn't served there is no list.
class guard_check {
public:
  static constexpr std::size_t namespaces_max = 32;
  static constexpr std::size_t sample_size = 8;

  enum class verdict {
    open,             ///< something is still outstanding
    confirmed,        ///< the member is what it says
    kind_missing,     ///< its ServiceExports are gone because their CRD is
    kind_going,       ///< the same: the CRD is being deleted
    nothing_is_there, ///< not one slice, where a live cluster always has `default/kubernetes`
    lists_lack_some,  ///< an object that they don't show was read
  };

  /// Which of these namespaces must be read now. None if with those of before there would be more than
  /// `namespaces_max`: by then the lists tell as much for less.
  std::vector<std::string> add(std::vector<std::string> namespaces);

  void list_began(mirrored which);
  /// `is_empty`: not one object is in the list.
  void list_done(mirrored which, bool is_empty);
  void namespace_read(const std::string& nspace, existence how);
  void kind_read(existence how) { kind_ = how; }

  /// Fills the sample up to `sample_size` with some of these slices, evenly spread, none twice. What is absent of each
  /// that is returned is to be read.
  std::vector<std::string> pick_sample(const std::set<std::string>& slice_uids);
  void absence_read(const std::string& slice_uid, existence how);
  /// What a read shows of this slice tells nothing any more.
  void drop_from_sample(const std::string& slice_uid) { sample_.erase(slice_uid); }
  bool is_sampled() const { return !sample_.empty(); }

  /// The namespace ends or has ended, and its slices with it. That it is missing explains nothing until the CRD and
  /// the list of slices have shown themselves: a wrong or an empty cluster lacks every namespace.
  bool explains(const std::string& nspace) const;
  verdict now() const;
  /// What is still waited for, for people; empty if nothing is.
  std::string awaited() const;

private:
  bool lacks_kind() const;

  struct progress {
    bool began = false;
    bool done = false;
  };

  std::array<progress, 3> lists_{}; ///< by `mirrored`
  bool has_slices_ = false;         ///< by the last list of slices that counted
  std::optional<existence> kind_;
  using readings = std::map<std::string, std::optional<existence>>; ///< nothing: the answer is outstanding
  readings namespaces_;
  readings sample_; ///< by slice UID
};

} // namespace sliceferry::core
