// One row per field: its name and how to copy it.
#include "catalog/feed/product_patch.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "catalog/encoding/utf8.h"
#include "catalog/product_json.h"
#include "catalog/validation.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

struct PatchField {
  std::string_view name;
  void (*take)(const Product& from, Product& to);
};
using F = const Product&;
using T = Product&;
constexpr PatchField kFields[] = {
    {"title", [](F f, T t) { t.title = f.title; }},
    {"description", [](F f, T t) { t.description = f.description; }},
    {"brand", [](F f, T t) { t.brand = f.brand; }},
    {"gtin", [](F f, T t) { t.gtin = f.gtin; }},
    {"mpn", [](F f, T t) { t.mpn = f.mpn; }},
    {"categories", [](F f, T t) { t.categories = f.categories; }},
    {"price", [](F f, T t) { t.price = f.price; }},
    {"sale_price", [](F f, T t) { t.sale_price = f.sale_price; }},
    {"sale_price_effective_date",
     [](F f, T t) { t.sale_price_effective = f.sale_price_effective; }},
    {"availability", [](F f, T t) { t.availability = f.availability; }},
    {"condition", [](F f, T t) { t.condition = f.condition; }},
    {"link", [](F f, T t) { t.link = f.link; }},
    {"image_link", [](F f, T t) { t.image_link = f.image_link; }},
    {"additional_image_links",
     [](F f, T t) { t.additional_image_links = f.additional_image_links; }},
    {"rating", [](F f, T t) { t.rating = f.rating; }},
    {"attributes", [](F f, T t) { t.attributes = f.attributes; }},
    {"item_group_id", [](F f, T t) { t.item_group_id = f.item_group_id; }},
    {"options", [](F f, T t) { t.options = f.options; }},
    {"regional_prices", [](F f, T t) { t.regional_prices = f.regional_prices; }},
    {"shipping", [](F f, T t) { t.shipping = f.shipping; }},
    {"stock", [](F f, T t) { t.stock = f.stock; }},
    {"popularity", [](F f, T t) { t.popularity = f.popularity; }},
    {"trust", [](F f, T t) { t.trust = f.trust; }},
    {"quarantine", [](F f, T t) { t.quarantine = f.quarantine; }},
    {"locale", [](F f, T t) { t.locale = f.locale; }},
    {"updated_at", [](F f, T t) { t.updated_at = f.updated_at; }},
};

const PatchField* FindField(std::string_view name) {
  const auto* field = std::find_if(std::begin(kFields), std::end(kFields),
                                   [&](const PatchField& each) { return each.name == name; });
  return field == std::end(kFields) ? nullptr : field;
}

absl::Status UnknownField(std::string_view name) {
  return absl::InvalidArgumentError(fmt::format("{}: unknown field", Utf8Prefix(name, 64)));
}

}  // namespace

absl::StatusOr<ProductPatch> PatchFromJson(const JsonValue& value, LenientReading* lenient) {
  if (!value.is_object()) {
    return absl::InvalidArgumentError(
        fmt::format("record: expected an object, found {}", DescribeKind(value.kind())));
  }
  ProductPatch patch;
  JsonValue::Object present;
  for (const JsonMember& member : value.as_object()) {
    const bool names_record = member.name == "id" || member.name == "kind";
    if (!names_record) {
      if (FindField(member.name) == nullptr) {
        if (lenient == nullptr) return UnknownField(member.name);
        lenient->problems.push_back({std::string(Utf8Prefix(member.name, 64)), "unknown field"});
        continue;
      }
      patch.fields.push_back(member.name);
      if (member.value.is_null()) continue;
    }
    present.push_back(member);
  }
  absl::StatusOr<Product> values = ProductFieldsFromJson(JsonValue(std::move(present)), lenient);
  if (!values.ok()) return values.status();
  patch.values = *std::move(values);
  if (lenient != nullptr) {
    for (const std::string& name : lenient->left_out) std::erase(patch.fields, name);
    RepairPatch(patch, lenient->problems);
  }
  if (!IsValidId(patch.values.id)) {
    return absl::InvalidArgumentError("id: missing or not a valid id");
  }
  return patch;
}

void RepairPatch(ProductPatch& patch, std::vector<FieldProblem>& problems) {
  const Product before = patch.values;
  const size_t known_problems = problems.size();
  const bool is_long = before.description.size() > RecordLimits::kDescription;
  if (is_long) patch.values.description.clear();
  RepairProductFields(patch.values, problems);
  if (!is_long && problems.size() == known_problems) return;  // nothing was changed
  if (is_long) {
    patch.values.description =
        RemoveControlCharacters(before.description, LineBreaks::kAllowed).text;
  }
  const Product nothing;
  std::erase_if(patch.fields, [&](const std::string& name) {
    Product said, left;
    FindField(name)->take(before, said);
    FindField(name)->take(patch.values, left);
    return said != nothing && left == nothing;
  });
}

absl::Status ApplyPatch(const ProductPatch& patch, Product& product) {
  for (const std::string& name : patch.fields) {
    const PatchField* field = FindField(name);
    if (field == nullptr) return UnknownField(name);
    field->take(patch.values, product);
  }
  return absl::OkStatus();
}

}  // namespace emptor::catalog
