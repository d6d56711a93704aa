// The fields of icecat_chorus by name; attributes by their prefix (t text, n number, b boolean).
#include "tests/support/icecat.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "absl/status/status.h"
#include "catalog/validation.h"
#include "tests/support/dataset_text.h"
#include "tests/support/test_data.h"

namespace emptor::testing {
namespace {

using catalog::JsonValue;
using catalog::RecordLimits;

constexpr std::string_view kAttributePrefix = "attr_";

// "pallet_size__eu_" is "pallet size (eu)": a double underscore opens and closes
// what stood in parentheses.
std::string ReadableName(std::string_view key) {
  std::string name;
  bool inside = false;
  while (!key.empty()) {
    const size_t fence = key.find("__");
    std::string part(key.substr(0, fence));
    std::replace(part.begin(), part.end(), '_', ' ');
    part = CleanText(part, RecordLimits::kAttributeName);
    if (!part.empty() && !name.empty()) name += ' ';
    if (!part.empty()) name += inside ? "(" + part + ")" : part;
    if (fence == std::string_view::npos) break;
    key.remove_prefix(fence + 2);
    inside = !inside;
  }
  // "(t t)" and "(h h)" stood for "from ... to ..." of temperature and humidity.
  if (name.ends_with(" (t t)") || name.ends_with(" (h h)")) name.resize(name.size() - 6);
  return CleanText(name, RecordLimits::kAttributeName);
}

// The data separates the lines of a value by a backslash and an n.
std::string JoinLines(std::string text) {
  for (size_t at = text.find("\\n"); at != std::string::npos; at = text.find("\\n", at)) {
    text.replace(at, 2, ", ");
  }
  return text;
}

std::string ReadableValue(const JsonValue& value) {
  if (value.is_string())
    return CleanText(JoinLines(value.as_string()), RecordLimits::kAttributeValue);
  if (value.is_bool()) return value.as_bool() ? "yes" : "no";
  if (!value.is_number()) return "";
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value.as_double()).ptr;
  return std::string(digits, end);
}

std::vector<catalog::Attribute> ReadAttributes(const JsonValue& row) {
  std::vector<catalog::Attribute> attributes;
  std::unordered_map<std::string, int> uses;
  for (const catalog::JsonMember& member : row.as_object()) {
    if (!member.name.starts_with(kAttributePrefix)) continue;
    // After the prefix stand the type's letter and an underscore.
    std::string name =
        ReadableName(std::string_view(member.name).substr(kAttributePrefix.size() + 2));
    std::string value = ReadableValue(member.value);
    if (name.empty() || value.empty()) continue;
    const int use = ++uses[name];
    if (use > 1) name += " " + std::to_string(use);
    attributes.push_back({std::move(name), std::move(value)});
  }
  return attributes;
}

// The first number that is a GTIN in form.
std::string ReadGtin(const JsonValue& row) {
  const JsonValue* codes = row.Find("ean");
  if (codes == nullptr || !codes->is_array()) return "";
  for (const JsonValue& code : codes->as_array()) {
    if (!code.is_string()) continue;
    const std::string& text = code.as_string();
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && text.size() >= 8 && text.size() <= 14) return text;
  }
  return "";
}

std::string ReadLink(const JsonValue& row, std::string_view name) {
  std::string link = TextMember(row, name, RecordLimits::kLink);
  return catalog::IsValidLink(link) ? link : "";
}

catalog::Product ReadProduct(const JsonValue& row) {
  catalog::Product product;
  product.id = TextMember(row, "id", 64);
  product.title = TextMember(row, "title", RecordLimits::kTitle);
  product.description = TextMember(row, "short_description", RecordLimits::kDescription);
  product.brand = TextMember(row, "supplier", RecordLimits::kBrand);
  product.mpn = TextMember(row, "name", RecordLimits::kMpn);
  product.gtin = ReadGtin(row);
  const JsonValue* price = row.Find("price");
  if (price != nullptr && price->is_int() && price->as_int() > 0) {
    product.price = catalog::Money{price->as_int(), "USD"};
  }
  product.image_link = ReadLink(row, "img_500x500");
  std::string large = ReadLink(row, "img_high");
  if (!large.empty()) product.additional_image_links.push_back(std::move(large));
  product.attributes = ReadAttributes(row);
  product.locale = "en";
  return product;
}

}  // namespace

absl::StatusOr<std::vector<catalog::Product>> ReadIcecatProducts() {
  std::vector<catalog::Product> products;
  const absl::Status read =
      ForEachRow("icecat_chorus/products.jsonl.zst",
                 [&](const JsonValue& row) { products.push_back(ReadProduct(row)); });
  if (!read.ok()) return read;
  return products;
}

absl::StatusOr<std::vector<Judgment>> ReadIcecatJudgments() {
  const absl::StatusOr<std::string> text = ReadTestData("icecat_chorus/judgments.tsv");
  if (!text.ok()) return text.status();
  std::vector<Judgment> judgments;
  std::string_view rest = *text;
  bool header = true;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (std::exchange(header, false)) continue;
    const size_t first = line.find('\t');
    const size_t second = line.find('\t', first + 1);
    if (second == std::string_view::npos || second + 1 >= line.size()) {
      return absl::DataLossError("icecat judgments: a row without three columns");
    }
    judgments.push_back({std::string(line.substr(0, first)),
                         std::string(line.substr(first + 1, second - first - 1)),
                         line[second + 1] - '0'});
  }
  return judgments;
}

}  // namespace emptor::testing
