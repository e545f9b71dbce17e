#include "k8s/kubeconfig.hpp"

#include "k8s/access_check.hpp"
#include "k8s/nearest_names.hpp"
#include "k8s/text_file.hpp"

#include <openssl/evp.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>

namespace sliceferry::k8s {

namespace {

namespace fs = std::filesystem;

struct source {
  std::string file;
  fs::path folder;
  YAML::Node root;
};

/// A cluster, context or user, and the file that it came from.
struct entry {
  std::string name;
  YAML::Node body;
  const source* from = nullptr;
};

std::string place(const source& in, const YAML::Node& node) {
  const auto mark = node.Mark();
  return mark.is_null() ? in.file : in.file + ", line " + std::to_string(mark.line + 1);
}

YAML::Node field(const YAML::Node& map, const char* key) {
  const YAML::Node found = map.IsMap() ? map[key] : YAML::Node{YAML::NodeType::Undefined};
  return found && !found.IsNull() ? found : YAML::Node{YAML::NodeType::Undefined};
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    out += (out.empty() ? "\"" : ", \"") + name + "\"";
  return out;
}

bool names_credentials(const cluster_access& access) {
  return !(access.token.empty() && access.token_file.empty() && access.client_certificate_data.empty() &&
           access.client_certificate_file.empty() && access.client_key_data.empty() && access.client_key_file.empty());
}

/// Reads one context out of the merged files and collects everything that is wrong on the way.
class reader {
public:
  explicit reader(const kubeconfig_choice& choice) : choice_{choice} {}

  access_or_errors read();

private:
  void open_files();
  void open(const std::string& file, bool may_be_missing);
  void read_context(const entry& context, const std::string& where);
  void read_cluster(const entry& cluster);
  void read_user(const entry& user);

  std::string chosen_context();
  std::vector<entry> entries(const char* list, const char* kind);
  std::optional<entry> find(const char* list, const char* kind, const std::string& name, const std::string& where);
  std::string text(const entry& in, const char* key);
  std::string path(const entry& in, const char* key);
  std::string decoded(const entry& in, const char* key);
  void refuse(const entry& in, const char* key, const char* instead);
  std::string unknown_keys(const entry& in, std::vector<std::string> known) const;

  void complain(std::string what) {
    if (std::ranges::find(errors_, what) == errors_.end())
      errors_.push_back(std::move(what));
  }
  void complain(const entry& in, const YAML::Node& at, const std::string& what) {
    complain(place(*in.from, at) + ": " + what);
  }

  const kubeconfig_choice& choice_;
  std::vector<std::unique_ptr<source>> sources_;
  std::vector<std::string> errors_;
  cluster_access access_;
  bool incomplete_ = false;
};

void reader::open(const std::string& file, bool may_be_missing) {
  std::error_code unknown;
  if (may_be_missing && !fs::exists(file, unknown))
    return;
  const auto text = read_text_file(file);
  if (!text)
    return complain(text.error().text + "; name an existing kubeconfig file");
  try {
    auto root = YAML::Load(*text);
    if (root.IsMap())
      sources_.push_back(std::make_unique<source>(source{file, fs::absolute(file).parent_path(), std::move(root)}));
    else
      complain(file + ": is no kubeconfig; it must hold clusters, contexts and users");
  } catch (const YAML::Exception& broken) {
    complain(file + ", line " + std::to_string(broken.mark.line + 1) + ": is no valid YAML: " + broken.msg);
  }
}

void reader::open_files() {
  const bool several = choice_.files.size() > 1;
  for (const auto& file : choice_.files)
    if (!file.empty())
      open(file, several);
  if (sources_.empty() && errors_.empty())
    complain("no kubeconfig file exists" + (several ? " among " + joined(choice_.files) : std::string{}) +
             "; name one");
}

/// All entries of a list over all files; the first that defines a name wins.
std::vector<entry> reader::entries(const char* list, const char* kind) {
  std::vector<entry> out;
  for (const auto& from : sources_) {
    const auto nodes = field(from->root, list);
    if (nodes && !nodes.IsSequence())
      complain(place(*from, nodes) + ": " + list + " must be a list");
    if (!nodes || !nodes.IsSequence())
      continue;
    for (const auto& node : nodes) {
      const auto name = field(node, "name");
      if (!name || !name.IsScalar()) {
        complain(place(*from, node) + ": this entry of " + list + " has no name");
        continue;
      }
      if (std::ranges::find(out, name.Scalar(), &entry::name) == out.end())
        out.push_back({name.Scalar(), field(node, kind), from.get()});
    }
  }
  return out;
}

std::optional<entry> reader::find(const char* list, const char* kind, const std::string& name,
                                  const std::string& where) {
  auto all = entries(list, kind);
  if (const auto at = std::ranges::find(all, name, &entry::name); at != all.end())
    return std::move(*at);
  std::vector<std::string> known;
  for (const auto& one : all)
    known.push_back(one.name);
  complain(where + ": no " + kind + " is named \"" + name + "\"" +
           (known.empty() ? "; none is defined" : "; did you mean " + joined(nearest_names(name, known)) + "?"));
  incomplete_ = true;
  return std::nullopt;
}

std::string reader::text(const entry& in, const char* key) {
  const auto node = field(in.body, key);
  if (!node)
    return {};
  if (node.IsScalar())
    return node.Scalar();
  complain(in, node, std::string{key} + " must be text");
  incomplete_ = true;
  return {};
}

std::string reader::path(const entry& in, const char* key) {
  const auto given = text(in, key);
  return given.empty() ? given : (in.from->folder / given).lexically_normal().string();
}

std::string reader::decoded(const entry& in, const char* key) {
  auto coded = text(in, key);
  std::erase_if(coded, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  if (coded.empty())
    return {};
  const std::vector<unsigned char> bytes(coded.begin(), coded.end());
  std::vector<unsigned char> plain(coded.size() + 1);
  const int length = EVP_DecodeBlock(plain.data(), bytes.data(), static_cast<int>(bytes.size()));
  if (length < 0) {
    complain(in, field(in.body, key), std::string{key} + " is not valid base64");
    incomplete_ = true;
    return {};
  }
  const auto padding = coded.size() - std::min(coded.size(), coded.find_last_not_of('=') + 1);
  return {plain.begin(), plain.begin() + (length - static_cast<int>(std::min<std::size_t>(padding, 2)))};
}

void reader::refuse(const entry& in, const char* key, const char* instead) {
  if (const auto node = field(in.body, key))
    complain(in, node, std::string{key} + " isn't supported yet; " + instead);
}

/// What of an entry is no key of its kind, each with the one that may have been meant. Servers and clients to come
/// may know more keys, so this is said only where something is missing.
std::string reader::unknown_keys(const entry& in, std::vector<std::string> known) const {
  std::string out;
  if (!in.body.IsMap())
    return out;
  for (const auto& member : in.body) {
    const auto key = member.first.IsScalar() ? member.first.Scalar() : std::string{};
    if (!key.empty() && std::ranges::find(known, key) == known.end())
      out += "; \"" + key + "\" is no key of it, did you mean \"" + nearest_names(key, known).front() + "\"?";
  }
  return out;
}

void reader::read_cluster(const entry& cluster) {
  access_.server = text(cluster, "server");
  if (access_.server.empty() && !incomplete_) {
    complain(
      cluster, cluster.body,
      "the cluster \"" + cluster.name + "\" has no server" +
        unknown_keys(cluster, {"server", "tls-server-name", "certificate-authority", "certificate-authority-data",
                               "insecure-skip-tls-verify", "proxy-url", "disable-compression", "extensions"}));
    incomplete_ = true;
  }
  access_.tls_server_name = text(cluster, "tls-server-name");
  access_.ca_data = decoded(cluster, "certificate-authority-data");
  access_.ca_file = path(cluster, "certificate-authority");
  const auto insecure = field(cluster.body, "insecure-skip-tls-verify");
  if (insecure && !YAML::convert<bool>::decode(insecure, access_.insecure_skip_verify))
    complain(cluster, insecure, "insecure-skip-tls-verify must be true or false");
  refuse(cluster, "proxy-url", "let the server be reachable without a proxy");
}

void reader::read_user(const entry& user) {
  access_.token = text(user, "token");
  access_.token_file = path(user, "tokenFile");
  access_.client_certificate_data = decoded(user, "client-certificate-data");
  access_.client_certificate_file = path(user, "client-certificate");
  access_.client_key_data = decoded(user, "client-key-data");
  access_.client_key_file = path(user, "client-key");
  if (!names_credentials(access_))
    if (const auto keys = unknown_keys(user, {"token", "tokenFile", "client-certificate", "client-certificate-data",
                                              "client-key", "client-key-data", "exec", "auth-provider", "username",
                                              "password", "as", "as-uid", "as-groups", "as-user-extra", "extensions"});
        !keys.empty())
      complain(user, user.body, "the user \"" + user.name + "\" has no credentials" + keys);
  constexpr auto instead = "use a token, a tokenFile or a client certificate";
  for (const char* key : {"exec", "auth-provider", "username", "password"})
    refuse(user, key, instead);
  for (const char* key : {"as", "as-uid", "as-groups", "as-user-extra"})
    refuse(user, key, "give the rights to the user itself");
}

void reader::read_context(const entry& context, const std::string& where) {
  const auto cluster = text(context, "cluster");
  const auto user = text(context, "user");
  const auto keys = unknown_keys(context, {"cluster", "user", "namespace", "extensions"});
  if (cluster.empty() && !incomplete_) {
    complain(where + ": the context \"" + context.name + "\" names no cluster" + keys);
    incomplete_ = true;
  } else if (user.empty() && !keys.empty()) {
    complain(where + ": the context \"" + context.name + "\" names no user" + keys);
  }
  if (cluster.empty())
    return;
  if (const auto found = find("clusters", "cluster", cluster, where))
    read_cluster(*found);
  if (user.empty())
    return;
  if (const auto found = find("users", "user", user, where))
    read_user(*found);
}

std::string reader::chosen_context() {
  if (!choice_.context.empty())
    return choice_.context;
  for (const auto& from : sources_)
    if (const auto current = field(from->root, "current-context");
        current && current.IsScalar() && !current.Scalar().empty())
      return current.Scalar();
  return {};
}

access_or_errors reader::read() {
  open_files();
  if (sources_.empty())
    return {std::nullopt, std::move(errors_)};
  const auto name = chosen_context();
  const auto& first = sources_.front()->file;
  if (name.empty()) {
    std::vector<std::string> known;
    for (const auto& one : entries("contexts", "context"))
      known.push_back(one.name);
    complain(first + ": no current-context is set; choose one of " + (known.empty() ? "none" : joined(known)));
    return {std::nullopt, std::move(errors_)};
  }
  const auto context = find("contexts", "context", name, first);
  if (!context)
    return {std::nullopt, std::move(errors_)};
  const auto where = place(*context->from, context->body);
  read_context(*context, where);
  // What could not be read would only be reported a second time, as missing.
  if (!incomplete_)
    for (const auto& fault : find_faults(access_))
      complain(where + ": context \"" + name + "\": " + fault);
  if (!errors_.empty())
    return {std::nullopt, std::move(errors_)};
  return {std::move(access_), {}};
}

} // namespace

access_or_errors load_kubeconfig(const kubeconfig_choice& choice) {
  try {
    return reader{choice}.read();
  } catch (const std::exception& unexpected) {
    return {std::nullopt, {std::string{"the kubeconfig can't be read: "} + unexpected.what()}};
  }
}

} // namespace sliceferry::k8s
