// The filter object of requests and replies.
#include "services/api/filter_codec.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/money.h"
#include "catalog/validation.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/api/object_reader.h"

namespace emptor::services {
namespace {

using catalog::JsonValue;
using catalog::JsonWriter;
using retrieval::Filter;
using retrieval::FilterPart;
using retrieval::NumericRange;

constexpr size_t kMaxConditions = 20;
constexpr double kMaxQuantity = 1e15;

constexpr std::array<std::pair<std::string_view, FilterPart>, retrieval::kFilterPartCount>
    kMembers = {{{"price", FilterPart::kPrice},
                 {"brands", FilterPart::kBrand},
                 {"not_brands", FilterPart::kExcludedBrand},
                 {"categories", FilterPart::kCategory},
                 {"not_categories", FilterPart::kExcludedCategory},
                 {"colors", FilterPart::kColor},
                 {"not_colors", FilterPart::kExcludedColor},
                 {"availability", FilterPart::kAvailability},
                 {"location", FilterPart::kLocation},
                 {"condition", FilterPart::kCondition},
                 {"min_rating", FilterPart::kMinRating},
                 {"attributes", FilterPart::kAttribute},
                 {"ranges", FilterPart::kRange},
                 {"not", FilterPart::kExcludedTerm},
                 {"item_group", FilterPart::kItemGroup},
                 {"locale", FilterPart::kLocale}}};

bool IsRegion(const std::string& text) {
  return text.size() == 2 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

void ReadPrice(ObjectReader& reader, Filter& filter) {
  const JsonValue* price = reader.Find("price");
  if (price == nullptr) return;
  ObjectReader inner(*price, reader.PathOf("price"));
  inner.Allow({"min", "max", "currency", "region"});
  inner.Integer("min", 0, catalog::kMaxAmount, filter.min_price);
  inner.Integer("max", 0, catalog::kMaxAmount, filter.max_price);
  inner.Text("currency", 3, filter.currency);
  inner.Text("region", 2, filter.region);
  if (inner.ok() && !catalog::IsCurrencyCode(filter.currency)) {
    inner.Fail("currency", "expected three capital letters");
  }
  if (inner.ok() && !filter.region.empty() && !IsRegion(filter.region)) {
    inner.Fail("region", "expected two capital letters");
  }
  if (filter.min_price && filter.max_price && *filter.min_price > *filter.max_price) {
    inner.Fail("max", "must not be below min");
  }
  reader.Take(inner.status());
}

/// Reads enumerators by name.
template <typename Enum, typename Parse>
void ReadNames(ObjectReader& reader, std::string_view name, Parse&& parse,
               std::string_view expected, std::vector<Enum>& out) {
  std::vector<std::string> texts;
  reader.Texts(name, texts);
  for (const std::string& text : texts) {
    const auto parsed = parse(text);
    if (!parsed) return reader.Fail(name, expected);
    out.push_back(*parsed);
  }
}

void ReadColors(ObjectReader& reader, std::string_view name, std::vector<std::string>& out) {
  std::vector<std::string> texts;
  reader.Texts(name, texts);
  for (const std::string& text : texts) {
    const std::string_view color = retrieval::FindColor(retrieval::FoldForComparison(text));
    if (color.empty()) return reader.Fail(name, "expected names of colors");
    out.emplace_back(color);
  }
}

/// Calls `read(reader of the element)` for each object of an array.
template <typename Read>
void ForEachObject(ObjectReader& reader, std::string_view name, Read&& read) {
  const JsonValue* value = reader.Find(name);
  if (value == nullptr) return;
  if (!value->is_array()) return reader.Expected(name, "an array", *value);
  if (value->as_array().size() > kMaxConditions) return reader.Fail(name, "too many values");
  for (size_t i = 0; i < value->as_array().size(); ++i) {
    ObjectReader inner(value->as_array()[i], reader.PathOf(name) + "[" + std::to_string(i) + "]");
    read(inner);
    reader.Take(inner.status());
  }
}

void ReadAttributes(ObjectReader& reader, Filter& filter) {
  ForEachObject(reader, "attributes", [&](ObjectReader& inner) {
    inner.Allow({"name", "values"});
    retrieval::AttributeCondition condition;
    inner.Text("name", 256, condition.name);
    inner.Texts("values", condition.values);
    if (inner.ok() && condition.name.empty()) inner.Fail("name", "must not be empty");
    if (inner.ok() && condition.values.empty()) inner.Fail("values", "must not be empty");
    filter.attributes.push_back(std::move(condition));
  });
}

void ReadRange(ObjectReader& inner, Filter& filter) {
  inner.Allow({"attribute", "unit", "min", "max", "above", "below"});
  NumericRange range;
  inner.Text("attribute", 256, range.attribute);
  inner.Text("unit", 32, range.unit);
  std::optional<double> above, below;
  inner.Number("min", -kMaxQuantity, kMaxQuantity, range.min);
  inner.Number("max", -kMaxQuantity, kMaxQuantity, range.max);
  inner.Number("above", -kMaxQuantity, kMaxQuantity, above);
  inner.Number("below", -kMaxQuantity, kMaxQuantity, below);
  if (!inner.ok()) return;
  if (range.min && above) return inner.Fail("above", "not together with min");
  if (range.max && below) return inner.Fail("below", "not together with max");
  range.min_open = above.has_value();
  range.max_open = below.has_value();
  if (above) range.min = above;
  if (below) range.max = below;
  if (!range.min && !range.max) return inner.Fail("min", "expected min, max, above or below");
  if (range.min && range.max && *range.min > *range.max) {
    return inner.Fail("max", "must not be below min");
  }
  const std::string unit = retrieval::FoldForComparison(range.unit);
  if (!unit.empty() && !retrieval::FindUnit(unit)) return inner.Fail("unit", "not a known unit");
  if (unit.empty() && range.attribute.empty()) {
    return inner.Fail("attribute", "must not be empty where there is no unit");
  }
  filter.ranges.push_back(std::move(range));
}

void ReadText(ObjectReader& reader, std::string_view name, std::string& out) {
  reader.Text(name, 256, out);
}

void WriteTexts(std::string_view name, const std::vector<std::string>& values, JsonWriter& writer) {
  if (values.empty()) return;
  writer.Key(name).BeginArray();
  for (const std::string& value : values) writer.String(value);
  writer.EndArray();
}

template <typename Enum>
void WriteNames(std::string_view name, const std::vector<Enum>& values, JsonWriter& writer) {
  if (values.empty()) return;
  writer.Key(name).BeginArray();
  for (const Enum value : values) writer.String(catalog::ToString(value));
  writer.EndArray();
}

void WritePrice(const Filter& filter, JsonWriter& writer) {
  if (!filter.has_price()) return;
  writer.Key("price").BeginObject();
  if (filter.min_price) writer.Member("min", *filter.min_price);
  if (filter.max_price) writer.Member("max", *filter.max_price);
  writer.Member("currency", filter.currency);
  if (!filter.region.empty()) writer.Member("region", filter.region);
  writer.EndObject();
}

void WriteRanges(const std::vector<NumericRange>& ranges, JsonWriter& writer) {
  if (ranges.empty()) return;
  writer.Key("ranges").BeginArray();
  for (const NumericRange& range : ranges) {
    writer.BeginObject();
    if (!range.attribute.empty()) writer.Member("attribute", range.attribute);
    if (!range.unit.empty()) writer.Member("unit", range.unit);
    if (range.min) writer.Member(range.min_open ? "above" : "min", *range.min);
    if (range.max) writer.Member(range.max_open ? "below" : "max", *range.max);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteAttributes(const std::vector<retrieval::AttributeCondition>& attributes,
                     JsonWriter& writer) {
  if (attributes.empty()) return;
  writer.Key("attributes").BeginArray();
  for (const retrieval::AttributeCondition& condition : attributes) {
    writer.BeginObject().Member("name", condition.name);
    WriteTexts("values", condition.values, writer);
    writer.EndObject();
  }
  writer.EndArray();
}

}  // namespace

std::span<const std::pair<std::string_view, FilterPart>> FilterMembers() { return kMembers; }

absl::StatusOr<RequestFilter> FilterFromJson(const JsonValue& value, const std::string& where) {
  RequestFilter result;
  Filter& filter = result.filter;
  ObjectReader reader(value, where);
  reader.Allow({"price", "brands", "not_brands", "categories", "not_categories", "colors",
                "not_colors", "availability", "location", "condition", "min_rating", "attributes",
                "ranges", "not", "item_group", "locale"});
  for (const auto& [name, part] : kMembers) {
    if (reader.ok() && value.Find(name) != nullptr) result.named.Insert(part);
  }
  ReadPrice(reader, filter);
  reader.Texts("brands", filter.brands);
  reader.Texts("not_brands", filter.excluded_brands);
  reader.Texts("categories", filter.categories);
  reader.Texts("not_categories", filter.excluded_categories);
  ReadColors(reader, "colors", filter.colors);
  ReadColors(reader, "not_colors", filter.excluded_colors);
  ReadNames(reader, "availability", catalog::ParseAvailability,
            "expected in_stock, out_of_stock, preorder or backorder", filter.availability);
  ReadText(reader, "location", filter.location);
  ReadNames(reader, "condition", catalog::ParseCondition, "expected new, refurbished or used",
            filter.conditions);
  reader.Number("min_rating", 0, 5, filter.min_rating);
  ReadAttributes(reader, filter);
  ForEachObject(reader, "ranges", [&](ObjectReader& inner) { ReadRange(inner, filter); });
  reader.Texts("not", filter.excluded_terms);
  ReadText(reader, "item_group", filter.item_group);
  reader.Text("locale", 35, filter.locale);
  if (!reader.ok()) return reader.status();
  return result;
}

void WriteFilter(const Filter& filter, JsonWriter& writer) {
  writer.BeginObject();
  WritePrice(filter, writer);
  WriteTexts("brands", filter.brands, writer);
  WriteTexts("not_brands", filter.excluded_brands, writer);
  WriteTexts("categories", filter.categories, writer);
  WriteTexts("not_categories", filter.excluded_categories, writer);
  WriteTexts("colors", filter.colors, writer);
  WriteTexts("not_colors", filter.excluded_colors, writer);
  WriteNames("availability", filter.availability, writer);
  if (!filter.location.empty()) writer.Member("location", filter.location);
  WriteNames("condition", filter.conditions, writer);
  if (filter.min_rating) writer.Member("min_rating", *filter.min_rating);
  WriteAttributes(filter.attributes, writer);
  WriteRanges(filter.ranges, writer);
  WriteTexts("not", filter.excluded_terms, writer);
  if (!filter.item_group.empty()) writer.Member("item_group", filter.item_group);
  if (!filter.locale.empty()) writer.Member("locale", filter.locale);
  writer.EndObject();
}

void WriteRelaxedMembers(const Filter& asked, std::span<const retrieval::RelaxationStep> steps,
                         std::string_view explanation, JsonWriter& writer) {
  if (steps.empty()) return;
  writer.Key("relaxed").BeginArray();
  for (const retrieval::RelaxationStep& step : steps) {
    Filter condition;
    CopyPart(step.part, asked, condition);
    writer.BeginObject().Member("condition", ToString(step.part));
    writer.Member("action", step.widened ? "widened" : "dropped").Key("asked");
    WriteFilter(condition, writer);
    writer.EndObject();
  }
  writer.EndArray().Member("explanation", explanation);
}

}  // namespace emptor::services
