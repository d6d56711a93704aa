// JSON of model files (config.json, tokenizer.json, safetensors heads) and of output schemas, as a
// flat tree: a tokenizer of 150,000 tokens and as many merges is a few large allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::engine {

class JsonTree;

enum class JsonKind : uint8_t { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

/// "null", "a boolean", "an integer", ...: for `expected a string, found an integer`.
std::string_view DescribeKind(JsonKind kind);

/// A value within a tree; cheap to copy. Lifetime: within the tree's.
/// Numbers: an integer that fits int64_t is kInt, every other number is kDouble (finite).
class JsonView {
 public:
  JsonView(const JsonTree& tree, uint32_t index) : tree_(&tree), index_(index) {}

  /// The number of the value within its tree: equal for views of the same value.
  uint32_t index() const { return index_; }

  JsonKind kind() const;
  bool is_null() const { return kind() == JsonKind::kNull; }
  bool is_bool() const { return kind() == JsonKind::kBool; }
  bool is_int() const { return kind() == JsonKind::kInt; }
  bool is_number() const { return is_int() || kind() == JsonKind::kDouble; }
  bool is_string() const { return kind() == JsonKind::kString; }
  bool is_array() const { return kind() == JsonKind::kArray; }
  bool is_object() const { return kind() == JsonKind::kObject; }

  /// REQUIRES: the value is of that kind; as_double also takes kInt.
  bool as_bool() const;
  int64_t as_int() const;
  double as_double() const;
  std::string_view as_string() const;

  /// Items of an array, members of an object; 0 for every other kind.
  size_t size() const;
  /// Calls fn(JsonView) for each item in order. REQUIRES: an array.
  template <typename Fn>
  void ForEachItem(Fn fn) const;
  /// Calls fn(std::string_view name, JsonView value) for each member in order. REQUIRES: an object.
  template <typename Fn>
  void ForEachMember(Fn fn) const;
  /// The items, for access by number. REQUIRES: an array.
  std::vector<JsonView> Items() const;
  /// The member of that name; nothing when there is none or this is not an object. Time:
  /// O(members).
  std::optional<JsonView> Find(std::string_view name) const;

 private:
  uint32_t after() const;  // index behind the value and all that it holds

  const JsonTree* tree_;
  uint32_t index_;
};

struct JsonLimits {
  size_t max_bytes = 64u << 20;
  int max_depth = 64;           // nested arrays and objects
  size_t max_nodes = 4u << 20;  // values and member names
};

/// One parsed text. Move-only. Thread-safety: const access from any thread.
class JsonTree {
 public:
  /// RFC 8259, strictly: no byte order mark, comment, NaN or trailing comma; well-formed UTF-8,
  /// also behind escapes; no duplicate member name. Never recurses on the input. Errors:
  /// kInvalidArgument, message `byte 17: what is wrong`.
  static absl::StatusOr<JsonTree> Parse(std::string_view text, const JsonLimits& limits = {});

  JsonTree(JsonTree&&) noexcept = default;
  JsonTree& operator=(JsonTree&&) noexcept = default;
  JsonTree(const JsonTree&) = delete;
  JsonTree& operator=(const JsonTree&) = delete;

  JsonView root() const { return {*this, 0}; }

 private:
  friend class JsonView;
  friend class JsonTreeBuilder;
  JsonTree() = default;

  struct Node {
    JsonKind kind = JsonKind::kNull;
    uint32_t count = 0;  // items, members, or bytes of a string
    uint32_t after = 0;  // index of the node behind this one and all that it holds
    union {
      bool boolean;
      int64_t integer;
      double number;
      size_t offset;  // of a string in strings_
    };
  };
  std::vector<Node> nodes_;  // in order of the text; a member is its name, then its value
  std::string strings_;
};

template <typename Fn>
void JsonView::ForEachItem(Fn fn) const {
  const uint32_t end = after();
  for (uint32_t at = index_ + 1; at < end; at = JsonView(*tree_, at).after()) {
    fn(JsonView(*tree_, at));
  }
}

template <typename Fn>
void JsonView::ForEachMember(Fn fn) const {
  const uint32_t end = after();
  for (uint32_t at = index_ + 1; at < end; at = JsonView(*tree_, at + 1).after()) {
    fn(JsonView(*tree_, at).as_string(), JsonView(*tree_, at + 1));
  }
}

}  // namespace emptor::engine
