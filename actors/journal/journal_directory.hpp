#pragma once
#include "actors/journal/journal_record.hpp"

#include <string>
#include <utility>

namespace sliceferry::journal {

/// A descriptor that is closed with its owner.
class owned_descriptor {
public:
  owned_descriptor() = default;
  explicit owned_descriptor(int number) : number_(number) {}
  owned_descriptor(owned_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  owned_descriptor& operator=(owned_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~owned_descriptor();

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

private:
  int number_ = -1;
};

/// The right to write in a directory, for as long as `lock` is held; a process that dies lets go of it.
struct directory_claim {
  owned_descriptor lock;
  bool taken = false; ///< somebody else holds it: `why` names them
  std::string why;    ///< no lock
};

/// Makes the directory if need be and claims it in the name of `pid`, which others are told. One that is being given up
/// (its process was killed this moment) is waited for, shortly.
directory_claim claim_directory(const std::string& directory, int pid);

/// Who holds the directory now, for people: "pid 17". Empty: nobody, as far as we may see.
std::string living_writer(const std::string& directory);

/// Renames the journal's file so that it is out of the way and people can look at it; its new name is in `name`.
/// What is wrong, or nothing.
std::string set_aside(const std::string& directory, moment now, std::string& name);

/// "20261130T230803Z", for the names of files.
std::string stamp_of(moment time);

} // namespace sliceferry::journal
