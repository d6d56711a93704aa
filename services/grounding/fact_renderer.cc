// Facts from live records.
#include "services/grounding/fact_renderer.h"

#include <utility>

#include "services/grounding/product_names.h"
#include "services/grounding/quantity_words.h"
#include "services/grounding/record_text.h"
#include "services/grounding/text_clean.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxFactBytes = 600;
constexpr size_t kMaxAnswerBytes = 8192;    // curated answers are shown whole
constexpr size_t kMaxQuotationBytes = 400;  // quotations of others are cut

std::optional<std::string> Text(std::string_view text, size_t max_bytes = kMaxFactBytes) {
  const std::string clean = PlainText(text);
  std::string plain(CutAtWord(clean, max_bytes));
  if (plain.empty()) return std::nullopt;
  return plain;
}

/// "Yes" becomes "Ja"; of other words the record's own stay beside the translation.
std::string Translated(const std::string& value, std::string_view language) {
  if (std::string quantity = TranslateQuantity(value, language); !quantity.empty()) return quantity;
  std::string translated = TranslateValue(value, language);
  if (translated.empty()) return value;
  const std::string folded = LowerCase(value);
  const bool is_plain = folded == "yes" || folded == "no" || folded == "none";
  return is_plain ? translated : translated + " (" + value + ")";
}

/// What sets each product of an answer apart from the others.
std::vector<std::string> MarksOf(const std::vector<Source>& sources) {
  std::vector<const catalog::Product*> products;
  for (const Source& source : sources) products.push_back(source.product());
  return SetApart(products);
}

std::string PageLink(std::string_view label, const std::string& base,
                     const std::string& product_id) {
  return "[" + std::string(label) + "](" + base + "/p/" + product_id + ")";
}

}  // namespace

FactRenderer::FactRenderer(RenderOptions options)
    : options_(std::move(options)),
      formatter_(options_.locale),
      marks_(MarksOf(options_.sources)),
      linked_(options_.sources.size(), false) {}

const Source* FactRenderer::source(int n) const {
  if (n < 1 || static_cast<size_t>(n) > options_.sources.size()) return nullptr;
  return &options_.sources[static_cast<size_t>(n) - 1];
}

std::optional<catalog::Product> FactRenderer::LiveProduct(int n) const {
  const Source* found = source(n);
  if (found == nullptr || found->product() == nullptr) return std::nullopt;
  if (!options_.lookup) return *found->product();
  return options_.lookup(found->id());
}

bool FactRenderer::AnyWithinBudget() const {
  if (!options_.budget) return false;
  const int64_t now = options_.now_unix ? options_.now_unix() : 0;
  for (size_t n = 1; n <= options_.sources.size(); ++n) {
    const auto product = LiveProduct(static_cast<int>(n));
    if (!product) continue;
    const auto price = catalog::ComputePayablePrice(*product, now, options_.market).price;
    const bool is_comparable = price && price->currency == options_.budget->currency;
    if (is_comparable && price->amount <= options_.budget->amount) return true;
  }
  return false;
}

std::optional<std::string> FactRenderer::Render(const Reference& reference) {
  std::optional<std::string> plain = PlainFact(reference);
  if (!plain || reference.source == 0) return plain;
  const Source* found = source(reference.source);
  if (found->product() == nullptr) return plain;
  if (reference.field == "link") return PageLink(*plain, options_.link_base, found->id());
  if (reference.field != "title") return plain;
  if (linked_[static_cast<size_t>(reference.source) - 1]) return "**" + *plain + "**";
  linked_[static_cast<size_t>(reference.source) - 1] = true;
  return PageLink(*plain, options_.link_base, found->id());
}

std::optional<std::string> FactRenderer::PlainFact(const Reference& reference) const {
  if (reference.source == 0) {
    if (reference.field != "budget" || !options_.budget) return std::nullopt;
    return formatter_.RoundMoney(*options_.budget);
  }
  const Source* found = source(reference.source);
  if (found == nullptr) return std::nullopt;
  if (const catalog::Document* document = found->document()) {
    if (reference.field == "question" || reference.field == "title") return Text(document->title);
    if (reference.field == "answer") return DocumentText(*document);
    return std::nullopt;
  }
  if (reference.field == "remark") {
    const auto at = static_cast<size_t>(reference.source) - 1;
    return at < options_.remarks.size() ? Text(options_.remarks[at]) : std::nullopt;
  }
  const auto product = LiveProduct(reference.source);
  if (!product) return std::nullopt;
  return ProductFact(*product, reference);
}

std::string_view FactRenderer::LanguageOfLocale() const {
  return std::string_view(options_.locale).substr(0, 2);
}

std::optional<std::string> FactRenderer::DocumentText(const catalog::Document& document) const {
  const std::string_view speaker = SpeakerOf(document);
  if (speaker.empty()) return Text(document.text, kMaxAnswerBytes);
  const auto text = Text(document.text, kMaxQuotationBytes);
  if (!text) return text;
  return std::string(formatter_.Label(speaker)) + ": \u201c" + *text + "\u201d";
}

std::optional<std::string> FactRenderer::ProductFact(const catalog::Product& product,
                                                     const Reference& reference) const {
  const std::string& field = reference.field;
  if (field == "title") {
    const std::string& mark = marks_[static_cast<size_t>(reference.source) - 1];
    return Text(ShortName(product.title) + (mark.empty() ? "" : " (" + mark + ")"));
  }
  if (field == "brand") return Text(product.brand);
  if (field == "pieces") {
    const auto pieces = options_.pieces.find(reference.source);
    if (pieces == options_.pieces.end()) return std::nullopt;
    return std::to_string(pieces->second) + " \u00d7";
  }
  if (field == "quote") {
    const auto quote = options_.quotes.find(reference.source);
    // What the description no longer says is not quoted.
    const bool is_there = quote != options_.quotes.end() &&
                          product.description.find(quote->second) != std::string::npos;
    return is_there ? Text(quote->second, kMaxQuotationBytes) : std::nullopt;
  }
  if (field == "link") return std::string(formatter_.Label("view product"));
  if (field == "availability") return std::string(formatter_.Availability(product.availability));
  if (field == "price" || field == "was_price") {
    const int64_t now = options_.now_unix ? options_.now_unix() : 0;
    const auto payable = catalog::ComputePayablePrice(product, now, options_.market);
    const auto& money = field == "price" ? payable.price : payable.was_price;
    if (!money) return std::nullopt;
    return formatter_.Money(*money);
  }
  if (field == "rating" || field == "reviews") {
    if (!product.rating) return std::nullopt;
    return field == "rating" ? formatter_.Rating(product.rating->value)
                             : formatter_.Count(product.rating->count);
  }
  if (field != "attr") return std::nullopt;
  const std::string wanted = LowerCase(CleanText(reference.attribute));
  for (const catalog::Attribute& attribute : product.attributes) {
    if (LowerCase(CleanText(attribute.name)) == wanted && !IsLiveFactName(wanted)) {
      const std::string unit = options_.unit_behind ? options_.unit_behind(attribute) : "";
      return Text(Translated(attribute.value, LanguageOfLocale()) + unit);
    }
  }
  return std::nullopt;
}

}  // namespace emptor::services
