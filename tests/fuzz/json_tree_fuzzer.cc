// Any bytes as JSON of a model file: refused, or a tree that can be walked, holds well-formed text
// and stays within its limits.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/json/json_tree.h"

namespace {

using namespace emptor::engine;

constexpr JsonLimits kLimits = {.max_bytes = 1 << 16, .max_depth = 32, .max_nodes = 1 << 12};

void Require(bool holds) {
  if (!holds) std::abort();
}

/// Counts values and names below and with this one.
size_t Walk(const JsonView& json, int depth) {
  Require(depth <= kLimits.max_depth);
  size_t nodes = 1;
  size_t children = 0;
  if (json.is_array()) {
    json.ForEachItem([&](const JsonView& item) {
      nodes += Walk(item, depth + 1);
      ++children;
    });
    Require(json.Items().size() == children);
  } else if (json.is_object()) {
    json.ForEachMember([&](std::string_view name, const JsonView& value) {
      const auto found = json.Find(name);
      Require(found && found->kind() == value.kind());
      nodes += 1 + Walk(value, depth + 1);
      ++children;
    });
  } else if (json.is_number()) {
    Require(json.as_double() - json.as_double() == 0);
  }
  Require(json.size() == children);
  return nodes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = JsonTree::Parse(text, kLimits);
  if (!tree.ok()) {
    Require(tree.status().code() == absl::StatusCode::kInvalidArgument);
    return 0;
  }
  Require(Walk(tree->root(), 0) <= kLimits.max_nodes);
  return 0;
}
