// Records as words and numbers with units.
#include "services/grounding/record_text.h"

#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "retrieval/text/quantity.h"
#include "services/grounding/claim_words.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr size_t kContextWords = 4;
constexpr size_t kMaxFieldBytes = 8192;

struct Part {
  std::string value, unit;
};

/// Units of time and count, in addition to retrieval's units of measure.
std::string UnitOf(std::string_view word) {
  if (word == "%" || word == "percent") return "%";
  if (word == "″" || word == "\"") return "inch";
  const std::string_view measured = retrieval::CanonicalUnit(word);
  if (!measured.empty()) return std::string(measured);
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kMore = {{
      {"day", "day"},     {"days", "day"},     {"week", "week"},   {"weeks", "week"},
      {"month", "month"}, {"months", "month"}, {"year", "year"},   {"years", "year"},
      {"yr", "year"},     {"minute", "min"},   {"minutes", "min"}, {"min", "min"},
      {"mins", "min"},    {"second", "s"},     {"seconds", "s"},   {"h", "h"},
      {"hr", "h"},        {"hrs", "h"},        {"lumens", "lm"},   {"ppm", "ppm"},
  }};
  for (const auto& [spelling, unit] : kMore) {
    if (spelling == word) return std::string(unit);
  }
  return {};
}

bool IsNumberCharacter(char c) { return (c >= '0' && c <= '9') || c == '.' || c == ','; }

/// "3-5" gives 3 and 5; "27-inch" 27 inch; "1920x1080" both. Empty for a code ("WH-1000").
std::vector<Part> SplitNumber(const std::string& token) {
  std::vector<Part> parts;
  if (token.empty() || !std::isdigit(static_cast<unsigned char>(token[0]))) return parts;
  for (size_t i = 0; i < token.size();) {
    size_t end = i;
    while (end < token.size() && IsNumberCharacter(token[end])) ++end;
    if (end == i) return {};
    Part part{retrieval::NormalizeNumber(std::string_view(token).substr(i, end - i)), ""};
    size_t next = end;
    while (next < token.size() && !std::isdigit(static_cast<unsigned char>(token[next]))) ++next;
    std::string between = token.substr(end, next - end);
    const bool is_joint = between == "-" || between == "x" || between == "/" || between == ":";
    if (!between.empty() && (between[0] == '-' || between[0] == '/')) between.erase(0, 1);
    if (!is_joint) part.unit = between;
    parts.push_back(std::move(part));
    i = next;
  }
  return parts;
}

/// Treats "ports" and "port" as one word.
std::string_view Singular(std::string_view word) {
  if (word.size() > 3 && word.back() == 's') word.remove_suffix(1);
  return word;
}

bool SameWord(std::string_view a, std::string_view b) { return Singular(a) == Singular(b); }

bool IsMoneyWord(const std::string& word) {
  const std::array<std::string, 2> words = {std::string(kNumberWord), word};
  return FindForbiddenPhrase(words) == DropRule::kMoney;
}

bool IsText(const Span& span) {
  return span.kind == SpanKind::kWord || span.kind == SpanKind::kNumber ||
         span.kind == SpanKind::kIdeograph || span.text == "\"" || span.text == "″";
}

std::vector<Span> Lex(std::string_view text) {
  AnswerLexer lexer;
  std::vector<Span> spans = lexer.Push(CleanText(CutAtCharacter(text, kMaxFieldBytes)));
  for (Span& span : lexer.Finish()) spans.push_back(std::move(span));
  for (Span& span : spans) span.text = LowerCase(span.text);
  std::erase_if(spans, [](const Span& span) {
    return !IsText(span) && span.kind != SpanKind::kCurrency && span.kind != SpanKind::kBullet;
  });
  // A list number at the beginning of a field is a plain number there.
  for (Span& span : spans) {
    if (span.kind != SpanKind::kBullet || !std::isdigit(static_cast<unsigned char>(span.text[0]))) {
      continue;
    }
    span.kind = SpanKind::kNumber;
    span.text = span.text.substr(0, span.text.find_first_not_of("0123456789"));
  }
  return spans;
}

}  // namespace

std::string LowerCase(std::string_view text) {
  std::string result;
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())))
      .toLower()
      .toUTF8String(result);
  return result;
}

bool IsUnitWord(std::string_view lower_case_word) { return !UnitOf(lower_case_word).empty(); }

bool IsLiveFactName(std::string_view attribute_name) {
  static const std::unordered_set<std::string> kNames = {
      "price",        "sale price", "list price", "cost",   "msrp",    "discount",
      "availability", "stock",      "in stock",   "rating", "ratings", "reviews",
      "review count", "价格",       "库存",       "评分"};
  return kNames.count(LowerCase(CleanText(attribute_name))) != 0;
}

RecordText::RecordText(const catalog::Product& product) {
  AddField("", product.title);
  AddField("brand", product.brand);
  AddField("mpn", product.mpn);
  AddField("description", product.description, /*needs_unit=*/true);
  for (const std::string& category : product.categories) AddField("category", category);
  for (const catalog::Attribute& attribute : product.attributes) {
    if (!IsLiveFactName(attribute.name)) AddField(attribute.name, attribute.value);
  }
}

RecordText::RecordText(const catalog::Document& document) {
  AddField("", document.title);
  AddField("", document.text);
}

void RecordText::AddField(std::string_view name, std::string_view text, bool needs_unit) {
  std::vector<std::string> name_words;
  for (const Span& span : Lex(name)) {
    name_words.push_back(span.text);
    words_.insert(span.text);
  }
  // "Ethernet LAN (RJ 45) ports": the number belongs to the name.
  const std::vector<Span> name_spans = Lex(name);
  for (size_t i = 0; i < name_spans.size(); ++i) {
    if (name_spans[i].kind == SpanKind::kNumber) AddNumber(name_words, name_spans, i, false);
  }
  const std::vector<Span> spans = Lex(text);
  for (size_t i = 0; i < spans.size(); ++i) {
    words_.insert(spans[i].text);
    words_.insert(std::string(Singular(spans[i].text)));
    if (spans[i].kind == SpanKind::kNumber) AddNumber(name_words, spans, i, needs_unit);
  }
}

void RecordText::AddNumber(const std::vector<std::string>& name, const std::vector<Span>& spans,
                           size_t at, bool needs_unit) {
  const bool is_money = (at > 0 && spans[at - 1].kind == SpanKind::kCurrency) ||
                        (at + 1 < spans.size() && (spans[at + 1].kind == SpanKind::kCurrency ||
                                                   IsMoneyWord(spans[at + 1].text)));
  if (is_money) return;
  std::vector<std::string> context = name;
  std::string unit;
  for (size_t i = at + 1; i < std::min(spans.size(), at + 1 + kContextWords); ++i) {
    context.push_back(spans[i].text);
    const bool is_ambiguous = spans[i].text == "in" || spans[i].text == "a";
    if (unit.empty() && (i == at + 1 || !is_ambiguous)) unit = UnitOf(spans[i].text);
  }
  for (size_t i = at; i > 0 && at - i < kContextWords; --i) context.push_back(spans[i - 1].text);
  for (size_t i = 0; unit.empty() && i < name.size(); ++i) unit = UnitOf(name[i]);
  for (Part& part : SplitNumber(spans[at].text)) {
    const std::string own = UnitOf(part.unit);
    std::string final_unit = own.empty() && part.unit.empty() ? unit : own;
    if (needs_unit && final_unit.empty()) continue;
    numbers_.push_back({std::move(part.value), std::move(final_unit), context});
  }
}

bool RecordText::Supports(const NumberClaim& claim) const {
  const std::string token = LowerCase(claim.token);
  const bool has_letters = std::any_of(token.begin(), token.end(), [](unsigned char c) {
    return c >= 0x80 || std::isalpha(c) != 0;
  });
  if (has_letters && HasWord(token)) return true;
  const std::vector<Part> parts = SplitNumber(token);
  if (parts.empty()) return false;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string unit = UnitOf(parts[i].unit);
    if (unit.empty() && !parts[i].unit.empty()) return false;
    if (unit.empty() && !claim.after.empty()) unit = UnitOf(claim.after.front());
    if (!SupportsPart(parts[i].value, unit, claim)) return false;
  }
  return true;
}

bool RecordText::SupportsPart(const std::string& value, const std::string& unit,
                              const NumberClaim& claim) const {
  const auto is_near = [&](const Number& number, const std::string& word) {
    return !IsLeadIn(word) &&
           std::any_of(number.context.begin(), number.context.end(),
                       [&](const std::string& other) { return SameWord(word, other); });
  };
  return std::any_of(numbers_.begin(), numbers_.end(), [&](const Number& number) {
    if (number.value != value) return false;
    if (!unit.empty()) return number.unit == unit;
    const auto near = [&](const std::string& word) { return is_near(number, word); };
    return std::any_of(claim.before.begin(), claim.before.end(), near) ||
           std::any_of(claim.after.begin(), claim.after.end(), near);
  });
}

}  // namespace emptor::services
