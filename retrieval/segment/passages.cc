// The texts of a record: for the embedding and for the fields of the lexical index.
#include "retrieval/segment/passages.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "retrieval/filter/filter_terms.h"
#include "retrieval/segment/indexed_product.h"
#include "retrieval/text/fold.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxEmbeddedAttributeBytes = 200;
constexpr size_t kMaxEmbeddedDescriptionBytes = 300;

/// The longest prefix of at most `limit` bytes that ends between characters, and between words
/// where the text has blanks.
std::string_view Prefix(std::string_view text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  const size_t blank = text.substr(0, end).rfind(' ');
  return text.substr(0, blank != std::string_view::npos && blank > end / 2 ? blank : end);
}

std::string_view LeafCategory(const catalog::Product& product) {
  if (product.categories.empty()) return {};
  std::string_view leaf = product.categories.front();
  if (const size_t last = leaf.rfind('>'); last != leaf.npos) leaf.remove_prefix(last + 1);
  leaf.remove_prefix(std::min(leaf.find_first_not_of(' '), leaf.size()));
  return leaf;
}

void AppendLine(std::string_view line, std::string& text) {
  if (line.empty()) return;
  if (!text.empty()) text.push_back('\n');
  text.append(line);
}

}  // namespace

RecordPassages MakePassages(const catalog::Product& product) {
  RecordPassages passages;
  for (const std::string& category : product.categories) AppendLine(category, passages.categories);
  for (const catalog::Attribute& attribute : product.attributes) {
    if (IsDenial(attribute.value)) continue;
    AppendLine(attribute.name + ": " + attribute.value, passages.attributes);
  }
  for (const catalog::Attribute& option : product.options) {
    const auto same = std::find(product.attributes.begin(), product.attributes.end(), option);
    if (same == product.attributes.end() && !IsDenial(option.value)) {
      AppendLine(option.name + ": " + option.value, passages.attributes);
    }
  }
  AppendLine(product.mpn, passages.attributes);
  return passages;
}

std::string EmbeddingText(const catalog::Product& product) {
  std::string text = product.title;
  AppendLine(product.brand, text);
  AppendLine(LeafCategory(product), text);
  std::string attributes;
  for (const catalog::Attribute& attribute : product.attributes) {
    if (IsDenial(attribute.value)) continue;
    const std::string next =
        (attributes.empty() ? "" : "; ") + attribute.name + ": " + attribute.value;
    if (attributes.size() + next.size() > kMaxEmbeddedAttributeBytes) break;
    attributes += next;
  }
  AppendLine(attributes, text);
  AppendLine(Prefix(product.description, kMaxEmbeddedDescriptionBytes), text);
  return text;
}

catalog::Product AsSearchRecord(const catalog::Document& document) {
  catalog::Product record;
  record.id = document.id;
  record.title = document.title;
  record.description = document.text;
  record.link = document.link;
  record.locale = document.locale;
  record.updated_at = document.updated_at;
  if (!document.kind.empty()) record.categories.push_back(document.kind);
  return record;
}

}  // namespace emptor::retrieval
