// Answers by yes or no.
#include <algorithm>
#include <array>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/contrasts.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/property_names.h"
#include "services/assistant/schema/resolution.h"
#include "services/assistant/schema/title_values.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {

using catalog::Product;

namespace {

constexpr size_t kMaxTitleWords = 2;  // that a question asks for
constexpr size_t kMinPhrase = 6;      // bytes of a phrase that names an attribute by itself
constexpr double kHalf = 0.5;         // of a name that is not enough
constexpr size_t kMinOpposite = 6;    // letters of a word that "un" may deny

/// "Does it have a battery", by "battery type: AA" where others state "button battery": the name of
/// the attribute is no value that could be denied.
bool NamesKeyAlone(const FoldedMessage& question, const retrieval::AttributeCondition& condition) {
  const std::vector<std::string> asked = SingularWords(question.text());
  const std::vector<std::string> name = SingularWords(condition.name);
  const auto is_in = [](const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const bool has_name = std::any_of(name.begin(), name.end(),
                                    [&](const std::string& word) { return is_in(asked, word); });
  return has_name &&
         std::none_of(condition.values.begin(), condition.values.end(), [&](const auto& value) {
           const std::vector<std::string> words = SingularWords(value);
           return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
             return is_in(asked, word) && !is_in(name, word);
           });
         });
}

/// "Unmanaged" of "managed", "shielded" of "unshielded"; empty: a word without such an opposite.
std::string OppositeOf(const std::string& word) {
  constexpr std::string_view kUn = "un";
  if (word.size() < kMinOpposite || IsWideText(word)) return "";
  return word.starts_with(kUn) ? word.substr(kUn.size()) : std::string(kUn) + word;
}

}  // namespace

Statement Planner::Answer(bool holds, int n, std::string key) {
  return {.kind = holds ? Kind::kAffirm : Kind::kDeny, .source = n, .key = std::move(key)};
}

std::optional<Statement> Planner::PolarityOfLive(int n) const {
  const retrieval::Filter& filter = input_.understanding.filter;
  const Product& product = ProductOf(n);
  const auto payable = catalog::ComputePayablePrice(product, input_.now_unix, input_.market);
  if (HasCue(message_, Cue::kSale) && payable.price) {
    return Answer(payable.was_price.has_value(), n, payable.was_price ? "sale" : "price");
  }
  const bool is_comparable = payable.price && payable.price->currency == filter.currency;
  if (filter.has_price() && is_comparable) {
    const int64_t amount = payable.price->amount;
    return Answer((!filter.min_price || amount >= *filter.min_price) &&
                      (!filter.max_price || amount <= *filter.max_price),
                  n, "price");
  }
  if (input_.understanding.min_reviews && product.rating) {
    return Answer(product.rating->count >= *input_.understanding.min_reviews, n, "reviews");
  }
  if (filter.min_rating && product.rating) {
    return Answer(product.rating->value >= *filter.min_rating, n, "rating");
  }
  return std::nullopt;
}

std::optional<Statement> Planner::PolarityOfBrand(int n) const {
  const std::vector<std::string>& brands = input_.understanding.filter.brands;
  const Product& product = ProductOf(n);
  if (brands.empty() || input_.understanding.referenced_products.empty() || !AsksYesNo()) {
    return std::nullopt;
  }
  const FoldedMessage title(product.title);
  const bool is_of_brand = std::any_of(brands.begin(), brands.end(), [&](const auto& brand) {
    return product.brand == brand || title.Has(retrieval::FoldWords(brand));
  });
  return Answer(is_of_brand, n, "title");
}

std::optional<Statement> Planner::PolarityOf(int n) const {
  if (!AsksYesNo()) return std::nullopt;
  if (const auto live = PolarityOfLive(n)) return live;
  // The name of the product asks for nothing: "is the Running Shoes, Mint light".
  FoldedMessage question = WithoutName(message_, ProductOf(n));
  if (const auto answer = PolarityOfContrast(n)) return answer;
  if (const auto answer = ChoiceOf(n, question)) return answer;
  if (const auto answer = PolarityOfLack(n, question)) return answer;
  if (const auto answer = PolarityOfChoice(n, question)) return answer;
  if (const auto answer = PolarityOfResolution(n, question)) return answer;
  if (const auto answer = PolarityOfAmount(n, question)) return answer;
  std::vector<retrieval::NumericRange> ranges = input_.understanding.filter.ranges;
  const TypeSchema& schema = input_.schema == nullptr ? shown_ : *input_.schema;
  const BoundConditions bound = BindConditions(question, input_.understanding.language, schema, {},
                                               ranges, {}, ConditionUse::kQuestion);
  for (const retrieval::AttributeCondition& each : bound.attributes) {
    const std::string* const value = ValueOf(ProductOf(n), each.name);
    if (value == nullptr || !Answers(question, schema, each.name, ListOf(each.values) + *value))
      continue;
    const bool holds =
        std::find(each.values.begin(), each.values.end(), *value) != each.values.end();
    if (!holds && NamesKeyAlone(question, each)) continue;
    return Answer(holds, n, each.name);
  }
  if (const auto answer = PolarityOfOpposite(n, question)) return answer;
  if (const auto answer = PolarityOfValue(n, question)) return answer;
  if (const auto answer = PolarityOfTitle(n, question)) return answer;
  return PolarityOfTitleWords(n);
}

std::optional<Statement> Planner::PolarityOfOpposite(int n, const FoldedMessage& question) const {
  std::vector<std::string> asked = TellingWords(WithoutType(question));
  std::erase_if(asked, [](const std::string& word) { return PlaceOfWord(word) != 0; });
  const std::string opposite = asked.size() == 1 ? OppositeOf(asked.front()) : "";
  if (opposite.empty()) return std::nullopt;
  const auto says_it = [&](std::string_view text) {
    const FoldedMessage folded(text);
    return folded.Has(opposite) && !folded.Has(asked.front());
  };
  const Product& product = ProductOf(n);
  for (const catalog::Attribute& each : product.attributes) {
    if (says_it(each.value)) return Answer(false, n, each.name);
  }
  if (says_it(product.title)) return Answer(false, n, "title");
  return std::nullopt;
}

std::optional<Statement> Planner::PolarityOfChoice(int n, FoldedMessage& question) const {
  const FoldedMessage::Span instead = FindCue(question, Cue::kInsteadOf);
  if (!instead.found()) return std::nullopt;
  const auto other = FoldedMessage::FromFolded(std::string(question.text().substr(instead.end)));
  const SchemaKey* const key = KeyNamed(question);
  const std::string* const value = key == nullptr ? nullptr : ValueOf(ProductOf(n), key->name);
  if (value != nullptr && other.Has(FoldedMessage(*value).text())) {
    return Answer(false, n, key->name);
  }
  question = FoldedMessage::FromFolded(std::string(question.text().substr(0, instead.begin)));
  return std::nullopt;
}

std::optional<Statement> Planner::PolarityOfResolution(int n, const FoldedMessage& question) const {
  static constexpr std::array<std::string_view, 14> kScreens = {
      "screen", "display",  "panel", "monitor", "resolution", "bildschirm", "auflosung",
      "ecran",  "pantalla", "tv",    "picture", "fernseher",  "televisor",  "has"};
  const auto asked = FindNamedResolution(question);
  if (!asked) return std::nullopt;
  // "Does it record 4K video" is not about the screen.
  for (const std::string& word : TellingWords(WithoutType(question.Without(asked->span)))) {
    const bool is_screen = std::find(kScreens.begin(), kScreens.end(), word) != kScreens.end();
    if (!IsStruckOut(word) && !is_screen && PlaceOfWord(word) == 0) return std::nullopt;
  }
  for (const std::string_view name :
       {"display resolution", "resolution", "native resolution", "maximum resolution", "hd type"}) {
    const std::string* const value = ValueOf(ProductOf(n), name);
    const auto holds = value == nullptr ? std::nullopt : HasResolution(*asked, *value);
    if (holds) return Answer(*holds, n, std::string(name));
  }
  return std::nullopt;
}

std::string Planner::ListOf(const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& each : values) list += each + ", ";
  return list;
}

std::optional<Statement> Planner::PolarityOfTitle(int n, const FoldedMessage& question) const {
  if (IsWideText(question.text())) return PolarityOfForeignWords(n, question);
  // "Is it cheaper than the Noise": no title says so.
  if (HasCue(message_, Cue::kThan) && ResolveRank(message_, shown_)) return std::nullopt;
  const std::string& language = input_.understanding.language;
  // "Will it work in an HP LaserJet 1320", of a cartridge that has HP in its name.
  const FoldedMessage title(ProductOf(n).title);
  for (const std::string& word : SplitWords(question.text())) {
    if ((IsModelWord(word) || NumberOfWord(word) > 1) && !title.Has(word)) return std::nullopt;
  }
  // "Can you change the dpi", of a title that only names it.
  if (message_.HasAny(ActPhrases())) return std::nullopt;
  if (TitleCountsOtherwise(question, ProductOf(n).title) ||
      TitleDenies(question, ProductOf(n).title)) {
    return Answer(false, n, "title");
  }
  const RecordWords own = RecordWords::Learn({&ProductOf(n)});
  const auto said = ReadWordConditions(WithoutType(message_), language, own);
  if (!said.empty() && said.size() <= kMaxTitleWords && !HasOtherWords(n, question)) {
    return Answer(true, n, "title");
  }
  const RecordWords& all = input_.schema == nullptr ? own : input_.schema->words();
  for (const std::string& word : TellingWords(question)) {
    if (all.IsMaker(word) && !Meets(ProductOf(n).title, DemandOf(word))) {
      return Answer(false, n, "title");
    }
  }
  return std::nullopt;
}

std::optional<Statement> Planner::PolarityOfForeignWords(int n,
                                                         const FoldedMessage& question) const {
  const FoldedMessage title(ProductOf(n).title);
  std::vector<std::string> words;
  for (const std::string& word : SplitWords(WithoutType(question).text())) {
    if (!IsWideText(word) && !IsOrdinaryWord(word)) words.push_back(word);
  }
  const bool has_all =
      !words.empty() && words.size() <= kMaxTitleWords && !HasCue(message_, Cue::kThan) &&
      std::all_of(words.begin(), words.end(), [&](const auto& word) { return title.Has(word); });
  return has_all ? std::make_optional(Answer(true, n, "title")) : std::nullopt;
}

FoldedMessage Planner::WithoutType(const FoldedMessage& question) const {
  const auto& type = input_.understanding.type;
  if (!type) return question;
  const FoldedMessage::Span name = question.FindLongest(type->words);
  std::string rest(question.text());
  if (name.found()) rest.erase(name.begin, name.size());
  FoldedMessage others(rest);
  return TellingWords(others).empty() ? question : others;
}

bool Planner::HasOtherWords(int n, const FoldedMessage& question) const {
  const std::vector<std::string> words = TellingWords(WithoutType(question));
  const std::string& title = ProductOf(n).title;
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return PlaceOfWord(word) == 0 && !Meets(title, DemandOf(word));
  });
}

bool Planner::SpeaksOfOther(const FoldedMessage& question, const SchemaKey& key) {
  const auto stems_of = [](const std::string& text) {
    std::string stems;
    ForEachWord(
        text, [&](const std::string& word) { stems += (stems.empty() ? "" : " ") + StemOf(word); });
    return FoldedMessage::FromFolded(std::move(stems));
  };
  std::vector<std::string> names{key.folded};
  for (const auto* phrases : {&key.phrases, &key.part_phrases, &key.yes, &key.low, &key.high}) {
    names.insert(names.end(), phrases->begin(), phrases->end());
  }
  const auto longer = LongPropertyPhrasesIn(question);
  return std::any_of(longer.begin(), longer.end(), [&](const std::string& phrase) {
    const FoldedMessage other = FoldedMessage::FromFolded(phrase);
    bool is_own = false, is_part = false;
    for (const std::string& name : names) {
      const FoldedMessage own = stems_of(name);
      is_own = is_own || own.Has(phrase);
      is_part = is_part || (own.text().size() < phrase.size() && other.Has(own.text()));
    }
    return is_part && !is_own;
  });
}

bool Planner::AsksYesNo() const {
  return AsksYesOrNo(question_, message_) && !HasCue(message_, Cue::kMustBuy);
}

bool Planner::Answers(const FoldedMessage& question, const TypeSchema& schema,
                      const std::string& name, const std::string& values) const {
  const SchemaKey* const key = schema.Find(name);
  if (key == nullptr || SpeaksOfOther(WithoutType(question), *key)) return false;
  if (key->kind != SchemaKey::Kind::kBoolean) {
    return UnansweredWords(WithoutType(question), *key, values, input_.understanding.language)
        .empty();
  }
  // "Is a strap included": of the "carry strap" nothing else is asked.
  const FoldedMessage asked = WithoutType(question);
  const bool is_all = !TellingWords(asked).empty() &&
                      UnansweredWords(asked, *key, values, input_.understanding.language).empty();
  if (is_all) return true;
  // "Can I mount it behind the monitor" does not ask whether a display is included.
  const std::vector<std::string> said = KeyWordsSaid(asked);
  const bool is_included = FoldedMessage::FromFolded(key->folded).Has(kIncluded);
  if (is_included && std::find(said.begin(), said.end(), kIncluded) == said.end()) return false;
  // "Print photos without borders" is more than the "colour" that photos speak of.
  const std::vector<std::string> words_of_key = SplitWords(key->folded);
  const bool says_name = std::any_of(
      words_of_key.begin(), words_of_key.end(),
      [&](const std::string& word) { return question.Has(word) || question.Has(StemOf(word)); });
  if (!says_name && HasCue(question, Cue::kNegation)) return false;
  // "Plugged straight into the socket" is not what "plug and play" says.
  bool says_phrase = false;
  for (const auto* phrases : {&key->phrases, &key->part_phrases, &key->yes}) {
    const FoldedMessage::Span span = question.FindLongest(*phrases);
    says_phrase = says_phrase || (span.found() && span.size() >= kMinPhrase);
  }
  const AskedMeaning meaning(asked, input_.understanding.language, "");
  const double share = meaning.ShareOfName(key->name);
  const size_t beyond = UnansweredWords(asked, *key, values, input_.understanding.language).size();
  const bool is_enough = share > kHalf || (share == kHalf && beyond <= 1);
  if (!says_phrase && !is_enough) return false;
  const auto matches = RankKeys(question, schema);
  return std::any_of(matches.begin(), matches.end(),
                     [&](const KeyMatch& each) { return each.key == key && each.is_named; });
}

}  // namespace emptor::services
