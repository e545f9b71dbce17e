#pragma once
#include <filesystem>

namespace sliceferry::storm {

/// A new folder for the files of one run; gone with this object, whatever it holds.
class workplace {
public:
  workplace();
  ~workplace();
  workplace(const workplace&) = delete;
  workplace& operator=(const workplace&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

private:
  std::filesystem::path folder_;
};

} // namespace sliceferry::storm
