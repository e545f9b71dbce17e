#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using texts = std::set<std::string>;

std::vector<YAML::Node> documents(const std::string& file) {
  return YAML::LoadAllFromFile(SLICEFERRY_SOURCE_DIR "/config/manifests/" + file);
}

texts texts_of(const YAML::Node& list) {
  texts out;
  for (const YAML::Node& item : list)
    out.insert(item.as<std::string>());
  return out;
}

std::string text(const YAML::Node& node) {
  return node ? node.as<std::string>() : "";
}

std::map<std::string, YAML::Node> schemas(const std::string& file, std::string& storage) {
  std::map<std::string, YAML::Node> out;
  for (const YAML::Node& version : documents(file).at(0)["spec"]["versions"]) {
    EXPECT_EQ(text(version["served"]), "true");
    EXPECT_TRUE(version["subresources"]["status"].IsMap());
    if (text(version["storage"]) == "true")
      storage += text(version["name"]);
    out.emplace(text(version["name"]), version["schema"]["openAPIV3Schema"]);
  }
  return out;
}

/// Structural schemas need a type everywhere; what has none would be refused by the API server.
void expect_types(const YAML::Node& schema, const std::string& path) {
  EXPECT_FALSE(text(schema["type"]).empty()) << path;
  if (schema["items"])
    expect_types(schema["items"], path + "[]");
  for (const auto& entry : schema["properties"])
    expect_types(entry.second, path + "." + entry.first.Scalar());
}

TEST(Manifests, AnEndpointSliceExportIsAsTheHubExpects) {
  const YAML::Node crd = documents("crd-endpointsliceexports.yaml").at(0);
  EXPECT_EQ(text(crd["metadata"]["name"]), "endpointsliceexports.networking.fleet.azure.com");
  EXPECT_EQ(text(crd["spec"]["scope"]), "Namespaced");
  EXPECT_EQ(text(crd["spec"]["names"]["kind"]), "EndpointSliceExport");
  std::string storage;
  const auto versions = schemas("crd-endpointsliceexports.yaml", storage);
  EXPECT_EQ(storage, "v1alpha1");
  ASSERT_EQ(versions.size(), 1U);
  const YAML::Node root = versions.at("v1alpha1");
  expect_types(root, "");
  EXPECT_EQ(texts_of(root["required"]), texts{"spec"});
  const YAML::Node spec = root["properties"]["spec"];
  EXPECT_EQ(texts_of(spec["required"]),
            (texts{"addressType", "endpoints", "endpointSliceReference", "ownerServiceReference"}));
  const YAML::Node fields = spec["properties"];
  EXPECT_EQ(texts_of(fields["addressType"]["enum"]), texts{"IPv4"});
  EXPECT_EQ(text(fields["addressType"]["default"]), "IPv4");
  EXPECT_EQ(text(fields["endpoints"]["x-kubernetes-list-type"]), "atomic");
  EXPECT_EQ(texts_of(fields["endpoints"]["items"]["required"]), texts{"addresses"});
  EXPECT_EQ(text(fields["ports"]["x-kubernetes-list-type"]), "atomic");
  for (const auto& entry : fields["ports"]["items"]["properties"])
    EXPECT_FALSE(entry.second["default"]) << "nothing may be defaulted in ports: " << entry.first;
  const YAML::Node reference = fields["endpointSliceReference"];
  EXPECT_EQ(text(reference["x-kubernetes-map-type"]), "atomic");
  EXPECT_EQ(texts_of(reference["required"]), (texts{"clusterId", "generation", "kind", "name", "namespace",
                                                    "namespacedName", "resourceVersion", "uid"}));
  EXPECT_EQ(text(reference["properties"]["exportedSince"]["format"]), "date-time");
  EXPECT_EQ(text(reference["properties"]["apiVersion"]["type"]), "string");
  EXPECT_EQ(texts_of(fields["ownerServiceReference"]["required"]), (texts{"name", "namespace", "namespacedName"}));
}

TEST(Manifests, AServiceExportIsServedInBothVersions) {
  const YAML::Node crd = documents("crd-serviceexports.yaml").at(0);
  EXPECT_EQ(text(crd["metadata"]["name"]), "serviceexports.networking.fleet.azure.com");
  EXPECT_EQ(text(crd["spec"]["scope"]), "Namespaced");
  std::string storage;
  const auto versions = schemas("crd-serviceexports.yaml", storage);
  EXPECT_EQ(storage, "v1beta1");
  ASSERT_EQ(versions.size(), 2U);
  for (const auto& [version, schema] : versions) {
    SCOPED_TRACE(version);
    expect_types(schema, "");
    const YAML::Node conditions = schema["properties"]["status"]["properties"]["conditions"];
    EXPECT_EQ(text(conditions["x-kubernetes-list-type"]), "map");
    EXPECT_EQ(texts_of(conditions["x-kubernetes-list-map-keys"]), texts{"type"});
    const YAML::Node item = conditions["items"];
    EXPECT_EQ(texts_of(item["required"]), (texts{"lastTransitionTime", "message", "reason", "status", "type"}));
    EXPECT_EQ(texts_of(item["properties"]["status"]["enum"]), (texts{"True", "False", "Unknown"}));
    EXPECT_EQ(text(item["properties"]["observedGeneration"]["format"]), "int64");
  }
}

/// Each right as `group/resource verb`, by the name of its role.
std::map<std::string, texts> rights(const std::string& file) {
  std::map<std::string, texts> out;
  for (const YAML::Node& document : documents(file)) {
    for (const YAML::Node& rule : document["rules"]) {
      EXPECT_FALSE(rule["resourceNames"] || rule["nonResourceURLs"]);
      for (const std::string& group : texts_of(rule["apiGroups"])) {
        for (const std::string& resource : texts_of(rule["resources"])) {
          for (const std::string& verb : texts_of(rule["verbs"]))
            out[text(document["kind"]) + " " + text(document["metadata"]["name"])].insert(group + "/" + resource + " " +
                                                                                          verb);
        }
      }
    }
  }
  return out;
}

texts of(const std::string& resource, const texts& verbs) {
  texts out;
  for (const std::string& verb : verbs)
    out.insert(resource + " " + verb);
  return out;
}

texts operator+(texts a, const texts& b) {
  a.insert(b.begin(), b.end());
  return a;
}

TEST(Manifests, GiveTheRightsNeededAndNoMore) {
  const texts leases = of("coordination.k8s.io/leases", {"get", "create", "update"}); // AU29
  const std::map<std::string, texts> member{
    {"ClusterRole sliceferry-member", of("discovery.k8s.io/endpointslices", {"get", "list", "watch", "patch"}) +
                                        of("networking.fleet.azure.com/serviceexports", {"get", "list", "watch"}) +
                                        of("/events", {"create", "patch"})},
    {"ClusterRole sliceferry-member-evidence",
     of("apiextensions.k8s.io/customresourcedefinitions", {"get"}) + of("/namespaces", {"get"})},
    {"Role sliceferry-leases", leases},
  };
  EXPECT_EQ(rights("member-rbac.yaml"), member);
  const std::map<std::string, texts> hub{
    {"Role sliceferry-hub",
     of("networking.fleet.azure.com/endpointsliceexports", {"get", "list", "watch", "create", "patch", "delete"}) +
       leases},
  };
  EXPECT_EQ(rights("hub-rbac.yaml"), hub);
}

TEST(Manifests, BindEachRoleToTheServiceAccount) {
  for (const char* file : {"member-rbac.yaml", "hub-rbac.yaml"}) {
    SCOPED_TRACE(file);
    texts roles;
    texts bound;
    std::string account;
    for (const YAML::Node& document : documents(file)) {
      const std::string kind = text(document["kind"]);
      const std::string nspace = text(document["metadata"]["namespace"]);
      if (kind == "ServiceAccount") {
        account = nspace + "/" + text(document["metadata"]["name"]);
      } else if (document["roleRef"]) {
        EXPECT_EQ(kind, text(document["roleRef"]["kind"]) + "Binding");
        bound.insert(text(document["roleRef"]["kind"]) + " " + nspace + "/" + text(document["roleRef"]["name"]));
        ASSERT_EQ(document["subjects"].size(), 1U);
        const YAML::Node subject = document["subjects"][0];
        EXPECT_EQ(text(subject["namespace"]) + "/" + text(subject["name"]), account);
      } else {
        roles.insert(kind + " " + nspace + "/" + text(document["metadata"]["name"]));
      }
    }
    EXPECT_EQ(bound, roles);
    EXPECT_FALSE(account.empty());
  }
}

TEST(Manifests, TheDeploymentRunsConfinedAndProbed) {
  const YAML::Node spec = documents("deployment.yaml").at(0)["spec"];
  EXPECT_EQ(text(spec["strategy"]["type"]), "Recreate");
  const YAML::Node pod = spec["template"]["spec"];
  EXPECT_EQ(text(pod["serviceAccountName"]), "sliceferry");
  EXPECT_EQ(text(pod["securityContext"]["runAsNonRoot"]), "true");
  const YAML::Node container = pod["containers"][0];
  EXPECT_EQ(text(container["securityContext"]["readOnlyRootFilesystem"]), "true");
  EXPECT_EQ(text(container["securityContext"]["allowPrivilegeEscalation"]), "false");
  EXPECT_EQ(text(container["livenessProbe"]["httpGet"]["path"]), "/livez");
  EXPECT_EQ(text(container["readinessProbe"]["httpGet"]["path"]), "/readyz");
  EXPECT_TRUE(container["resources"]["requests"] && container["resources"]["limits"]);
}

} // namespace
