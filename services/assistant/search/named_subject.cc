// Runs of naming words in a message.
#include "services/assistant/search/named_subject.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "retrieval/query/query_tokens.h"
#include "retrieval/text/fold.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/key_ranking.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/search/name_match.h"
#include "services/assistant/search/need_verdicts.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/exact_price.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxNamed = 3;  // variants that one name means
constexpr size_t kLineWords = 2;
constexpr size_t kMaxTurn = 9;    // words of "and the corvey cairn in forest green"
constexpr size_t kMaxSuffix = 3;  // bytes of "xl"
constexpr size_t kMinModel = 3;   // bytes of a model that names by itself

bool IsOrigin(const std::string& word) {
  constexpr std::array<std::string_view, 6> kOf = {"from", "by", "of", "von", "de", "par"};
  return std::find(kOf.begin(), kOf.end(), word) != kOf.end();
}

class SubjectFinder {
 public:
  explicit SubjectFinder(const SubjectInput& input)
      : input_(input),
        message_(input.understanding.message),
        shown_(ShownProducts(input.turns)),
        name_{WordsAndMarks(input.understanding.message), {}, {}} {
    if (!input.understanding.type) return;
    for (const std::string& each : input.understanding.type->words) {
      for (std::string& word : SplitWords(each)) name_.ignored.insert(std::move(word));
    }
  }

  absl::StatusOr<std::vector<std::string>> Run() {
    if (shown_.empty() || !MayName()) return std::vector<std::string>();
    for (size_t i = 0; i < name_.words.size(); ++i) {
      auto cut = EndsModelOfShown(i);
      if (!cut.ok() || !cut->empty()) return cut;
      if (!Begins(i)) continue;
      auto found = Resolve(i);
      if (!found.ok() || !found->empty()) return found;
    }
    return std::vector<std::string>();
  }

 private:
  NameEvidence At(size_t at) const {
    return at < name_.words.size() ? EvidenceOf(input_.table, name_, at) : NameEvidence::kNone;
  }

  /// What the message is otherwise leaves room for a name.
  bool MayName() const {
    const Understanding& said = input_.understanding;
    // "How many watts has the stage" is read as about the shop where nothing else is known of it.
    if ((said.asks_policy && said.policy) || said.comparison || said.rank || said.asks_for_goods)
      return false;
    if (NamesPlaces(retrieval::TokenizeQuery(said.message))) return false;
    if (HasCue(message_, Cue::kCompare) || HasCue(message_, Cue::kOr)) return false;
    if (said.is_pair_named || (said.filter.has_price() && !PointsByPrice()) ||
        !said.fits_product.empty())
      return false;
    if (!searches() || input_.names_other_type) return true;
    // "And the dot from sweepwell" turns to it, "any from sweepwell" searches.
    const bool wants_more = HasCue(message_, Cue::kMore) || HasCue(message_, Cue::kSameBrand) ||
                            HasCue(message_, Cue::kOthers) || HasCue(message_, Cue::kLike);
    return !wants_more && message_.word_count() <= kMaxTurn;
  }

  bool searches() const {
    return input_.understanding.follows_up || input_.understanding.referenced_products.empty();
  }

  bool PointsByPrice() const {
    return ExactPriceIn(input_.understanding.message) ||
           std::any_of(name_.words.begin(), name_.words.end(), IsCurrency) ||
           input_.understanding.message.find('$') != std::string::npos;
  }

  static bool IsCurrency(const std::string& word) {
    return HasCue(FoldedMessage::FromFolded(word), Cue::kCurrency);
  }

  /// "The xl", of a list with a "21XL", and "the 5240" with a "BT5240".
  absl::StatusOr<std::vector<std::string>> EndsModelOfShown(size_t at) const {
    const std::string& word = name_.words[at];
    std::vector<std::string> ids;
    const bool is_number = IsNumber(word);
    const bool is_cut = is_number ? word.size() >= kMinModel : DigitsOf(word) == 0;
    const bool may_end = at > 0 && IsArticle(name_.words[at - 1]) && is_cut && word.size() > 1 &&
                         (is_number || word.size() <= kMaxSuffix);
    if (!may_end) return ids;
    for (const std::string& id : shown_) {
      auto product = input_.shop.FindProduct(id);
      if (!product.ok()) return product.status();
      if (!*product) continue;
      const std::vector<std::string> title = SplitWords(retrieval::FoldWords((*product)->title));
      const bool ends = std::any_of(title.begin(), title.end(), [&](const std::string& each) {
        if (each.size() <= word.size() || !each.ends_with(word)) return false;
        const std::string stem = each.substr(0, each.size() - word.size());
        return is_number ? DigitsOf(stem) == 0 : IsNumber(stem);
      });
      if (ends) ids.push_back(id);
    }
    if (ids.size() > 1) ids.clear();
    return ids;
  }

  bool IsKnown(size_t at) const {
    return input_.table.schema.words().Knows(DemandOf(name_.words[at]));
  }

  /// A name may begin with the word: by what it is, and by what stands before it.
  bool Begins(size_t at) const {
    const NameEvidence evidence = At(at);
    if (evidence == NameEvidence::kNone || !IsKnown(at)) return false;
    const bool is_after_article = at > 0 && IsArticle(name_.words[at - 1]);
    if (input_.names_other_type) return is_after_article && evidence != NameEvidence::kMaker;
    const bool is_after = is_after_article || (at > 0 && IsOrigin(name_.words[at - 1]));
    switch (evidence) {
      case NameEvidence::kModel:
        return name_.words[at].size() >= kMinModel && (is_after || IsMixed(name_.words[at]));
      case NameEvidence::kName:
        return is_after || (!searches() && At(at + 1) >= NameEvidence::kName);
      case NameEvidence::kMaker:
        // "Any from sweepwell" and "and philips?" search its goods.
        return searches() ? is_after_article && At(at + 1) != NameEvidence::kNone
                          : is_after || At(at + 1) != NameEvidence::kNone;
      default:
        return is_after_article && !IsOfSchema(name_.words[at]);
    }
  }

  static bool IsNumber(const std::string& word) { return DigitsOf(word) == word.size(); }

  static bool IsMixed(const std::string& word) { return DigitsOf(word) < word.size(); }

  /// "The battery" is asked of what is in question.
  bool IsOfSchema(const std::string& word) const {
    return !RankKeys(FoldedMessage(word), input_.table.schema).empty();
  }

  /// The products that the run of naming words from `at` on names.
  absl::StatusOr<std::vector<std::string>> Resolve(size_t at) const {
    size_t end = at + 1;
    while (Continues(end)) ++end;
    NameWords run{{}, name_.ignored, {}};
    if (at > 0 && IsArticle(name_.words[at - 1])) run.words.push_back(name_.words[at - 1]);
    run.words.insert(run.words.end(), name_.words.begin() + static_cast<std::ptrdiff_t>(at),
                     name_.words.begin() + static_cast<std::ptrdiff_t>(end));
    const bool is_sure = std::any_of(
        name_.words.begin() + static_cast<std::ptrdiff_t>(at),
        name_.words.begin() + static_cast<std::ptrdiff_t>(end), [&](const std::string& word) {
          const auto place = static_cast<size_t>(&word - name_.words.data());
          return At(place) >= NameEvidence::kMaker && IsKnown(place) && !IsNumber(word);
        });
    if (!is_sure || input_.names_other_type) {
      auto is_shown = NamesSomeShown({{"the", name_.words[at]}, {}, {}});
      if (!is_shown.ok()) return is_shown.status();
      if (!*is_shown) return std::vector<std::string>();
    }
    auto ids = IdsOf(run);
    if (!ids.ok()) return ids;
    return Chosen(*std::move(ids));
  }

  absl::StatusOr<std::vector<std::string>> IdsOf(const NameWords& name) const {
    auto match = MatchName(input_.shop, input_.table, name);
    if (!match.ok()) return match.status();
    std::vector<std::string> ids;
    for (const catalog::Product& each : match->products) ids.push_back(each.id);
    return ids;
  }

  static bool Holds(const std::vector<std::string>& all, const std::string& id) {
    return std::find(all.begin(), all.end(), id) != all.end();
  }

  /// Ordinary words are names where one of what was shown has them, and not every one.
  absl::StatusOr<bool> NamesSomeShown(const NameWords& name) const {
    auto ids = IdsOf(name);
    if (!ids.ok()) return ids.status();
    const auto named = std::count_if(shown_.begin(), shown_.end(),
                                     [&](const std::string& id) { return Holds(*ids, id); });
    return named > 0 && (shown_.size() == 1 || static_cast<size_t>(named) < shown_.size());
  }

  /// "In" of "the brick in 2 tb", "tb", and "bar" of "the aavante bar 1160".
  bool Continues(size_t at) const {
    if (at >= name_.words.size() || name_.words[at] == ",") return false;
    const auto names = [&](size_t place) {
      return place < name_.words.size() &&
             (At(place) != NameEvidence::kNone || DigitsOf(name_.words[place]) > 0);
    };
    const bool links = IsLink(name_.words[at]) || name_.ignored.contains(name_.words[at]);
    return names(at) || (links && names(at + 1)) || DigitsOf(name_.words[at - 1]) > 0;
  }

  static bool IsLink(const std::string& word) {
    constexpr std::array<std::string_view, 9> kLinks = {"in",  "from", "by", "von", "de",
                                                        "par", "en",   "of", "with"};
    return std::find(kLinks.begin(), kLinks.end(), word) != kLinks.end();
  }

  std::vector<std::string> Chosen(std::vector<std::string> ids) const {
    // The one in question bears the name as well.
    const std::vector<std::string>& referenced = input_.understanding.referenced_products;
    if (!input_.understanding.follows_up && referenced.size() == 1 && Holds(ids, referenced[0])) {
      return {};
    }
    std::vector<std::string> chosen;
    for (const std::string& id : shown_) {
      if (Holds(ids, id)) chosen.push_back(id);
    }
    if (chosen.empty()) chosen = std::move(ids);
    if (chosen.size() > kMaxNamed) chosen.resize(kMaxNamed);
    return chosen;
  }

  const SubjectInput& input_;
  const FoldedMessage message_;
  const std::vector<std::string> shown_;
  NameWords name_;
};

/// The words behind "the same", without those that begin a condition.
std::string BehindSame(const FoldedMessage& message) {
  const FoldedMessage::Span span = FindCue(message, Cue::kSame);
  if (!span.found()) return "";
  const std::vector<std::string> words = SplitWords(message.text().substr(span.end));
  return words.empty() ? "" : words.front();
}

/// The first words of a title, that all variants of a line begin with.
std::vector<std::string> LineOf(const std::string& title) {
  std::vector<std::string> words = SplitWords(retrieval::FoldWords(title));
  if (words.size() > kLineWords) words.resize(kLineWords);
  return words;
}

/// The product in focus, or the first of the latest cards where all are of one line; empty: none.
std::string LineInFocus(const ConversationTurn& last, const ShopReader& shop) {
  std::string focus = FocusOf(last);
  if (!focus.empty() || last.shown_products.empty()) return focus;
  std::vector<std::string> line;
  for (const std::string& id : last.shown_products) {
    const auto product = shop.FindProduct(id);
    if (!product.ok() || !*product) return "";
    std::vector<std::string> own = LineOf((*product)->title);
    if (!line.empty() && own != line) return "";
    line = std::move(own);
  }
  return last.shown_products.front();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindNamedSubject(const SubjectInput& input) {
  return SubjectFinder(input).Run();
}

Understanding WithSubject(Understanding understanding, std::vector<std::string> products) {
  // "The same in 1 tb" asks no fact.
  const Intent intent =
      understanding.follows_up ? Intent::kIntentRefinement : Intent::kProductDetails;
  std::string question = std::move(understanding.fact_question);
  std::string key = std::move(understanding.inherited_key);
  std::string policy = std::move(understanding.policy_part);
  Understanding asked = AboutProducts(std::move(understanding), std::move(products));
  asked.intents = {intent};
  asked.fact_question = std::move(question);
  asked.inherited_key = std::move(key);
  asked.policy_part = std::move(policy);
  asked.turn_rule = kNamesProducts;
  return asked;
}

Understanding WithSum(Understanding understanding, std::vector<std::string> products) {
  std::string policy = std::move(understanding.policy_part);
  Understanding sum = AboutProducts(std::move(understanding), std::move(products));
  sum.quantities.assign(sum.referenced_products.size(), 1);
  sum.intents = {Intent::kProductDetails};
  sum.policy_part = std::move(policy);
  return sum;
}

absl::StatusOr<SharedValue> FindSharedValue(const SubjectInput& input) {
  const std::string property = BehindSame(FoldedMessage(input.understanding.message));
  if (property.empty() || input.turns.empty()) return SharedValue();
  const ConversationTurn& last = input.turns.back();
  const auto keys = RankKeys(FoldedMessage(property), input.table.schema);
  std::string id = FocusOf(last);
  if (id.empty() && !last.cited_products.empty()) id = last.cited_products.front();
  if (id.empty() && !last.shown_products.empty()) id = last.shown_products.front();
  if (keys.empty() || !keys.front().is_named || id.empty()) return SharedValue();
  auto product = input.shop.FindProduct(id);
  if (!product.ok()) return product.status();
  const std::string* const value = *product ? ValueOf(**product, keys.front().key->name) : nullptr;
  if (value == nullptr) return SharedValue();
  return SharedValue{id, {keys.front().key->name, {*value}}};
}

absl::StatusOr<std::vector<std::string>> FindVariants(const SubjectInput& input, int64_t now_unix,
                                                      const catalog::Market& market) {
  const Understanding& said = input.understanding;
  const FoldedMessage message(said.message);
  const bool asks = HasCue(message, Cue::kVariant) && said.follows_up && !input.turns.empty();
  const std::string focus = asks ? LineInFocus(input.turns.back(), input.shop) : "";
  const std::vector<AskedNeed> needs =
      focus.empty() ? std::vector<AskedNeed>()
                    : NeedsOf(said, said.said_filter, said.said_words, {}, &input.table.schema);
  if (needs.empty()) return std::vector<std::string>();
  auto product = input.shop.FindProduct(focus);
  if (!product.ok()) return product.status();
  if (!*product) return std::vector<std::string>();
  const std::vector<std::string> line = LineOf((*product)->title);
  auto match = MatchName(input.shop, input.table, {line, {}, {}});
  if (!match.ok()) return match.status();
  std::vector<FoundProduct> found;
  for (catalog::Product& each : match->products) {
    const bool is_other = each.id != focus || FocusOf(input.turns.back()).empty();
    if (is_other && LineOf(each.title) == line) found.push_back({std::move(each), {}});
  }
  const auto verdicts = JudgeNeeds({needs, &input.table, now_unix, market}, found);
  std::vector<std::string> ids;
  for (size_t i = 0; i < found.size() && ids.size() < kMaxNamed; ++i) {
    const bool meets = std::all_of(verdicts[i].begin(), verdicts[i].end(),
                                   [](NeedVerdict each) { return each == NeedVerdict::kMet; });
    if (meets) ids.push_back(found[i].product.id);
  }
  return ids;
}

Understanding WithSharedValue(Understanding understanding, const ConversationTurn& last,
                              SharedValue value) {
  Understanding& wanted = understanding;
  const std::optional<int64_t> min_price = wanted.filter.min_price,
                               max_price = wanted.filter.max_price;
  wanted.filter = last.filter;
  if (min_price) wanted.filter.min_price = min_price;
  if (max_price) wanted.filter.max_price = max_price;
  wanted.filter.attributes = {value.condition};
  wanted.said_filter.attributes = {std::move(value.condition)};
  wanted.words.clear();
  wanted.said_words.clear();
  wanted.missing.clear();
  wanted.not_sold.clear();
  wanted.same_brand_as.clear();
  wanted.type = last.type;
  wanted.search_text = last.search_text;
  wanted.follows_up = true;
  wanted.is_subject_guessed = false;
  wanted.asks_policy = false;
  wanted.intents = {Intent::kIntentRefinement};
  wanted.referenced_products.clear();
  if (wanted.comparison) wanted.referenced_products = {value.product};
  wanted.excluded_products = {std::move(value.product)};
  wanted.turn_rule = "shares a value";
  return understanding;
}

}  // namespace emptor::services
