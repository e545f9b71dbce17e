#include "actors/journal/directory_check.hpp"

#include "actors/journal/journal_layout.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace sliceferry::journal {

namespace {

namespace fs = std::filesystem;

bool is_forbidden(int error) {
  return error == EACCES || error == EPERM;
}

bool may(const fs::path& path, int how) {
  return ::faccessat(AT_FDCWD, path.c_str(), how, AT_EACCESS) == 0 || !is_forbidden(errno);
}

/// A file of the journal, if it is there.
std::string fault_of_file(const fs::path& file) {
  std::error_code failed;
  const auto type = fs::status(file, failed).type();
  if (type == fs::file_type::directory)
    return file.string() + " is a directory, where a file is needed";
  if (type == fs::file_type::regular && !may(file, R_OK | W_OK))
    return "rights are missing to read and write " + file.string();
  return {};
}

/// Of the directory, or of the nearest above it that is there.
std::string fault_of(const fs::path& directory) {
  std::error_code failed;
  fs::path there = fs::absolute(directory, failed);
  auto status = fs::status(there, failed);
  while (status.type() == fs::file_type::not_found && there != there.root_path()) {
    there = there.parent_path();
    status = fs::status(there, failed);
  }
  if (failed && is_forbidden(failed.value()))
    return "rights are missing to look at " + there.string();
  if (fs::exists(status) && !fs::is_directory(status))
    return there.string() + " is a file, where a directory is needed";
  if (!may(there, W_OK | X_OK))
    return "rights are missing to write in " + there.string();
  const auto journal = layout::journal_file(directory.string());
  for (const auto& file : {journal, journal + "-lock", layout::lock_file(directory.string())})
    if (auto fault = fault_of_file(file); !fault.empty())
      return fault;
  return {};
}

} // namespace

std::string unfit_directory(const std::string& directory) {
  const auto fault = fault_of(directory);
  if (fault.empty())
    return {};
  return "data directory " + directory + ": " + fault +
         "; put that right, or name another directory with --data-dir or data_dir";
}

} // namespace sliceferry::journal
