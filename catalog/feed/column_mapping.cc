// Walks the tree of a mapping; errors name the path to the faulty part.
#include "catalog/feed/column_mapping.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/utf8.h"
#include "catalog/feed/amount.h"
#include "catalog/feed/fields.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;
using Kind = MappingNode::Kind;
using Limits = MappingLimits;

constexpr View kOption = "columns";

bool IsRegion(View region) {
  return region.size() == 2 &&
         std::all_of(region.begin(), region.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::optional<FieldName> ReadField(View text) {
  if (text.size() > Limits::kName || !IsValidUtf8(text)) return std::nullopt;
  return FieldOfMapping(text);
}

// A name as shown in messages: shortened, without control characters and quotes.
std::string Shown(View name) {
  const std::string quoted = Quoted(name);
  return quoted.starts_with('"') ? quoted.substr(1, quoted.size() - 2) : quoted;
}

bool IsAmount(Field field) {
  return field == Field::kPrice || field == Field::kSalePrice || field == Field::kRegionalPrice ||
         field == Field::kRegionalSalePrice;
}

/// Reads a tree into options; keeps the path to the current part.
class MappingReader {
 public:
  MappingReader(View source, FeedOptions& options) : source_(source), options_(options) {}

  absl::Status Read(const MappingNode& root) {
    if (root.kind != Kind::kMap) return Fail(root, {}, "expected a map");
    for (const MappingNode& part : root.members) {
      absl::Status status = IsAgain(root, part)      ? Fail(part, {part.name}, "appears twice")
                            : part.name == "columns" ? ReadColumns(part)
                            : part.name == "values"  ? ReadConstants(part)
                            : part.name == "markets" ? ReadMarkets(part)
                                                     : ReadStyle(part);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  using Path = std::vector<View>;

  absl::Status Fail(const MappingNode& node, const Path& path, std::string_view what) const {
    std::string where = source_.empty() ? "" : fmt::format("{}:{}: ", source_, node.line);
    for (View part : path) where += fmt::format("{}: ", Shown(part));
    return absl::InvalidArgumentError(where + std::string(what));
  }
  absl::Status Expected(const MappingNode& node, const Path& path, View what) const {
    return Fail(node, path,
                fmt::format("expected {}, found {}", what,
                            node.kind == Kind::kText  ? Quoted(node.text)
                            : node.kind == Kind::kMap ? "a map"
                                                      : "a list"));
  }
  static bool IsAgain(const MappingNode& map, const MappingNode& member) {
    return std::any_of(map.members.data(), &member,
                       [&](const MappingNode& other) { return other.name == member.name; });
  }

  // Checks a map of named entries: bounded, each name once.
  absl::Status CheckEntries(const MappingNode& part, size_t most) const {
    if (part.kind != Kind::kMap) return Expected(part, {part.name}, "a map");
    if (part.members.size() > most) {
      return Fail(part, {part.name}, fmt::format("more than {} entries", most));
    }
    for (const MappingNode& entry : part.members) {
      const Path path = {part.name, entry.name};
      if (entry.name.empty() || entry.name.size() > Limits::kName || !IsValidUtf8(entry.name)) {
        return Fail(entry, path, fmt::format("expected a name of 1 to {} bytes", Limits::kName));
      }
      if (IsAgain(part, entry)) return Fail(entry, path, "appears twice");
    }
    return absl::OkStatus();
  }

  absl::Status ReadText(const MappingNode& node, const Path& path, size_t most,
                        std::string& out) const {
    const bool usable = node.kind == Kind::kText && !node.text.empty() &&
                        node.text.size() <= most && IsValidUtf8(node.text);
    if (!usable) return Expected(node, path, fmt::format("a text of 1 to {} bytes", most));
    out = node.text;
    return absl::OkStatus();
  }

  absl::Status ReadColumns(const MappingNode& part) {
    if (absl::Status status = CheckEntries(part, Limits::kColumns); !status.ok()) return status;
    for (const MappingNode& column : part.members) {
      if (column.kind != Kind::kList) {
        if (absl::Status status = ReadColumn(column, column.name); !status.ok()) return status;
        continue;
      }
      for (const MappingNode& target : column.members) {
        if (absl::Status status = ReadColumn(target, column.name); !status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  // "price", or {field: price, currency: EUR}.
  absl::Status ReadColumn(const MappingNode& node, const std::string& name) {
    if (options_.columns.size() == Limits::kColumns) {
      return Fail(node, {kOption, name}, fmt::format("more than {} fields", Limits::kColumns));
    }
    ColumnMapping mapping{.column = name, .field = node.text};
    if (node.kind == Kind::kList) return Expected(node, {kOption, name}, "a field");
    for (const MappingNode& member : node.members) {
      const Path path = {kOption, name, member.name};
      absl::Status status;
      if (IsAgain(node, member)) {
        status = Fail(member, path, "appears twice");
      } else if (member.name == "field") {
        status = ReadText(member, path, Limits::kName, mapping.field);
      } else if (member.name == "unit" || member.name == "currency") {
        status = mapping.unit.empty() ? ReadText(member, path, Limits::kUnit, mapping.unit)
                                      : Fail(member, path, "there is a unit already");
      } else if (member.name == "separator") {
        status = ReadText(member, path, Limits::kSeparator, mapping.separator);
      } else {
        status = Fail(member, path, "expected field, unit, currency or separator");
      }
      if (!status.ok()) return status;
    }
    if (absl::Status status = CheckColumn(node, mapping); !status.ok()) return status;
    options_.columns.push_back(std::move(mapping));
    return absl::OkStatus();
  }

  absl::Status CheckColumn(const MappingNode& node, const ColumnMapping& mapping) const {
    const Path path = {kOption, mapping.column};
    const auto field = ReadField(mapping.field);
    if (!field) return Fail(node, path, fmt::format("unknown field {}", Quoted(mapping.field)));
    if (mapping.unit.empty()) return absl::OkStatus();
    if (IsAmount(field->field) && !IsKnownCurrency(mapping.unit)) {
      return Fail(node, path, fmt::format("unknown currency {}", Quoted(mapping.unit)));
    }
    const bool has_unit = field->field == Field::kAttribute || field->field == Field::kOption;
    if (IsAmount(field->field) || has_unit) return absl::OkStatus();
    return Fail(node, path, fmt::format("{} has neither unit nor currency", mapping.field));
  }

  absl::Status ReadConstants(const MappingNode& part) {
    if (absl::Status status = CheckEntries(part, Limits::kConstants); !status.ok()) return status;
    for (const MappingNode& entry : part.members) {
      const Path path = {part.name, entry.name};
      const auto field = FieldOfMapping(entry.name);
      if (!field) return Fail(entry, path, "unknown field");
      if (field->field == Field::kId || field->field == Field::kDelete) {
        return Fail(entry, path, "cannot be the same of all rows");
      }
      ConstantField constant{.field = entry.name};
      const absl::Status status = ReadText(entry, path, Limits::kValue, constant.value);
      if (!status.ok()) return status;
      options_.constants.push_back(std::move(constant));
    }
    return absl::OkStatus();
  }

  // Canada: {region: CA, currency: CAD}; Europe: {region: [DE, FR], currency: EUR}.
  absl::Status ReadMarkets(const MappingNode& part) {
    if (absl::Status status = CheckEntries(part, Limits::kMarkets); !status.ok()) return status;
    for (const MappingNode& entry : part.members) {
      if (entry.kind != Kind::kMap) {
        return Expected(entry, {part.name, entry.name}, "{region, currency}");
      }
      std::vector<std::string> regions;
      std::string currency;
      for (const MappingNode& member : entry.members) {
        const Path path = {part.name, entry.name, member.name};
        if (member.name == "currency" && member.kind == Kind::kText) {
          currency = member.text;
          if (!IsKnownCurrency(currency)) return Expected(member, path, "a currency of ISO 4217");
        } else if (member.name == "region") {
          absl::Status status = ReadRegions(member, path, regions);
          if (!status.ok()) return status;
        } else {
          return Fail(member, path, "expected region and currency");
        }
      }
      if (currency.empty()) return Fail(entry, {part.name, entry.name, "currency"}, "missing");
      if (regions.empty()) regions.emplace_back();
      for (std::string& region : regions) {
        if (options_.markets.size() == Limits::kMarkets) {
          return Fail(entry, {part.name}, fmt::format("more than {} regions", Limits::kMarkets));
        }
        options_.markets.push_back({entry.name, std::move(region), currency});
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadRegions(const MappingNode& node, const Path& path,
                           std::vector<std::string>& regions) const {
    const auto add = [&](const MappingNode& each) {
      if (each.kind != Kind::kText || !IsRegion(each.text)) {
        return Expected(each, path, "a country code like DE");
      }
      regions.push_back(each.text);
      return absl::OkStatus();
    };
    if (node.kind != Kind::kList) return add(node);
    for (const MappingNode& each : node.members) {
      if (absl::Status status = add(each); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status ReadStyle(const MappingNode& part) {
    const Path path = {part.name};
    const bool is_text = part.kind == Kind::kText;
    if (part.name == "delimiter") {
      const auto is_usable = [](char c) {
        return c == '\t' || (c > ' ' && c < 0x7F && c != '"' && !std::isalnum(c));
      };
      if (!is_text || part.text.size() != 1 || !is_usable(part.text[0])) {
        return Expected(part, path, "one character like \";\" or \"\\t\"");
      }
      options_.delimiter = part.text[0];
    } else if (part.name == "decimal_mark") {
      if (!is_text || (part.text != "," && part.text != ".")) {
        return Expected(part, path, "\",\" or \".\"");
      }
      options_.decimal_mark = part.text == "," ? DecimalMark::kComma : DecimalMark::kPoint;
    } else if (part.name == "currency") {
      if (!is_text || !IsKnownCurrency(part.text)) {
        return Expected(part, path, "a currency of ISO 4217");
      }
      if (options_.currency.empty()) options_.currency = part.text;
    } else if (part.name == "locale") {
      if (!is_text || part.text.empty() || !IsValidLocale(part.text)) {
        return Expected(part, path, "a tag like en-US");
      }
      if (options_.locale.empty()) options_.locale = part.text;
    } else {
      return Fail(part, path,
                  "unknown setting: expected columns, values, markets, delimiter, decimal_mark, "
                  "currency or locale");
    }
    return absl::OkStatus();
  }

  const View source_;
  FeedOptions& options_;
};

MappingNode NodeOf(const JsonValue& value, std::string name) {
  MappingNode node;
  node.name = std::move(name);
  if (value.is_object()) {
    node.kind = Kind::kMap;
    for (const JsonMember& each : value.as_object()) {
      node.members.push_back(NodeOf(each.value, each.name));
    }
  } else if (value.is_array()) {
    node.kind = Kind::kList;
    for (const JsonValue& each : value.as_array()) node.members.push_back(NodeOf(each, {}));
  } else if (value.is_string()) {
    node.text = value.as_string();
  } else {
    node.text = JsonWriter().Value(value).Take();
  }
  return node;
}

absl::Status SetShortList(View text, std::vector<ColumnMapping>& columns) {
  while (!text.empty()) {
    const View pair = text.substr(0, text.find(','));
    const size_t sign = pair.rfind('=');
    const bool usable = sign != View::npos && sign > 0 && sign <= Limits::kName &&
                        sign + 1 < pair.size() && IsValidUtf8(pair);
    if (!usable || columns.size() == Limits::kColumns) {
      return absl::InvalidArgumentError(
          fmt::format("{}: expected Column=field,Column=field, found {}", kOption, Quoted(pair)));
    }
    const View field = pair.substr(sign + 1);
    if (!ReadField(field)) {
      return absl::InvalidArgumentError(fmt::format("{}: {}: unknown field {}", kOption,
                                                    Shown(pair.substr(0, sign)), Quoted(field)));
    }
    columns.push_back({std::string(pair.substr(0, sign)), std::string(field)});
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
  }
  return absl::OkStatus();
}

bool IsShortList(const FeedOptions& options) {
  const auto plain = [](const ColumnMapping& each) {
    return each.unit.empty() && each.separator.empty() &&
           each.column.find(',') == std::string::npos && !each.column.starts_with('{') &&
           each.field.find_first_of(",=") == std::string::npos;
  };
  return options.delimiter == 0 && options.decimal_mark == DecimalMark::kUnknown &&
         options.constants.empty() && options.markets.empty() &&
         std::all_of(options.columns.begin(), options.columns.end(), plain);
}

void WriteTarget(const ColumnMapping& mapping, JsonWriter& writer) {
  if (mapping.unit.empty() && mapping.separator.empty()) {
    writer.String(mapping.field);
    return;
  }
  writer.BeginObject().Member("field", mapping.field);
  if (!mapping.unit.empty()) writer.Member("unit", mapping.unit);
  if (!mapping.separator.empty()) writer.Member("separator", mapping.separator);
  writer.EndObject();
}

// Adjacent entries of one name form one member.
template <typename Entries, typename NameOf, typename Write>
void WriteByName(const Entries& entries, NameOf name_of, Write write, JsonWriter& writer) {
  writer.BeginObject();
  for (size_t i = 0; i < entries.size(); ++i) {
    const std::string& name = name_of(entries[i]);
    const auto same = [&](const auto& each) { return name_of(each) == name; };
    const auto begin = entries.begin() + static_cast<ptrdiff_t>(i);
    if (std::any_of(entries.begin(), begin, same)) continue;
    Entries group;
    std::copy_if(begin, entries.end(), std::back_inserter(group), same);
    writer.Key(name);
    write(group);
  }
  writer.EndObject();
}

}  // namespace

absl::Status ApplyMapping(const MappingNode& root, View source, FeedOptions& options) {
  FeedOptions changed = options;
  changed.columns.clear();
  changed.constants.clear();
  changed.markets.clear();
  changed.delimiter = 0;
  changed.decimal_mark = DecimalMark::kUnknown;
  MappingReader reader(source, changed);
  if (absl::Status status = reader.Read(root); !status.ok()) return status;
  options = std::move(changed);
  return absl::OkStatus();
}

absl::Status SetColumns(View text, FeedOptions& options) {
  if (!text.starts_with('{')) {
    std::vector<ColumnMapping> columns;
    if (absl::Status status = SetShortList(text, columns); !status.ok()) return status;
    options.columns = std::move(columns);
    return absl::OkStatus();
  }
  const auto value = ParseJson(
      text,
      {.max_bytes = Limits::kBytes, .max_depth = Limits::kDepth, .max_nodes = Limits::kNodes});
  if (!value.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", kOption, std::string(value.status().message())));
  }
  return ApplyMapping(NodeOf(*value, {}), {}, options);
}

std::string ColumnsText(const FeedOptions& options) {
  if (IsShortList(options)) {
    std::string list;
    for (const ColumnMapping& each : options.columns) {
      list += fmt::format("{}{}={}", list.empty() ? "" : ",", each.column, each.field);
    }
    return list;
  }
  JsonWriter writer;
  writer.BeginObject();
  if (!options.columns.empty()) {
    writer.Key("columns");
    WriteByName(
        options.columns,
        [](const ColumnMapping& each) -> const std::string& { return each.column; },
        [&](const std::vector<ColumnMapping>& targets) {
          if (targets.size() == 1) return WriteTarget(targets[0], writer);
          writer.BeginArray();
          for (const ColumnMapping& target : targets) WriteTarget(target, writer);
          writer.EndArray();
        },
        writer);
  }
  if (!options.constants.empty()) {
    writer.Key("values").BeginObject();
    for (const ConstantField& each : options.constants) writer.Member(each.field, each.value);
    writer.EndObject();
  }
  if (!options.markets.empty()) {
    writer.Key("markets");
    WriteByName(
        options.markets, [](const MarketName& each) -> const std::string& { return each.market; },
        [&](const std::vector<MarketName>& places) {
          writer.BeginObject();
          if (!places[0].region.empty()) {
            writer.Key("region").BeginArray();
            for (const MarketName& place : places) writer.String(place.region);
            writer.EndArray();
          }
          writer.Member("currency", places[0].currency).EndObject();
        },
        writer);
  }
  if (options.delimiter != 0) writer.Member("delimiter", View(&options.delimiter, 1));
  if (options.decimal_mark != DecimalMark::kUnknown) {
    writer.Member("decimal_mark", options.decimal_mark == DecimalMark::kComma ? "," : ".");
  }
  return writer.EndObject().Take();
}

}  // namespace emptor::catalog
