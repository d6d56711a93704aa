// The combined requirements of a JSON schema at one place.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/json/json_tree.h"
#include "engine/structure/json_rules.h"

namespace emptor::engine {

/// A schema that must hold: a value of the schema document.
struct SchemaPart {
  uint32_t index = 0;
  bool gathered = false;  // what it refers to is in the list too
  bool chosen = false;    // its anyOf or oneOf has been decided
  auto operator<=>(const SchemaPart&) const = default;
};
/// All of them must hold; none: anything goes.
using SchemaParts = std::vector<SchemaPart>;

enum class JsonType { kNull, kBoolean, kInteger, kNumber, kString, kArray, kObject };
constexpr size_t kJsonTypes = 7;

/// The parts resolved ($ref, allOf) and joined.
struct SchemaTerms {
  struct Property {
    std::string name;
    SchemaParts parts;
    bool required = false;
    bool forbidden = false;
  };
  /// Ways that exclude one another in choosing: one list of parts each; when there are none, the
  /// rest says it all.
  std::vector<SchemaParts> alternatives;
  bool impossible = false;  // parts contradict one another
  std::array<bool, kJsonTypes> types{};
  std::optional<std::vector<std::string>> values;  // enum, const: as JSON texts
  bool restricts_beyond_type = false;              // something else than type and values
  int64_t min_length = 0, min_items = 0;
  std::optional<int64_t> max_length, max_items;
  std::optional<std::string> pattern, format;
  std::optional<JsonBound> low, high;
  SchemaParts items;
  std::vector<Property> properties;  // in the order of the schema
  bool other_members = false;
  SchemaParts other_parts;

  bool Allows(JsonType type) const { return types[static_cast<size_t>(type)]; }
};

/// Reads terms out of one document. Bounded: a document that makes it work too long is refused.
/// Errors are kInvalidArgument, `#/properties/a/type: expected ..., found ...`. Lifetime: within
/// the tree's. Thread-safety: one user at a time.
class SchemaReader {
 public:
  explicit SchemaReader(const JsonTree& tree) : tree_(tree) {}

  absl::StatusOr<SchemaTerms> Read(const SchemaParts& parts);

  /// The error for a place of the document.
  absl::Status Error(uint32_t index, std::string_view what) const;
  JsonView View(uint32_t index) const { return {tree_, index}; }

 private:
  absl::Status Gather(uint32_t index, std::vector<uint32_t>& path, SchemaParts& all);
  absl::Status GatherReferred(JsonView schema, std::vector<uint32_t>& path, SchemaParts& all);
  absl::Status CheckKeywords(JsonView schema);
  absl::StatusOr<uint32_t> Resolve(JsonView reference) const;
  absl::Status Join(JsonView schema, SchemaTerms& terms);
  absl::Status JoinKeyword(std::string_view name, JsonView value, SchemaTerms& terms);
  absl::Status JoinTypes(JsonView value, SchemaTerms& terms);
  absl::Status JoinValues(JsonView values, bool is_list, SchemaTerms& terms);
  absl::Status JoinText(JsonView value, std::string_view name, std::optional<std::string>& text);
  absl::Status JoinBound(std::string_view name, JsonView value, SchemaTerms& terms);
  absl::Status JoinCount(std::string_view name, JsonView value, SchemaTerms& terms);
  absl::Status JoinProperties(const SchemaParts& all, SchemaTerms& terms);
  void JoinOtherMembers(const SchemaParts& all, SchemaTerms& terms);
  absl::Status AddAlternatives(const SchemaParts& all, SchemaTerms& terms);

  const JsonTree& tree_;
  int work_ = 0;
};

/// A value of the document as JSON text, without blanks.
std::string WriteJson(JsonView value);

}  // namespace emptor::engine
