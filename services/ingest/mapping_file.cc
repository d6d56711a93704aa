// YAML into the tree of a mapping, bounded before it is walked: aliases may repeat a node.
#include "services/ingest/mapping_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>

#include "absl/status/statusor.h"
#include "catalog/feed/column_mapping.h"

namespace emptor::services {
namespace {

using catalog::MappingLimits;
using catalog::MappingNode;

/// Thread-safety: one thread. Throws YAML::Exception as the library does.
class TreeReader {
 public:
  explicit TreeReader(std::string_view name) : name_(name) {}

  absl::StatusOr<MappingNode> Read(const YAML::Node& yaml, int depth = 1) {
    MappingNode node;
    node.line = LineOf(yaml);
    if (++nodes_ > MappingLimits::kNodes) return Fail(node, "too many values");
    if (depth > MappingLimits::kDepth) return Fail(node, "too deep");
    if (yaml.IsScalar()) {
      node.text = yaml.Scalar();
      return node;
    }
    if (yaml.IsNull()) return node;
    node.kind = yaml.IsMap() ? MappingNode::Kind::kMap : MappingNode::Kind::kList;
    for (const auto& each : yaml) {
      if (yaml.IsMap() && !each.first.IsScalar()) return Fail(node, "expected names of one text");
      auto member = Read(yaml.IsMap() ? each.second : each, depth + 1);
      if (!member.ok()) return member.status();
      if (yaml.IsMap()) {
        member->name = each.first.Scalar();
        member->line = LineOf(each.first);
      }
      node.members.push_back(*std::move(member));
    }
    return node;
  }

 private:
  static uint64_t LineOf(const YAML::Node& yaml) {
    return static_cast<uint64_t>(yaml.Mark().line + 1);
  }
  absl::Status Fail(const MappingNode& node, std::string_view what) const {
    return absl::InvalidArgumentError(fmt::format("{}:{}: {}", name_, node.line, what));
  }

  const std::string_view name_;
  size_t nodes_ = 0;
};

}  // namespace

bool IsMappingFile(std::string_view text) {
  return text.ends_with(".yaml") || text.ends_with(".yml") || text.ends_with(".json");
}

absl::Status ApplyMappingYaml(std::string_view text, std::string_view name,
                              catalog::FeedOptions& options) {
  if (text.size() > MappingLimits::kBytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: longer than {} bytes", name, MappingLimits::kBytes));
  }
  try {
    const auto root = TreeReader(name).Read(YAML::Load(std::string(text)));
    if (!root.ok()) return root.status();
    return catalog::ApplyMapping(*root, name, options);
  } catch (const YAML::Exception& error) {
    return absl::InvalidArgumentError(
        fmt::format("{}:{}: {}", name, error.mark.line + 1, error.msg));
  }
}

absl::Status LoadMappingFile(const std::string& path, catalog::FeedOptions& options) {
  std::ifstream stream(path, std::ios::binary);
  std::string text(MappingLimits::kBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad() || !stream.is_open()) return absl::NotFoundError(path + ": cannot be read");
  text.resize(static_cast<size_t>(stream.gcount()));
  return ApplyMappingYaml(text, path, options);
}

}  // namespace emptor::services
