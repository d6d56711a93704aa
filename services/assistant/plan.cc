// Decisions by the records, and their wording.
#include "services/assistant/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/attribute_binding.h"
#include "services/grounding/fact_formatter.h"
#include "services/grounding/phrases.h"
#include "services/grounding/record_text.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using catalog::Product;
using Kind = Statement::Kind;
using View = std::string_view;

constexpr size_t kMaxRecommended = 3;

bool HasPhrase(const std::string& folded, View phrase) {
  const bool is_wide = static_cast<unsigned char>(phrase[0]) >= 0xE0;
  if (is_wide) return folded.find(phrase) != std::string::npos;
  return (" " + folded + " ").find(" " + std::string(phrase) + " ") != std::string::npos;
}

template <typename Phrases>
bool HasAny(const std::string& folded, const Phrases& phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](View phrase) { return HasPhrase(folded, phrase); });
}

constexpr std::array<View, 22> kPriceWords = {"how much",      "price",
                                              "cost",          "costs",
                                              "was kostet",    "kostet",
                                              "preis",         "wie viel",
                                              "wie teuer",     "combien",
                                              "prix",          "coute",
                                              "cuanto cuesta", "cuanto vale",
                                              "precio",        "cuesta",
                                              "多少钱",        "价格",
                                              "价钱",          "几块钱",
                                              "expensive",     "what does it go for"};
constexpr std::array<View, 24> kStockWords = {
    "in stock",    "available",      "availability",    "have it now", "auf lager",
    "verfugbar",   "lieferbar",      "vorratig",        "en stock",    "disponible",
    "disponibles", "en existencias", "hay existencias", "有货",        "现货",
    "库存",        "有没有货",       "get it now",      "sold out",    "out of stock",
    "ship now",    "stock",          "still there",     "order it now"};
constexpr std::array<View, 14> kRatingWords = {
    "rating", "rated", "stars", "how good",   "reviews",   "bewertung", "bewertet",
    "sterne", "note",  "avis",  "valoracion", "opiniones", "评分",      "评价"};
constexpr std::array<View, 16> kTotalWords = {"together",  "total",    "in total",   "all in all",
                                              "both cost", "sum",      "altogether", "zusammen",
                                              "insgesamt", "au total", "en tout",    "ensemble",
                                              "en total",  "juntos",   "一共",       "总共"};
constexpr std::array<View, 40> kYesNoStarts = {
    "is",    "are",  "does", "do",    "can",      "has",  "have",  "will",   "would", "could",
    "was",   "did",  "ist",  "hat",   "kann",     "sind", "haben", "gibt",   "passt", "geht",
    "lasst", "darf", "est",  "a",     "ont",      "peut", "sont",  "y",      "tiene", "es",
    "puede", "son",  "hay",  "sirve", "funciona", "se",   "isnt",  "doesnt", "and",   "ok"};

int CountBefore(const std::string& folded) {
  constexpr std::array<std::pair<View, int>, 12> kCounts = {{{"two", 2},
                                                             {"three", 3},
                                                             {"four", 4},
                                                             {"five", 5},
                                                             {"six", 6},
                                                             {"zwei", 2},
                                                             {"drei", 3},
                                                             {"deux", 2},
                                                             {"trois", 3},
                                                             {"dos", 2},
                                                             {"tres", 3},
                                                             {"两", 2}}};
  for (const auto& [word, count] : kCounts) {
    if (HasPhrase(folded, word)) return count;
  }
  for (char digit = '2'; digit <= '9'; ++digit) {
    if (HasPhrase(folded, View(&digit, 1))) return digit - '0';
  }
  return 1;
}

bool IsYes(const std::string& value) {
  return value == "yes" || value == "是" || value == "有" || value == "true";
}
bool IsNo(const std::string& value) {
  return value == "no" || value == "none" || value == "否" || value == "无" || value == "false";
}

class Planner {
 public:
  explicit Planner(const PlanInput& input)
      : input_(input), folded_(retrieval::FoldWords(input.question)) {
    for (size_t i = 0; i < input.sources.size(); ++i) {
      if (input.sources[i].product() != nullptr) numbers_.push_back(static_cast<int>(i) + 1);
    }
    std::vector<Product> products;
    for (const int n : numbers_) products.push_back(ProductOf(n));
    schema_ = LearnSchema(products);
  }

  std::vector<Statement> Run() {
    if (numbers_.empty()) return {};
    if (PlanTotal() || PlanBest()) return std::move(plan_);
    if (!input_.about_shown) {
      Recommend();
      return std::move(plan_);
    }
    if (input_.understanding.Has(Intent::kProductComparison) && numbers_.size() > 1) {
      for (const int n : numbers_) {
        const bool is_rated = ProductOf(n).rating.has_value();
        plan_.push_back({.kind = Kind::kRecommend, .source = n, .key = is_rated ? "rating" : ""});
      }
      return std::move(plan_);
    }
    const std::string key = KeyAsked();
    for (const int n : numbers_) {
      if (plan_.size() < kMaxRecommended) PlanFact(n, key);
    }
    return std::move(plan_);
  }

 private:
  const Product& ProductOf(int n) const {
    return *input_.sources[static_cast<size_t>(n) - 1].product();
  }

  std::optional<double> NumberOf(int n, const std::string& key) const {
    const Product& product = ProductOf(n);
    if (key == "price") {
      const auto price =
          catalog::ComputePayablePrice(product, input_.now_unix, input_.market).price;
      return price ? std::optional<double>(static_cast<double>(price->amount)) : std::nullopt;
    }
    if (key == "rating" || key == "reviews") {
      if (!product.rating) return std::nullopt;
      return key == "rating" ? product.rating->value : static_cast<double>(product.rating->count);
    }
    for (const catalog::Attribute& each : product.attributes) {
      if (each.name == key) return MeasureOf(each.value);
    }
    return std::nullopt;
  }

  /// The first number of a value, in the base of its unit.
  static std::optional<double> MeasureOf(const std::string& value) {
    const size_t at = value.find_first_of("0123456789");
    if (at == std::string::npos) return std::nullopt;
    const size_t end = std::min(value.find_first_not_of("0123456789.", at), value.size());
    double number = 0;
    std::from_chars(value.data() + at, value.data() + end, number);
    const std::string unit = retrieval::FoldWords(value.substr(end));
    constexpr std::array<std::pair<View, double>, 10> kFactors = {{{"kg", 1000},
                                                                   {"tb", 1024},
                                                                   {"kw", 1000},
                                                                   {"l", 1000},
                                                                   {"cm", 10},
                                                                   {"m", 1000},
                                                                   {"ghz", 1000},
                                                                   {"ah", 1000},
                                                                   {"days", 24},
                                                                   {"升", 1000}}};
    for (const auto& [name, factor] : kFactors) {
      if (unit == name || unit.starts_with(std::string(name) + " ")) number *= factor;
    }
    return number;
  }

  bool PlanTotal() {
    const int count = CountBefore(folded_);
    const bool asks = HasAny(folded_, kTotalWords) || (count > 1 && HasAny(folded_, kPriceWords));
    if (!asks || !input_.about_shown) return false;
    Statement total{.kind = Kind::kTotal};
    if (numbers_.size() == 1) {
      total.sources.assign(static_cast<size_t>(count), numbers_[0]);
    } else {
      total.sources = numbers_;
    }
    const bool known = std::all_of(total.sources.begin(), total.sources.end(),
                                   [&](int n) { return NumberOf(n, "price").has_value(); });
    if (!known || total.sources.size() < 2) return false;
    plan_.push_back(std::move(total));
    for (const int n : numbers_)
      plan_.push_back({.kind = Kind::kState, .source = n, .key = "price"});
    return true;
  }

  bool PlanBest() {
    const auto rank = ResolveRank(input_.question, schema_);
    if (!rank || numbers_.size() < 2) return false;
    std::vector<std::pair<double, int>> ranked;
    for (const int n : numbers_) {
      if (const auto number = NumberOf(n, rank->key)) {
        ranked.emplace_back(rank->is_least ? *number : -*number, n);
      }
    }
    if (ranked.empty()) return false;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    plan_.push_back({.kind = Kind::kBest,
                     .source = ranked[0].second,
                     .key = rank->key,
                     .is_least = rank->is_least});
    for (size_t i = 1; i < ranked.size() && i < kMaxRecommended; ++i) {
      plan_.push_back(
          {.kind = Kind::kState, .source = ranked[i].second, .key = rank->key, .is_ranked = true});
    }
    return true;
  }

  void Recommend() {
    const std::vector<std::string> keys = ResolveAttributes(input_.question, schema_);
    for (const int n : numbers_) {
      if (plan_.size() == kMaxRecommended) return;
      plan_.push_back({.kind = Kind::kRecommend, .source = n, .key = keys.empty() ? "" : keys[0]});
    }
  }

  /// Empty: no attribute of these products is asked about by name.
  /// The words of a product's name ask for nothing: "noise cancelling headphones".
  std::string KeyAsked() const {
    const std::string question =
        numbers_.size() == 1 ? WithoutTitle(ProductOf(numbers_[0])) : folded_;
    if (HasAny(question, kStockWords)) return "availability";
    const std::vector<std::string> keys = ResolveAttributes(question, schema_);
    if (!keys.empty()) return keys[0];
    if (HasAny(folded_, kPriceWords)) return "price";
    if (HasAny(folded_, kRatingWords)) return "rating";
    return "";
  }

  std::string WithoutTitle(const Product& product) const {
    const std::string title = " " + retrieval::FoldWords(product.title) + " ";
    std::string rest;
    for (size_t at = 0; at < folded_.size();) {
      const size_t end = std::min(folded_.find(' ', at), folded_.size());
      const std::string word = folded_.substr(at, end - at);
      if (title.find(" " + word + " ") == std::string::npos)
        rest += (rest.empty() ? "" : " ") + word;
      at = end + 1;
    }
    return rest;
  }

  bool AsksYesNo() const {
    const View first = View(folded_).substr(0, folded_.find(' '));
    return std::find(kYesNoStarts.begin(), kYesNoStarts.end(), first) != kYesNoStarts.end() ||
           folded_.ends_with("吗") || folded_.find("有没有") != std::string::npos ||
           folded_.find("是不是") != std::string::npos;
  }

  void PlanFact(int n, const std::string& key) {
    if (key.empty()) {
      const bool asks = input_.understanding.Has(Intent::kProductDetails);
      plan_.push_back({.kind = asks ? Kind::kNotStated : Kind::kRecommend, .source = n});
      return;
    }
    Statement fact{.kind = Kind::kState, .source = n, .key = key};
    if (key == "availability" && AsksYesNo()) {
      const bool is_there = ProductOf(n).availability == catalog::Availability::kInStock;
      fact.kind = is_there ? Kind::kAffirm : Kind::kDeny;
    }
    if (key == "rating" && !ProductOf(n).rating) fact.kind = Kind::kNotStated;
    const bool is_attribute = schema_.contains(key);
    if (is_attribute) {
      const auto value = ValueOf(n, key);
      if (!value) fact.kind = Kind::kNotStated;
      const std::string folded = value ? retrieval::FoldWords(*value) : "";
      if (value && IsYes(folded)) fact.kind = Kind::kAffirm;
      if (value && IsNo(folded)) fact.kind = Kind::kDeny;
      if (value && !IsYes(folded) && !IsNo(folded) && AsksYesNo()) fact.kind = Kind::kState;
    }
    plan_.push_back(std::move(fact));
  }

  std::optional<std::string> ValueOf(int n, const std::string& key) const {
    for (const catalog::Attribute& each : ProductOf(n).attributes) {
      if (each.name == key) return each.value;
    }
    return std::nullopt;
  }

  const PlanInput& input_;
  const std::string folded_;
  std::vector<int> numbers_;  // of the products
  TypeSchema schema_;
  std::vector<Statement> plan_;
};

/// Words between facts, by language.
struct Punctuation {
  View colon, comma, stop;
};

Punctuation PunctuationOf(const std::string& language) {
  if (language == "zh") return {"：", "，", "。"};
  return {language == "fr" ? " : " : ": ", ", ", "."};
}

std::string Reference(int n, const std::string& key, const std::string& language) {
  if (key == "price" || key == "availability") return fmt::format("[{}:{}]", n, key);
  if (key == "rating") return fmt::format("{} [{}:rating]", Wording(language, "rated"), n);
  if (key == "reviews")
    return fmt::format("[{}:reviews] {}", n, Wording(language, "label.reviews"));
  return fmt::format("{} [{}:attr.{}]", key, n, LowerCase(CleanText(key)));
}

std::string Line(const Statement& statement, const PlanInput& input, const Punctuation& marks) {
  const std::string& language = input.understanding.language;
  const int n = statement.source;
  const std::string title = fmt::format("[{}:title]", n);
  const auto end = [&] { return fmt::format(" [{}]{}", n, marks.stop); };
  switch (statement.kind) {
    case Kind::kAffirm:
    case Kind::kDeny: {
      const bool affirms = statement.kind == Kind::kAffirm;
      return fmt::format("{}{}{}{}{}{}", Wording(language, affirms ? "yes" : "no"), marks.comma,
                         title, marks.colon, Reference(n, statement.key, language), end());
    }
    case Kind::kNotStated:
      return fmt::format("{}{}{}{}", Wording(language, "not_stated"), marks.colon, title, end());
    case Kind::kBest: {
      const std::string key = statement.key;
      const std::string label =
          Phrase(language, "label." + key).empty() ? key : Phrase(language, "label." + key);
      return fmt::format(
          "{} {}{}{}{}[{}:price]{}",
          Phrase(language, statement.is_least ? "least_of" : "most_of", 0, {{"key", label}}), title,
          marks.colon, key == "price" ? "" : Reference(n, key, language),
          key == "price" ? "" : marks.comma, n, end());
    }
    case Kind::kState:
      return fmt::format("{}{}{}{}", title, marks.colon, Reference(n, statement.key, language),
                         end());
    default: {
      std::string facts;
      if (!statement.key.empty())
        facts = Reference(n, statement.key, language) + std::string(marks.comma);
      const bool has_price = input.sources[static_cast<size_t>(n) - 1].product()->price.has_value();
      if (has_price) facts += fmt::format("[{}:price]{}", n, marks.comma);
      return fmt::format("{}{}{}[{}:availability]{}", title, marks.colon, facts, n, end());
    }
  }
}

}  // namespace

std::string WriteAnswer(const PlanInput& input, const std::string& locale) {
  const std::string& language = input.understanding.language;
  if (input.understanding.Has(Intent::kSmallTalk)) return Phrase(language, "greeting");
  const std::vector<Statement> plan = PlanAnswer(input);
  if (!plan.empty()) return WriteStatements(plan, input, locale);
  for (size_t i = 0; i < input.sources.size(); ++i) {
    if (input.sources[i].document() != nullptr)
      return fmt::format("[{}:answer] [{}]", i + 1, i + 1);
  }
  const auto& type = input.understanding.type;
  if (type) return Phrase(language, "not_sold", 0, {{"name", type->name}}) + ".";
  return Phrase(language, "not_found");
}

std::vector<Statement> PlanAnswer(const PlanInput& input) { return Planner(input).Run(); }

std::string WriteStatements(const std::vector<Statement>& statements, const PlanInput& input,
                            const std::string& locale) {
  const std::string& language = input.understanding.language;
  const Punctuation marks = PunctuationOf(language);
  std::string text;
  const bool recommends = !statements.empty() && statements[0].kind == Kind::kRecommend;
  if (recommends) text = std::string(Wording(language, "here_is")) + std::string(marks.colon);
  for (const Statement& statement : statements) {
    if (!text.empty()) text += "\n";
    if (statement.kind != Kind::kTotal) {
      text += Line(statement, input, marks);
      continue;
    }
    catalog::Money sum;
    for (const int n : statement.sources) {
      const Product& product = *input.sources[static_cast<size_t>(n) - 1].product();
      const auto price = catalog::ComputePayablePrice(product, input.now_unix, input.market).price;
      if (!price) continue;
      sum.amount += price->amount;
      sum.currency = price->currency;
    }
    text += Phrase(language, "total", 0, {{"amount", FactFormatter(locale).Money(sum)}}) +
            std::string(marks.stop);
  }
  return text;
}

}  // namespace emptor::services
