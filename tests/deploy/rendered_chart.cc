// Reading rendered manifests.
#include "tests/deploy/rendered_chart.h"

#include <stdexcept>

#include "tests/deploy/deploy_support.h"

namespace emptor::testing {

std::vector<YAML::Node> RenderedObjects(const std::string& values) {
  std::vector<YAML::Node> objects;
  for (const YAML::Node& node :
       YAML::LoadAll(ReadSource("tests/golden/deploy/" + values + ".yaml"))) {
    if (node.IsMap()) objects.push_back(node);
  }
  if (objects.empty()) throw std::runtime_error(values + ": no objects");
  return objects;
}

std::vector<YAML::Node> ObjectsOf(const std::string& values, std::string_view kind) {
  std::vector<YAML::Node> objects;
  for (const YAML::Node& object : RenderedObjects(values)) {
    if (Text(object["kind"]) == kind) objects.push_back(object);
  }
  return objects;
}

YAML::Node ObjectNamed(const std::string& values, std::string_view kind, std::string_view name) {
  for (const YAML::Node& object : ObjectsOf(values, kind)) {
    if (Text(object["metadata"]["name"]) == name) return object;
  }
  throw std::runtime_error(values + ": no " + std::string(kind) + " " + std::string(name));
}

std::vector<PodTemplate> PodTemplates(const std::string& values) {
  std::vector<PodTemplate> templates;
  for (const YAML::Node& object : RenderedObjects(values)) {
    const std::string kind = Text(object["kind"]);
    YAML::Node owner = object["spec"];
    if (kind == "CronJob") {
      owner = object["spec"]["jobTemplate"]["spec"];
    } else if (kind != "Deployment" && kind != "StatefulSet") {
      continue;
    }
    const YAML::Node pod = owner["template"];
    templates.push_back({Text(object["metadata"]["name"]), pod["spec"], pod["metadata"]["labels"]});
  }
  return templates;
}

std::string Text(const YAML::Node& node) { return node ? node.as<std::string>() : std::string(); }

std::vector<std::string> Texts(const YAML::Node& list) {
  std::vector<std::string> texts;
  for (const YAML::Node& each : list) texts.push_back(Text(each));
  return texts;
}

}  // namespace emptor::testing
