// One rule for each place of the schema, built from a list of work: no recursion on the input.
#include "engine/structure/json_schema.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/structure/regex.h"
#include "engine/structure/schema_terms.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxRules = 8192;
constexpr size_t kMaxSchemaNodes = 1 << 18;

/// A subset of the texts that are valid by RFC 3339, RFC 9562 and RFC 5321: without 29 February and
/// without quoted or commented addresses.
const std::map<std::string_view, std::string_view> kFormats = {
    {"date",
     "[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|"
     "02-(0[1-9]|1[0-9]|2[0-8]))"},
    {"time",
     "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]"
     ")"},
    {"date-time",
     "[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|"
     "02-(0[1-9]|1[0-9]|2[0-8]))T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?"
     "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"},
    {"uuid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"},
    {"email",
     "[A-Za-z0-9_+-]{1,32}(\\.[A-Za-z0-9_+-]{1,15}){0,2}@([a-z0-9]{1,20}\\.){1,3}[a-z]{2,12}"},
    {"ipv4",
     "((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}"
     "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"},
};

class SchemaBuilder {
 public:
  SchemaBuilder(const JsonTree& tree, NfaBuilder& builder)
      : reader_(tree), builder_(builder), rules_(builder) {}

  absl::Status Build() {
    RuleOf({{.index = 0}});
    while (!open_.empty()) {
      const auto [rule, parts] = std::move(open_.front());
      open_.pop_front();
      const absl::StatusOr<NfaStateId> start = BuildRule(parts);
      if (!start.ok()) return start.status();
      builder_.SetRule(rule, *start);
      const uint32_t place = parts.empty() ? 0 : parts.back().index;
      if (builder_.full()) return reader_.Error(place, "too large: counts, names or values");
      if (builder_.rules() > kMaxRules) return reader_.Error(place, "too many combinations");
    }
    return absl::OkStatus();
  }

 private:
  /// The rule of the parts, queued for building when it is new.
  NfaRuleId RuleOf(const SchemaParts& parts) {
    const auto [place, is_new] = known_.try_emplace(parts, 0);
    if (is_new) {
      place->second = parts.empty() ? rules_.Value() : builder_.AddRule();
      if (!parts.empty()) open_.emplace_back(place->second, parts);
    }
    return place->second;
  }

  absl::StatusOr<NfaStateId> BuildRule(const SchemaParts& parts) {
    const absl::StatusOr<SchemaTerms> terms = reader_.Read(parts);
    if (!terms.ok()) return terms.status();
    if (terms->impossible) return -1;
    const NfaStateId end = builder_.End();
    NfaStateId any = -1;
    for (const SchemaParts& way : terms->alternatives) {
      any = builder_.Either(any, builder_.Call(RuleOf(way), end));
    }
    if (!terms->alternatives.empty()) return any;
    const uint32_t place = parts.back().index;
    if (terms->values) return BuildValues(*terms, place);
    const absl::StatusOr<NfaStateId> text = BuildString(*terms, place);
    if (!text.ok()) return text;
    any = builder_.Either(BuildContainers(*terms), *text);
    if (terms->Allows(JsonType::kNumber)) {
      any = builder_.Either(any, rules_.Number(terms->low, terms->high, end));
    } else if (terms->Allows(JsonType::kInteger)) {
      any = builder_.Either(any, rules_.Integer(terms->low, terms->high, end));
    }
    std::vector<std::string> words;
    if (terms->Allows(JsonType::kBoolean)) words = {"true", "false"};
    if (terms->Allows(JsonType::kNull)) words.emplace_back("null");
    return builder_.Either(any, rules_.OneOf(words, end));
  }

  absl::StatusOr<NfaStateId> BuildValues(const SchemaTerms& terms, uint32_t place) {
    if (terms.restricts_beyond_type) {
      return reader_.Error(place, "enum or const with other restrictions is not supported");
    }
    std::vector<std::string> texts;
    for (const std::string& text : *terms.values) {
      if (AllowsText(terms, text)) texts.push_back(text);
    }
    return rules_.OneOf(std::move(texts), builder_.End());
  }

  /// Whether a JSON text has one of the types, judged by its first character.
  static bool AllowsText(const SchemaTerms& terms, const std::string& text) {
    switch (text[0]) {
      case 'n':
        return terms.Allows(JsonType::kNull);
      case 't':
      case 'f':
        return terms.Allows(JsonType::kBoolean);
      case '"':
        return terms.Allows(JsonType::kString);
      case '[':
        return terms.Allows(JsonType::kArray);
      case '{':
        return terms.Allows(JsonType::kObject);
      default:
        return terms.Allows(JsonType::kNumber) ||
               (terms.Allows(JsonType::kInteger) && text.find_first_of(".eE") == std::string::npos);
    }
  }

  absl::StatusOr<NfaStateId> BuildString(const SchemaTerms& terms, uint32_t place) {
    if (!terms.Allows(JsonType::kString)) return -1;
    const NfaStateId end = builder_.End();
    const bool counted = terms.min_length > 0 || terms.max_length;
    if (!terms.pattern && !terms.format) {
      if (!counted) return builder_.Call(rules_.String(), end);
      if (terms.max_length && *terms.max_length < terms.min_length) return -1;
      return rules_.CountedString(terms.min_length, terms.max_length, end);
    }
    if (counted || (terms.pattern && terms.format)) {
      return reader_.Error(place, "pattern, format and lengths at once are not supported");
    }
    std::string_view pattern;
    if (terms.pattern) {
      pattern = *terms.pattern;
    } else {
      const auto known = kFormats.find(*terms.format);
      if (known == kFormats.end()) {
        return reader_.Error(place, fmt::format("format {} is not supported",
                                                QuoteJson(terms.format->substr(0, 64))));
      }
      pattern = known->second;
    }
    const absl::StatusOr<Regex> regex = Regex::Parse(pattern);
    if (!regex.ok()) {
      return reader_.Error(place, "pattern: " + std::string(regex.status().message()));
    }
    const NfaStateId close = builder_.Byte('"', end);
    return builder_.Byte('"', regex->BuildInto(builder_, Regex::Spelling::kJsonString, close));
  }

  NfaStateId BuildContainers(const SchemaTerms& terms) {
    NfaStateId any = -1;
    if (terms.Allows(JsonType::kArray)) any = BuildArray(terms);
    if (terms.Allows(JsonType::kObject)) any = builder_.Either(any, BuildObject(terms));
    return any;
  }

  NfaStateId BuildArray(const SchemaTerms& terms) {
    const NfaStateId close = builder_.Byte(']', builder_.End());
    const NfaStateId last = rules_.Whitespace(close);
    const NfaRuleId item = RuleOf(terms.items);
    // Behind an item: `more` stands for what follows the first one.
    NfaStateId more = last;
    if (terms.max_items && *terms.max_items < terms.min_items) return -1;
    const auto behind = [&](NfaStateId next) {
      return builder_.Byte(',', rules_.Whitespace(builder_.Call(item, next)));
    };
    if (!terms.max_items) {
      more = builder_.OpenSplit();
      builder_.SetSplit(more, behind(more), last);
    }
    const int64_t least = std::max<int64_t>(terms.min_items, 1);
    for (int64_t i = least; terms.max_items && i < *terms.max_items && !builder_.full(); ++i) {
      more = builder_.Either(behind(more), last);
    }
    for (int64_t i = 1; i < least && !builder_.full(); ++i) more = behind(more);
    const bool may_be_empty = terms.min_items == 0;
    const bool may_be_filled = !terms.max_items || *terms.max_items > 0;
    NfaStateId inside = may_be_empty ? close : -1;
    if (may_be_filled) inside = builder_.Either(builder_.Call(item, more), inside);
    return builder_.Byte('[', rules_.Whitespace(inside));
  }

  /// Members in the order of the schema; behind the last of them any others.
  NfaStateId BuildObject(const SchemaTerms& terms) {
    const NfaStateId close = builder_.Byte('}', builder_.End());
    const NfaStateId end = rules_.Whitespace(close);
    const auto member = [&](NfaStateId value) {
      return builder_.Byte(':', rules_.OptionalBlank(value));
    };
    // choose: what may be written now, without a comma; behind: what may follow a member.
    NfaStateId choose = -1;
    NfaStateId behind = end;
    if (terms.other_members) {
      std::vector<std::string> names;
      for (const auto& property : terms.properties) names.push_back(property.name);
      const NfaStateId more = builder_.OpenSplit();
      const NfaStateId value = builder_.Call(RuleOf(terms.other_parts), more);
      choose = rules_.OtherName(std::move(names), member(value));
      builder_.SetSplit(more, builder_.Byte(',', rules_.Whitespace(choose)), end);
      behind = more;
    }
    bool may_be_empty = true;
    for (size_t i = terms.properties.size(); i-- > 0;) {
      const SchemaTerms::Property& property = terms.properties[i];
      if (property.forbidden && property.required) return -1;
      if (property.forbidden) continue;
      const NfaStateId value = builder_.Call(RuleOf(property.parts), behind);
      const NfaStateId name = builder_.Literal(QuoteJson(property.name), member(value));
      choose = property.required ? name : builder_.Either(name, choose);
      const NfaStateId comma = builder_.Byte(',', rules_.Whitespace(choose));
      if (property.required) {
        behind = comma;
        may_be_empty = false;
      } else {
        behind = builder_.Either(comma, may_be_empty ? end : -1);
      }
    }
    return builder_.Byte('{',
                         rules_.Whitespace(builder_.Either(choose, may_be_empty ? close : -1)));
  }

  SchemaReader reader_;
  NfaBuilder& builder_;
  JsonRules rules_;
  std::map<SchemaParts, NfaRuleId> known_;
  std::deque<std::pair<NfaRuleId, SchemaParts>> open_;
};

}  // namespace

absl::Status BuildJsonSchema(std::string_view schema, NfaBuilder& builder) {
  assert(builder.rules() == 0);
  const absl::StatusOr<JsonTree> tree =
      JsonTree::Parse(schema, {.max_bytes = schema.size(), .max_nodes = kMaxSchemaNodes});
  if (!tree.ok()) return tree.status();
  return SchemaBuilder(*tree, builder).Build();
}

}  // namespace emptor::engine
