// The model file, checked such that every walk through a tree ends.
#include "retrieval/ranking/ranking_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "catalog/encoding/json.h"

namespace emptor::retrieval {

using catalog::JsonValue;

namespace {

constexpr std::string_view kFormat = "emptor-ranking-1";
constexpr catalog::JsonLimits kLimits = {.max_bytes = 16u << 20, .max_nodes = 4u << 20};
constexpr double kMaxValue = 1e9;

absl::Status Wrong(const std::string& what) {
  return absl::InvalidArgumentError("ranking model: " + what);
}

std::optional<size_t> FindFeature(std::string_view name) {
  for (size_t i = 0; i < kFeatureCount; ++i) {
    if (ToString(static_cast<Feature>(i)) == name) return i;
  }
  return std::nullopt;
}

std::optional<float> ReadNumber(const JsonValue& value) {
  if (!value.is_number() || std::abs(value.as_double()) > kMaxValue) return std::nullopt;
  return static_cast<float>(value.as_double());
}

}  // namespace

/// Fills a model from its JSON.
class RankingModelReader {
 public:
  explicit RankingModelReader(RankingModel& model) : model_(model) {}

  absl::Status ReadWeights(const JsonValue& weights) {
    if (!weights.is_object()) return Wrong("linear: expected an object");
    for (const catalog::JsonMember& member : weights.as_object()) {
      const auto feature = FindFeature(member.name);
      const auto weight = ReadNumber(member.value);
      if (!feature) return Wrong(fmt::format("linear: {}: no such feature", member.name));
      if (!weight) return Wrong(fmt::format("linear.{}: expected a number", member.name));
      model_.weights_[*feature] = *weight;
    }
    return absl::OkStatus();
  }

  absl::Status ReadTrees(const JsonValue& trees) {
    if (!trees.is_array()) return Wrong("trees: expected an array");
    for (const JsonValue& tree : trees.as_array()) {
      const size_t number = model_.roots_.size();
      if (!tree.is_array() || tree.as_array().empty()) {
        return Wrong(fmt::format("trees[{}]: expected nodes", number));
      }
      const auto root = static_cast<uint32_t>(model_.nodes_.size());
      model_.roots_.push_back(root);
      const auto size = static_cast<int64_t>(tree.as_array().size());
      for (int64_t i = 0; i < size; ++i) {
        const auto node = ReadNode(tree.as_array()[static_cast<size_t>(i)], i, size, root);
        if (!node) return Wrong(fmt::format("trees[{}][{}]: no leaf or fork", number, i));
        model_.nodes_.push_back(*node);
      }
    }
    return absl::OkStatus();
  }

 private:
  using Node = RankingModel::Node;

  /// A leaf is a number; a fork [feature, threshold, left, right] with children behind it.
  std::optional<Node> ReadNode(const JsonValue& value, int64_t at, int64_t size,
                               uint32_t root) const {
    if (const auto leaf = ReadNumber(value)) return Node{.value = *leaf};
    if (!value.is_array() || value.as_array().size() != 4) return std::nullopt;
    const JsonValue::Array& parts = value.as_array();
    if (!parts[0].is_string() || !parts[2].is_int() || !parts[3].is_int()) return std::nullopt;
    const auto feature = FindFeature(parts[0].as_string());
    const auto threshold = ReadNumber(parts[1]);
    const int64_t left = parts[2].as_int();
    const int64_t right = parts[3].as_int();
    if (!feature || !threshold || std::min(left, right) <= at || std::max(left, right) >= size) {
      return std::nullopt;
    }
    return Node{.value = *threshold,
                .feature = static_cast<int32_t>(*feature),
                .left = root + static_cast<uint32_t>(left),
                .right = root + static_cast<uint32_t>(right)};
  }

  RankingModel& model_;
};

absl::StatusOr<RankingModel> RankingModel::Parse(std::string_view text) {
  const auto json = catalog::ParseJson(text, kLimits);
  if (!json.ok()) return Wrong(std::string(json.status().message()));
  const JsonValue* format = json->Find("format");
  if (format == nullptr || !format->is_string() || format->as_string() != kFormat) {
    return Wrong(fmt::format("format: expected \"{}\"", kFormat));
  }
  RankingModel model;
  RankingModelReader reader(model);
  if (const JsonValue* linear = json->Find("linear")) {
    if (absl::Status status = reader.ReadWeights(*linear); !status.ok()) return status;
  }
  if (const JsonValue* trees = json->Find("trees")) {
    if (absl::Status status = reader.ReadTrees(*trees); !status.ok()) return status;
  }
  return model;
}

absl::StatusOr<RankingModel> RankingModel::Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(path + ": cannot be read");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  auto model = Parse(bytes.str());
  if (model.ok()) return model;
  return absl::Status(model.status().code(),
                      fmt::format("{}: {}", path, std::string(model.status().message())));
}

float RankingModel::Score(const FeatureVector& features) const {
  float score = 0;
  for (size_t i = 0; i < kFeatureCount; ++i) score += weights_[i] * features[i];
  for (const uint32_t root : roots_) {
    const Node* node = &nodes_[root];
    while (node->feature >= 0) {
      const bool left = features[static_cast<size_t>(node->feature)] <= node->value;
      node = &nodes_[left ? node->left : node->right];
    }
    score += node->value;
  }
  return score;
}

}  // namespace emptor::retrieval
