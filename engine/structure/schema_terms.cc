// Keywords of JSON Schema 2020-12, those that are understood; any other is refused.
#include "engine/structure/schema_terms.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kMaxWork = 200'000;
constexpr size_t kMaxProperties = 1024;
constexpr size_t kMaxValues = 4096;
constexpr size_t kMaxPath = 64;
constexpr size_t kMaxParts = 256;
constexpr size_t kMaxNameBytes = 256;

constexpr std::array<std::string_view, kJsonTypes> kTypeNames = {
    "null", "boolean", "integer", "number", "string", "array", "object"};

const std::set<std::string_view> kAnnotations = {
    "title",   "description", "default",  "examples",  "$schema",    "$id",        "$comment",
    "$anchor", "$defs",       "readOnly", "writeOnly", "deprecated", "definitions"};

const std::set<std::string_view> kKeywords = {
    "type",     "enum",     "const",    "minLength", "maxLength",        "pattern",
    "format",   "minimum",  "maximum",  "items",     "exclusiveMinimum", "exclusiveMaximum",
    "minItems", "maxItems", "required", "anyOf",     "properties",       "additionalProperties",
    "oneOf",    "allOf",    "$ref"};

auto FindPart(SchemaParts& parts, uint32_t index) {
  return std::find_if(parts.begin(), parts.end(),
                      [index](const SchemaPart& part) { return part.index == index; });
}

void Append(SchemaParts& parts, uint32_t index) {
  if (FindPart(parts, index) == parts.end()) parts.push_back({.index = index});
}

/// The place of a value as a JSON pointer; empty when it is not below `at`.
std::optional<std::string> PointerTo(JsonView at, uint32_t index) {
  if (at.index() == index) return "";
  std::optional<std::string> found;
  if (at.is_object()) {
    at.ForEachMember([&](std::string_view name, JsonView value) {
      if (found || value.index() > index) return;
      if (const auto rest = PointerTo(value, index)) found = fmt::format("/{}{}", name, *rest);
    });
  } else if (at.is_array()) {
    size_t i = 0;
    at.ForEachItem([&](JsonView value) {
      if (!found && value.index() <= index) {
        if (const auto rest = PointerTo(value, index)) found = fmt::format("/{}{}", i, *rest);
      }
      ++i;
    });
  }
  return found;
}

}  // namespace

std::string WriteJson(JsonView value) {
  switch (value.kind()) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return value.as_bool() ? "true" : "false";
    case JsonKind::kInt:
      return fmt::format("{}", value.as_int());
    case JsonKind::kDouble:
      return fmt::format("{}", value.as_double());
    case JsonKind::kString:
      return QuoteJson(value.as_string());
    case JsonKind::kArray: {
      std::string text = "[";
      value.ForEachItem([&](JsonView item) {
        if (text.size() > 1) text += ',';
        text += WriteJson(item);
      });
      return text + "]";
    }
    case JsonKind::kObject: {
      std::string text = "{";
      value.ForEachMember([&](std::string_view name, JsonView member) {
        if (text.size() > 1) text += ',';
        text += QuoteJson(name) + ":" + WriteJson(member);
      });
      return text + "}";
    }
  }
  return "";
}

absl::Status SchemaReader::Error(uint32_t index, std::string_view what) const {
  const std::optional<std::string> pointer = PointerTo(View(0), index);
  return absl::InvalidArgumentError(fmt::format("#{}: {}", pointer.value_or("?"), what));
}

absl::Status SchemaReader::CheckKeywords(JsonView schema) {
  absl::Status status;
  schema.ForEachMember([&](std::string_view name, JsonView value) {
    if (!status.ok() || kKeywords.contains(name) || kAnnotations.contains(name)) return;
    if (name == "uniqueItems" && value.is_bool() && !value.as_bool()) return;
    status = Error(value.index(), "this keyword is not supported");
  });
  return status;
}

/// The value that `#/$defs/name` and the like point to.
absl::StatusOr<uint32_t> SchemaReader::Resolve(JsonView reference) const {
  if (!reference.is_string() || !reference.as_string().starts_with('#')) {
    return Error(reference.index(), "expected a reference within the document, #/...");
  }
  std::string_view rest = reference.as_string().substr(1);
  JsonView at = View(0);
  while (!rest.empty()) {
    if (rest[0] != '/') return Error(reference.index(), "expected #/...");
    const std::string_view raw = rest.substr(1, rest.find('/', 1) - 1);
    rest.remove_prefix(raw.size() + 1);
    std::string name;
    for (size_t i = 0; i < raw.size(); ++i) {
      const bool escaped = raw[i] == '~' && i + 1 < raw.size();
      name += !escaped ? raw[i] : raw[++i] == '1' ? '/' : '~';
    }
    std::optional<JsonView> child = at.Find(name);
    if (at.is_array() && !name.empty() && name.size() < 6 &&
        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      const std::vector<JsonView> items = at.Items();
      const auto i = static_cast<size_t>(std::stoul(name));
      if (i < items.size()) child = items[i];
    }
    if (!child) return Error(reference.index(), "points to nothing");
    at = *child;
  }
  return at.index();
}

/// What $ref and allOf of the schema name.
absl::Status SchemaReader::GatherReferred(JsonView schema, std::vector<uint32_t>& path,
                                          SchemaParts& all) {
  if (const auto reference = schema.Find("$ref")) {
    const absl::StatusOr<uint32_t> target = Resolve(*reference);
    if (!target.ok()) return target.status();
    const absl::Status gathered = Gather(*target, path, all);
    if (!gathered.ok()) return gathered;
  }
  const auto every = schema.Find("allOf");
  if (!every) return absl::OkStatus();
  if (!every->is_array()) return Error(every->index(), "expected an array of schemas");
  for (const JsonView item : every->Items()) {
    const absl::Status gathered = Gather(item.index(), path, all);
    if (!gathered.ok()) return gathered;
  }
  return absl::OkStatus();
}

/// The schema and all that it refers to, each once. A place within itself has no base, nor has one
/// that a way of its own anyOf leads back to.
absl::Status SchemaReader::Gather(uint32_t index, std::vector<uint32_t>& path, SchemaParts& all) {
  const JsonView schema = View(index);
  if (++work_ > kMaxWork) return Error(index, "the schema takes too long to compile");
  const auto known = FindPart(all, index);
  if (std::find(path.begin(), path.end(), index) != path.end() ||
      (known != all.end() && known->gathered)) {
    return Error(index, "refers to itself before anything else");
  }
  if (known != all.end()) return absl::OkStatus();
  if (path.size() >= kMaxPath) return Error(index, "nested too deeply");
  if (!schema.is_object() && !schema.is_bool()) {
    return Error(index, fmt::format("expected a schema, found {}", DescribeKind(schema.kind())));
  }
  if (all.size() >= kMaxParts) {
    return Error(index, fmt::format("more than {} schemas for one value", kMaxParts));
  }
  all.push_back({.index = index});
  if (schema.is_bool()) return absl::OkStatus();
  const absl::Status keywords = CheckKeywords(schema);
  if (!keywords.ok()) return keywords;
  path.push_back(index);
  const absl::Status gathered = GatherReferred(schema, path, all);
  path.pop_back();
  return gathered;
}

absl::Status SchemaReader::JoinTypes(JsonView value, SchemaTerms& terms) {
  std::array<bool, kJsonTypes> types{};
  std::vector<JsonView> names;
  if (value.is_array()) {
    names = value.Items();
  } else {
    names.push_back(value);
  }
  for (const JsonView name : names) {
    const auto known = name.is_string()
                           ? std::find(kTypeNames.begin(), kTypeNames.end(), name.as_string())
                           : kTypeNames.end();
    if (known == kTypeNames.end()) {
      return Error(name.index(), fmt::format("expected the name of a type, found {}",
                                             WriteJson(name).substr(0, 64)));
    }
    types[static_cast<size_t>(known - kTypeNames.begin())] = true;
  }
  constexpr auto kInteger = static_cast<size_t>(JsonType::kInteger);
  constexpr auto kNumber = static_cast<size_t>(JsonType::kNumber);
  types[kInteger] = types[kInteger] || types[kNumber];
  for (size_t i = 0; i < kJsonTypes; ++i) terms.types[i] = terms.types[i] && types[i];
  return absl::OkStatus();
}

absl::Status SchemaReader::JoinValues(JsonView values, bool is_list, SchemaTerms& terms) {
  if (is_list && (!values.is_array() || values.size() == 0 || values.size() > kMaxValues)) {
    return Error(values.index(), fmt::format("expected an array of 1 to {} values, found {}",
                                             kMaxValues, values.size()));
  }
  std::vector<std::string> texts;
  for (const JsonView value : is_list ? values.Items() : std::vector<JsonView>{values}) {
    if (value.is_object() || value.is_array()) ++work_;
    texts.push_back(WriteJson(value));
  }
  if (terms.values) {
    const std::unordered_set<std::string> before(terms.values->begin(), terms.values->end());
    std::erase_if(texts, [&](const std::string& text) { return !before.contains(text); });
  }
  terms.values = std::move(texts);
  return absl::OkStatus();
}

absl::Status SchemaReader::JoinText(JsonView value, std::string_view name,
                                    std::optional<std::string>& text) {
  if (!value.is_string()) {
    return Error(value.index(),
                 fmt::format("expected a string, found {}", DescribeKind(value.kind())));
  }
  if (text && *text != value.as_string()) {
    return Error(value.index(), fmt::format("two values of {} at once are not supported", name));
  }
  text = std::string(value.as_string());
  return absl::OkStatus();
}

absl::Status SchemaReader::JoinBound(std::string_view name, JsonView value, SchemaTerms& terms) {
  constexpr double kLargest = 1e15;
  const bool fits = value.is_number() && std::abs(value.as_double()) < kLargest &&
                    std::floor(value.as_double()) == value.as_double();
  if (!fits) {
    return Error(value.index(), fmt::format("expected a whole number of at most 15 digits, found "
                                            "{}",
                                            WriteJson(value).substr(0, 64)));
  }
  const bool is_low = name == "minimum" || name == "exclusiveMinimum";
  const JsonBound bound{static_cast<int64_t>(value.as_double()), name.starts_with("exclusive")};
  std::optional<JsonBound>& old = is_low ? terms.low : terms.high;
  const bool tighter = !old || (is_low ? bound.value > old->value : bound.value < old->value) ||
                       (bound.value == old->value && bound.exclusive);
  if (tighter) old = bound;
  return absl::OkStatus();
}

absl::Status SchemaReader::JoinCount(std::string_view name, JsonView value, SchemaTerms& terms) {
  constexpr int64_t kLargest = 1 << 30;
  const bool fits = value.is_number() && value.as_double() >= 0 &&
                    value.as_double() <= static_cast<double>(kLargest) &&
                    std::floor(value.as_double()) == value.as_double();
  if (!fits) {
    return Error(value.index(), fmt::format("expected a count, 0 to {}, found {}", kLargest,
                                            WriteJson(value).substr(0, 64)));
  }
  const auto count = static_cast<int64_t>(value.as_double());
  if (name == "minLength") terms.min_length = std::max(terms.min_length, count);
  if (name == "minItems") terms.min_items = std::max(terms.min_items, count);
  if (name == "maxLength") terms.max_length = std::min(terms.max_length.value_or(count), count);
  if (name == "maxItems") terms.max_items = std::min(terms.max_items.value_or(count), count);
  return absl::OkStatus();
}

absl::Status SchemaReader::JoinKeyword(std::string_view name, JsonView value, SchemaTerms& terms) {
  if (kAnnotations.contains(name) || name == "$ref" || name == "allOf" || name == "anyOf" ||
      name == "oneOf" || name == "uniqueItems") {
    return absl::OkStatus();
  }
  if (name == "type") return JoinTypes(value, terms);
  if (name == "enum" || name == "const") return JoinValues(value, name == "enum", terms);
  terms.restricts_beyond_type = true;
  if (name == "pattern") return JoinText(value, name, terms.pattern);
  if (name == "format") return JoinText(value, name, terms.format);
  if (name == "items") {
    Append(terms.items, value.index());
    return absl::OkStatus();
  }
  if (name.starts_with("exclusive") || name == "minimum" || name == "maximum") {
    return JoinBound(name, value, terms);
  }
  if (name.starts_with("min") || name.starts_with("max")) return JoinCount(name, value, terms);
  return absl::OkStatus();  // what objects hold is joined over all parts at once
}

absl::Status SchemaReader::Join(JsonView schema, SchemaTerms& terms) {
  if (schema.is_bool()) {
    terms.impossible = terms.impossible || !schema.as_bool();
    return absl::OkStatus();
  }
  absl::Status status;
  schema.ForEachMember([&](std::string_view name, JsonView value) {
    if (status.ok()) status = JoinKeyword(name, value, terms);
  });
  return status;
}

/// Members that other parts do not name must be allowed by those too.
void SchemaReader::JoinOtherMembers(const SchemaParts& all, SchemaTerms& terms) {
  bool any_said = false, any_properties = false, forbidden = false;
  for (const SchemaPart& part : all) {
    const JsonView schema = View(part.index);
    std::unordered_set<std::string_view> named;
    if (const auto properties = schema.Find("properties")) {
      any_properties = true;
      properties->ForEachMember([&](std::string_view name, JsonView) { named.insert(name); });
    }
    const auto others = schema.Find("additionalProperties");
    if (!others) continue;
    any_said = true;
    const bool none = others->is_bool() && !others->as_bool();
    forbidden = forbidden || none;
    if (others->is_object()) Append(terms.other_parts, others->index());
    for (SchemaTerms::Property& property : terms.properties) {
      if (named.contains(property.name)) continue;
      property.forbidden = property.forbidden || none;
      if (others->is_object()) Append(property.parts, others->index());
    }
  }
  terms.other_members = !forbidden && (any_said || !any_properties);
}

absl::Status SchemaReader::JoinProperties(const SchemaParts& all, SchemaTerms& terms) {
  std::unordered_map<std::string, size_t> places;
  const auto note = [&](std::string_view name) -> SchemaTerms::Property& {
    const auto [place, is_new] = places.try_emplace(std::string(name), terms.properties.size());
    if (is_new) terms.properties.push_back({.name = std::string(name), .parts = {}});
    return terms.properties[place->second];
  };
  for (const SchemaPart& part : all) {
    const auto properties = View(part.index).Find("properties");
    if (!properties) continue;
    if (!properties->is_object()) return Error(properties->index(), "expected an object");
    properties->ForEachMember(
        [&](std::string_view name, JsonView schema) { Append(note(name).parts, schema.index()); });
  }
  for (const SchemaPart& part : all) {
    const auto required = View(part.index).Find("required");
    if (!required) continue;
    if (!required->is_array()) return Error(required->index(), "expected an array of names");
    for (const JsonView name : required->Items()) {
      if (!name.is_string()) return Error(name.index(), "expected the name of a member");
      note(name.as_string()).required = true;
    }
  }
  if (terms.properties.size() > kMaxProperties) {
    return Error(all.front().index, fmt::format("expected at most {} properties, found {}",
                                                kMaxProperties, terms.properties.size()));
  }
  for (const SchemaTerms::Property& property : terms.properties) {
    if (property.name.size() <= kMaxNameBytes) continue;
    return Error(all.front().index, fmt::format("expected names of at most {} bytes, found {}",
                                                kMaxNameBytes, property.name.size()));
  }
  JoinOtherMembers(all, terms);
  return absl::OkStatus();
}

/// The first undecided anyOf or oneOf: one list of parts per branch.
absl::Status SchemaReader::AddAlternatives(const SchemaParts& all, SchemaTerms& terms) {
  for (size_t i = 0; i < all.size(); ++i) {
    const JsonView schema = View(all[i].index);
    const auto any = schema.Find("anyOf");
    const auto one = schema.Find("oneOf");
    if (all[i].chosen || (!any && !one)) continue;
    if (any && one) return Error(one->index(), "oneOf with anyOf is not supported");
    const JsonView ways = any ? *any : *one;
    if (!ways.is_array() || ways.size() == 0 || ways.size() > kMaxValues) {
      return Error(ways.index(), fmt::format("expected an array of 1 to {} schemas", kMaxValues));
    }
    for (const JsonView way : ways.Items()) {
      SchemaParts parts = all;
      for (SchemaPart& part : parts) part.gathered = true;
      parts[i].chosen = true;
      parts.push_back({.index = way.index()});
      work_ += static_cast<int>(parts.size());
      terms.alternatives.push_back(std::move(parts));
    }
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::StatusOr<SchemaTerms> SchemaReader::Read(const SchemaParts& parts) {
  SchemaTerms terms;
  terms.types.fill(true);
  SchemaParts all;
  std::vector<uint32_t> path;
  for (const SchemaPart& part : parts) {
    if (part.gathered) {
      all.push_back(part);
      continue;
    }
    const absl::Status gathered = Gather(part.index, path, all);
    if (!gathered.ok()) return gathered;
  }
  const absl::Status alternatives = AddAlternatives(all, terms);
  if (!alternatives.ok()) return alternatives;
  if (!terms.alternatives.empty()) return terms;
  for (const SchemaPart& part : all) {
    const absl::Status joined = Join(View(part.index), terms);
    if (!joined.ok()) return joined;
  }
  if (all.empty()) {
    terms.other_members = true;
    return terms;
  }
  const absl::Status joined = JoinProperties(all, terms);
  if (!joined.ok()) return joined;
  return terms;
}

}  // namespace emptor::engine
