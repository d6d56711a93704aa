// The chart as helm renders it, from tests/golden/deploy (tests/deploy/render.sh writes it).
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>
#include <vector>

namespace emptor::testing {

/// All objects of a rendering: "default", "small" or "eks".
std::vector<YAML::Node> RenderedObjects(const std::string& values);
/// Those of a kind.
std::vector<YAML::Node> ObjectsOf(const std::string& values, std::string_view kind);
/// The one of that kind and name. Throws std::runtime_error when there is none.
YAML::Node ObjectNamed(const std::string& values, std::string_view kind, std::string_view name);

/// A template of pods, with the name of its object.
struct PodTemplate {
  std::string name;
  YAML::Node spec, labels;
};
/// Those of Deployments, StatefulSets and CronJobs.
std::vector<PodTemplate> PodTemplates(const std::string& values);

std::string Text(const YAML::Node& node);
/// Texts of a list.
std::vector<std::string> Texts(const YAML::Node& list);

}  // namespace emptor::testing
