// Sentences for statements.
#include "services/assistant/plan/phrasing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "services/assistant/schema/record_words.h"
#include "services/assistant/types/type_names.h"
#include "services/grounding/fact_formatter.h"
#include "services/grounding/phrases.h"
#include "services/grounding/product_names.h"
#include "services/grounding/record_text.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

using Kind = Statement::Kind;

/// "Price", "weight": in the shopper's language.
std::string NameOfKey(const std::string& key, std::string_view language) {
  const std::string own = Phrase(language, "label." + key);
  return own.empty() ? LabelOf(key, language) : own;
}

/// What is not sold, where the nearest is shown in its place; empty: nothing of the kind.
std::string UnsoldOf(const PlanInput& input) {
  const Understanding& understanding = input.understanding;
  if (input.about_shown) return "";
  if (!understanding.unsold_trade.empty()) return understanding.unsold_trade;
  return understanding.type && understanding.type->is_advised ? understanding.not_sold : "";
}

/// The sentences of one answer.
class Writer {
 public:
  Writer(const PlanInput& input, const std::string& locale)
      : input_(input), locale_(locale), language_(input.understanding.language) {}

  std::string Sentence(const Statement& statement) const {
    switch (statement.kind) {
      case Kind::kAffirm:
        return Fact("say.yes", statement);
      case Kind::kDeny:
        return Fact("say.no", statement);
      case Kind::kState:
        return statement.is_ranked ? Next(statement) : Fact("say.state", statement);
      case Kind::kNotStated:
        if (statement.is_rest) return Phrase(language_, "not_stated_rest");
        return Phrase(language_, "not_stated", 0,
                      {{"title", Title(statement.source) + Citation(statement.source)}});
      case Kind::kBest:
        return Best(statement);
      case Kind::kTotal:
        return Total(statement);
      case Kind::kEach:
        return Each(statement);
      case Kind::kPriceDifference:
        return PriceDifference(statement);
      case Kind::kSaving:
        return Saving(statement);
      case Kind::kCount:
        return Phrase(language_, statement.number == 1 ? "count_of_one" : "count_of", 0,
                      {{"number", std::to_string(statement.number)}});
      case Kind::kCompare:
        return Difference(statement);
      case Kind::kSame:
        return Phrase(
            language_, "same_of", 0,
            {{"key", NameOf(statement.key)},
             {"fact", Reference(statement.source, statement.key) + Citation(statement.source)}});
      case Kind::kNoneState:
        return statement.key == "rating" || statement.key == "reviews"
                   ? Phrase(language_, "none_rated")
                   : Phrase(language_, "none_stated", 0, {{"key", RankedName(statement)}});
      case Kind::kOnlyShown:
        return Phrase(language_, statement.number == 1 ? "only_one" : "only_few", 0,
                      {{"title", Title(statement.source) + Citation(statement.source)},
                       {"number", std::to_string(statement.number)}});
      case Kind::kOnlyIn:
        return "- " + Phrase(language_, "only_in", 0,
                             {{"title", Title(statement.source) + Citation(statement.source)},
                              {"words", fmt::format("{}", fmt::join(statement.words, "; "))}});
      default:
        return Recommendation(statement);
    }
  }

  std::string Introduction() const {
    const bool is_chinese = language_ == "zh";
    const std::string_view colon = is_chinese ? "：" : language_ == "fr" ? " : " : ":";
    const bool is_cart = input_.about_shown && input_.understanding.Has(Intent::kCartAction);
    if (const std::string unsold = UnsoldOf(input_); !unsold.empty()) {
      return Phrase(language_, "not_sold_nearest", 0, {{"name", unsold}}) + std::string(colon);
    }
    return std::string(Wording(language_, is_cart ? "cart_is" : "here_is")) + std::string(colon);
  }

 private:
  static std::string Title(int n) { return fmt::format("[{}:title]", n); }
  static std::string Citation(int n) { return fmt::format(" [{}]", n); }
  bool has_price(int n) const {
    return input_.sources[static_cast<size_t>(n) - 1].product()->price.has_value();
  }

  std::string NameOf(const std::string& key) const { return NameOfKey(key, language_); }

  /// "noise level [1:attr.noise level]".
  std::string Reference(int n, const std::string& key) const {
    if (key == "price" || key == "availability") return fmt::format("[{}:{}]", n, key);
    if (key == "was_price") {
      return fmt::format("{} [{}:was_price]", Wording(language_, "label.was_price"), n);
    }
    if (key == "rating") return fmt::format("{} [{}:rating]", Wording(language_, "rated"), n);
    if (key == "reviews") {
      return fmt::format("[{}:reviews] {}", n, Wording(language_, "label.reviews"));
    }
    if (key == "condition") {
      const auto& product = *input_.sources[static_cast<size_t>(n) - 1].product();
      return Phrase(language_, "label.condition") + " " +
             Phrase(language_,
                    "label.condition_" + std::string(catalog::ToString(product.condition)));
    }
    if (key == "brand") return fmt::format("{} [{}:brand]", LabelOf(key, language_), n);
    return fmt::format("{} [{}:attr.{}]", LabelOf(key, language_), n, LowerCase(CleanText(key)));
  }

  std::string Fact(std::string_view wording, const Statement& statement) const {
    const int n = statement.source;
    if (statement.key == "title") {
      const std::string_view key = statement.kind == Kind::kAffirm ? "say.yes_name"
                                   : statement.kind == Kind::kDeny ? "say.no_name"
                                                                   : "say.name";
      if (!statement.words.empty()) {
        return Phrase(language_, "say.name_words", 0,
                      {{"title", Title(n) + Citation(n)},
                       {"words", fmt::format("{}", fmt::join(statement.words, ", "))}});
      }
      return Phrase(language_, key, 0, {{"title", Title(n) + Citation(n)}});
    }
    if (statement.key == "description") {
      return Phrase(language_, "say.description", 0,
                    {{"title", Title(n) + Citation(n)}, {"words", fmt::format("[{}:quote]", n)}});
    }
    if (statement.key == "price" && statement.kind == Kind::kState) {
      if (statement.number > 1) {
        return Phrase(language_, "say.price_each", 0,
                      {{"title", Title(n) + Citation(n)},
                       {"count", fmt::format("[{}:pieces]", n)},
                       {"price", fmt::format("[{}:price]", n)}});
      }
      return Phrase(language_, "say.price", 0,
                    {{"title", Title(n)}, {"price", fmt::format("[{}:price]", n) + Citation(n)}});
    }
    if (statement.key == "sale") {
      return Phrase(language_, "say.sale", 0,
                    {{"title", Title(n)},
                     {"price", fmt::format("[{}:price]", n)},
                     {"was_price", fmt::format("[{}:was_price]", n) + Citation(n)}});
    }
    return Phrase(language_, wording, 0,
                  {{"title", Title(n)}, {"fact", Reference(n, statement.key) + Citation(n)}});
  }

  /// What a superlative ranks by.
  std::string RankedName(const Statement& statement) const {
    return NameOf(statement.label.empty() ? statement.key : statement.label);
  }

  /// Its value, which the title may state.
  std::string RankedFact(const Statement& statement) const {
    const int n = statement.source;
    // A rating of one review is worth little.
    if (statement.key == "rating") {
      return fmt::format("{}, {}", Reference(n, "rating"), Reference(n, "reviews")) + Citation(n);
    }
    if (statement.key != kTitleKey || statement.label.empty()) {
      return Reference(n, statement.key) + Citation(n);
    }
    return fmt::format("{} {}", RankedName(statement), fmt::join(statement.words, ", ")) +
           Citation(n);
  }

  std::string Next(const Statement& statement) const {
    return Phrase(language_, "ranked", 0,
                  {{"title", Title(statement.source)}, {"fact", RankedFact(statement)}});
  }

  std::string Best(const Statement& statement) const {
    const int n = statement.source;
    const std::string& key = statement.key;
    const bool is_first = statement.place <= 1;
    const bool of_shown = is_first && statement.number > 1;
    const std::string_view scope = statement.of_shop ? "shop"
                                   : of_shown        ? "shown"
                                   : is_first        ? "of"
                                                     : "place";
    const std::string wording = fmt::format("{}_{}", statement.is_least ? "least" : "most", scope);
    std::string text =
        Phrase(language_, wording, 0,
               {{"place", Phrase(language_, fmt::format("place.{}", statement.place))},
                {"key", RankedName(statement)},
                {"title", Title(n)},
                {"fact", RankedFact(statement)}});
    if (key != "price" && has_price(n)) {
      const bool is_chinese = language_ == "zh";
      text += (is_chinese ? "" : " ") +
              Phrase(language_, "price_of", 0, {{"price", fmt::format("[{}:price]", n)}});
    }
    return text + Remark(n);
  }

  std::string Recommendation(const Statement& statement) const {
    const int n = statement.source;
    std::string facts;
    std::vector<std::string> keys = statement.keys;
    if (!statement.key.empty()) keys.push_back(statement.key);
    for (const std::string& key : keys) {
      if (!IsRaw(n, key)) facts += (facts.empty() ? "" : ", ") + Reference(n, key);
    }
    if (!facts.empty()) facts = language_ == "zh" ? "（" + facts + "）" : " (" + facts + ")";
    return Phrase(language_, has_price(n) ? "recommend" : "recommend_unpriced", 0,
                  {{"title", Title(n)},
                   {"facts", facts},
                   {"price", fmt::format("[{}:price]", n)},
                   {"availability", fmt::format("[{}:availability]", n) + Citation(n)}}) +
           Remark(n);
  }

  /// The attribute is a number of which nobody knows the unit: no reason to buy anything.
  bool IsRaw(int n, const std::string& key) const {
    const auto& product = *input_.sources[static_cast<size_t>(n) - 1].product();
    const auto found = std::find_if(product.attributes.begin(), product.attributes.end(),
                                    [&](const auto& each) { return each.name == key; });
    return found != product.attributes.end() && IsRawNumber(*found) &&
           UnitBehind(*found, input_.units, FoldedMessage(input_.question), language_).empty();
  }

  /// " (not stated: waterproof)"
  std::string Remark(int n) const {
    const auto at = static_cast<size_t>(n) - 1;
    if (at >= input_.remarks.size() || input_.remarks[at].empty()) return "";
    const std::string remark = fmt::format("[{}:remark]", n);
    return language_ == "zh" ? "（" + remark + "）" : " (" + remark + ")";
  }

  /// "- weight: 600 [1], 645 [2]"
  std::string Difference(const Statement& statement) const {
    const bool is_chinese = language_ == "zh";
    std::string text = "- " + LabelOf(statement.key, language_) + (is_chinese ? "：" : ": ");
    for (size_t i = 0; i < statement.sources.size(); ++i) {
      const int n = statement.sources[i];
      if (i > 0) text += is_chinese ? "，" : ", ";
      text += fmt::format("[{}:attr.{}]", n, LowerCase(CleanText(statement.key))) + Citation(n);
    }
    return text;
  }

  std::string Total(const Statement& statement) const {
    catalog::Money sum;
    for (const int n : statement.sources) {
      const auto& product = *input_.sources[static_cast<size_t>(n) - 1].product();
      const auto price =
          catalog::ComputePayablePrice(product, input_.now_unix, input_.market).price;
      if (!price) continue;
      sum.amount += price->amount;
      sum.currency = price->currency;
    }
    const FactFormatter formatter(locale_);
    if (statement.fee) {
      catalog::Money wrapped = sum;
      wrapped.amount += statement.fee->amount * static_cast<int64_t>(statement.sources.size());
      return Phrase(language_, "total_wrapped", 0,
                    {{"amount", formatter.Money(sum)},
                     {"fee", formatter.Money(*statement.fee)},
                     {"sum", formatter.Money(wrapped)}});
    }
    const auto& limit = input_.understanding.budget;
    if (limit && limit->currency == sum.currency) {
      const catalog::Money over{sum.amount - limit->amount, sum.currency};
      return Phrase(language_, over.amount > 0 ? "total_over" : "total_within", 0,
                    {{"amount", formatter.Money(sum)},
                     {"over", formatter.Money(over)},
                     {"limit", formatter.Money(*limit)}});
    }
    return Phrase(language_, "total", 0, {{"amount", formatter.Money(sum)}}) +
           (language_ == "zh" ? "。" : ".");
  }

  /// "That is $1.50 each: $4.50 for 3."
  std::string Each(const Statement& statement) const {
    const auto& product = *input_.sources[static_cast<size_t>(statement.source) - 1].product();
    const auto price = catalog::ComputePayablePrice(product, input_.now_unix, input_.market).price;
    if (!price || statement.words.size() != 2) return "";
    catalog::Money one = *price;
    one.amount = std::llround(static_cast<double>(price->amount) * statement.share);
    const bool is_piece = statement.words.front().empty();
    return Phrase(language_, is_piece ? "each" : "each_of", 0,
                  {{"amount", FactFormatter(locale_).Money(one)},
                   {"unit", statement.words.front()},
                   {"count", statement.words.back()}});
  }

  /// "The difference is $27.00."
  std::string PriceDifference(const Statement& statement) const {
    const auto price_of = [&](int n) {
      const auto& product = *input_.sources[static_cast<size_t>(n) - 1].product();
      return catalog::ComputePayablePrice(product, input_.now_unix, input_.market).price;
    };
    const auto higher = price_of(statement.sources.front());
    const auto lower = price_of(statement.sources.back());
    if (!higher || !lower) return "";
    catalog::Money difference = *higher;
    difference.amount -= lower->amount;
    return Phrase(language_, difference.amount == 0 ? "price_same" : "price_difference", 0,
                  {{"amount", FactFormatter(locale_).Money(difference)}});
  }

  std::string Saving(const Statement& statement) const {
    const auto& product = *input_.sources[static_cast<size_t>(statement.source) - 1].product();
    const auto payable = catalog::ComputePayablePrice(product, input_.now_unix, input_.market);
    if (!payable.price || !payable.was_price) return "";
    catalog::Money saved = *payable.was_price;
    saved.amount -= payable.price->amount;
    return Phrase(language_, "saving", 0, {{"amount", FactFormatter(locale_).Money(saved)}});
  }

  const PlanInput& input_;
  const std::string& locale_;
  const std::string& language_;
};

}  // namespace

std::string WriteCoverage(const PlanInput& input) {
  constexpr size_t kMaxLacking = 5;  // one in so many
  const auto& rank = input.understanding.rank;
  if (!rank || input.ranked == 0 || input.stating == 0) return "";
  if ((input.ranked - input.stating) * kMaxLacking <= input.ranked) return "";
  const std::string& language = input.understanding.language;
  return Phrase(language, "stated_by", 0,
                {{"stating", std::to_string(input.stating)},
                 {"all", std::to_string(input.ranked)},
                 {"key", NameOfKey(rank->label.empty() ? rank->key : rank->label, language)}});
}

std::string WriteStatements(const std::vector<Statement>& statements, const PlanInput& input,
                            const std::string& locale) {
  const Writer writer(input, locale);
  std::string text;
  const bool recommends = !statements.empty() && statements[0].kind == Kind::kRecommend;
  if (recommends) text = writer.Introduction();
  for (const Statement& statement : statements) {
    text += (text.empty() ? "" : "\n") + writer.Sentence(statement);
  }
  return text;
}

namespace {

/// "Most do." answers the title of an entry alone, and another question wrongly. A plain yes or no
/// stands for itself.
bool AnswersItsTitleOnly(const catalog::Document& document) {
  constexpr size_t kFewWords = 2;
  const size_t end = document.text.find(". ");
  if (document.kind != "faq" || end == std::string::npos) return false;
  const std::vector<std::string> words =
      SplitWords(FoldedMessage(document.text.substr(0, end)).text());
  return words.size() > 1 && words.size() <= kFewWords && !IsWideText(document.text) &&
         IsOrdinaryWord(words.back());
}

/// Entries that answer: two where both are about as near. Those in another language than the
/// shopper's are announced as such, one at a time.
std::string WriteEntries(const PlanInput& input) {
  const std::string& language = input.understanding.language;
  std::string text, note;
  for (size_t i = 0; i < input.sources.size(); ++i) {
    const catalog::Document* const document = input.sources[i].document();
    if (document == nullptr) continue;
    const bool is_foreign = !document->locale.empty() && !document->locale.starts_with(language);
    if (is_foreign && text.empty()) note = Phrase(language, "other_language");
    if (!note.empty() && !text.empty()) break;
    text += text.empty() ? "" : "\n\n";
    if (AnswersItsTitleOnly(*document)) text += fmt::format("[{}:question] ", i + 1);
    text += fmt::format("[{}:answer] [{}]", i + 1, i + 1);
    if (!input.understanding.asks_policy) break;
  }
  return note.empty() ? text : note + "\n" + text;
}

/// "I found nothing with a lower noise level that fits as well."
std::string WriteNoneBeyond(const Understanding& understanding) {
  const std::string& language = understanding.language;
  const Comparison comparison = understanding.comparison.value_or(Comparison());
  const bool is_price = comparison.aspect == Comparison::Aspect::kPrice;
  if (is_price && !comparison.wants_more) return Phrase(language, "none_cheaper");
  const bool is_rating = comparison.aspect == Comparison::Aspect::kRating;
  const std::string key = is_price ? "price" : is_rating ? "rating" : comparison.key;
  if (key.empty()) return Phrase(language, "no_others");
  return Phrase(language, comparison.wants_more ? "none_more" : "none_less", 0,
                {{"key", NameOfKey(key, language)}});
}

}  // namespace

std::string WriteHelp(const Understanding& understanding) {
  const auto& type = understanding.type;
  if (!type || type->advised.empty()) return "";
  const std::string& language = understanding.language;
  std::vector<std::string> names;
  for (const std::string& each : type->alternatives) names.push_back(TypeNameIn(each, language));
  const std::string help =
      Phrase(language, "may_help", 0, {{"name", TypeNameIn(type->advised.front(), language)}});
  if (names.empty()) return help;
  const std::string_view comma = language == "zh" ? "、" : ", ";
  return help + (language == "zh" ? "" : " ") +
         Phrase(language, "may_help_too", 0,
                {{"names", fmt::format("{}", fmt::join(names, comma))}});
}

std::string WritePolicyPart(const PlanInput& input) {
  if (input.understanding.policy_part.empty()) return "";
  const std::string entries = WriteEntries(input);
  return "\n\n" +
         (entries.empty() ? Phrase(input.understanding.language, "policy_unknown") : entries);
}

std::string WriteUnsoldSide(const Understanding& understanding) {
  if (understanding.unsold_side.empty()) return "";
  const std::string& language = understanding.language;
  return Phrase(language, "not_sold", 0, {{"name", understanding.unsold_side}}) +
         (language == "zh" ? "。" : ".") + "\n";
}

std::string WriteAnswer(const PlanInput& input, const std::string& locale) {
  return WriteAnswer(input, PlanAnswer(input), locale);
}

std::string WriteAnswer(const PlanInput& input, const std::vector<Statement>& plan,
                        const std::string& locale) {
  const Understanding& understanding = input.understanding;
  const std::string& language = understanding.language;
  if (understanding.Has(Intent::kSmallTalk)) return Phrase(language, "greeting");
  if (understanding.contradicts) return Phrase(language, "contradiction");
  if (understanding.lacks_subject) return Phrase(language, "which_product");
  const bool has_products =
      std::any_of(input.sources.begin(), input.sources.end(),
                  [](const Source& each) { return each.product() != nullptr; });
  const std::string& unsold =
      understanding.unsold_trade.empty() ? understanding.not_sold : understanding.unsold_trade;
  const bool shows_nearest = has_products && !UnsoldOf(input).empty();
  if (!unsold.empty() && !input.about_shown && !shows_nearest) {
    return Phrase(language, "not_sold", 0, {{"name", unsold}}) + (language == "zh" ? "。" : ".");
  }
  if (!plan.empty()) {
    std::string text = WriteStatements(plan, input, locale);
    if (input.none_beyond) text = WriteNoneBeyond(understanding) + "\n" + text;
    return text + WritePolicyPart(input);
  }
  const std::string entries = WriteEntries(input);
  if (!entries.empty()) return entries;
  if (input.none_beyond) return WriteNoneBeyond(understanding);
  if (!understanding.excluded_products.empty()) return Phrase(language, "no_others");
  if (understanding.asks_policy) return Phrase(language, "policy_unknown");
  const auto& type = understanding.type;
  const bool is_sold = input.schema != nullptr && input.schema->product_count() > 0;
  if (type && !is_sold && type->words.size() + type->categories.size() == 0) {
    return Phrase(language, "not_found");
  }
  if (type && !is_sold) return Phrase(language, "not_sold", 0, {{"name", type->name}}) + ".";
  return Phrase(language, type || input.about_shown ? "not_found" : "which_kind");
}

}  // namespace emptor::services
