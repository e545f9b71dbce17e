#include "actors/command_settings.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sliceferry {
namespace {

/// A directory of its own, gone at the end.
class place {
public:
  place() {
    std::string form = ::testing::TempDir() + "settings-XXXXXX";
    path_ = mkdtemp(form.data());
  }
  ~place() { std::filesystem::remove_all(path_); }
  place(const place&) = delete;
  place& operator=(const place&) = delete;

  std::string at(const std::string& name) const { return path_ + '/' + name; }
  std::string with(const std::string& name, const std::string& text) const {
    std::ofstream{at(name)} << text;
    return at(name);
  }

private:
  std::string path_;
};

TEST(CommandSettings, OfAReaderNameADirectoryThatIsThere) {
  const place here;
  std::filesystem::create_directory(here.at("data"));
  const auto file = here.with("file", "");
  const auto of = [&](const std::string& data_dir) {
    return here.with("s.yaml",
                     "members: [{name: m1, url: 'https://a:1', token_file: t, insecure_skip_tls_verify: true}]\n"
                     "hub: {url: 'https://b:1', token_file: t, insecure_skip_tls_verify: true}\n" +
                       data_dir);
  };
  struct row {
    const char* name;
    setting_flags given;
    std::string where; ///< empty: it is accepted
    std::string says;
  };
  const auto nowhere = of("data_dir: " + here.at("nowhere"));
  const row table[] = {
    {"there", {.data_dir = here.at("data")}, "", ""},
    {"none", {}, "--data-dir", "no data directory is named"},
    {"empty", {.data_dir = ""}, "--data-dir", "no data directory is named"},
    {"not there",
     {.data_dir = here.at("nowhere")},
     "--data-dir",
     "the data directory " + here.at("nowhere") + " isn't"},
    {"a file", {.data_dir = file}, "--data-dir", "is a file"},
    {"below a file", {.data_dir = file + "/data"}, "--data-dir", "isn't there"},
    {"not there, by a file", {.config = nowhere}, nowhere, "name the one in which the program keeps its journal"},
  };
  for (const auto& [name, given, where, says] : table) {
    SCOPED_TRACE(name);
    const auto got = settings_of_reader(given);
    const auto* errors = std::get_if<setting_errors>(&got);
    ASSERT_EQ(errors == nullptr, where.empty());
    if (!errors)
      continue;
    ASSERT_EQ(errors->size(), 1U) << to_string(errors->front());
    EXPECT_EQ(errors->front().where, where);
    EXPECT_NE(to_string(errors->front()).find(says), std::string::npos) << to_string(errors->front());
  }
}

TEST(CommandSettings, FindTheProgramWhereItListens) {
  EXPECT_EQ(std::get<std::string>(address_of_running({})), "127.0.0.1:8080");
  EXPECT_EQ(std::get<std::string>(address_of_running({.listen = "[::1]:9"})), "[::1]:9");
  EXPECT_EQ(std::get<setting_errors>(address_of_running({.listen = "nowhere"})).front().where, "--listen");
}

} // namespace
} // namespace sliceferry
