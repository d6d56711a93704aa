// Splits a message into sides, and resolves each.
#include "services/assistant/search/named_pair.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "retrieval/query/query_tokens.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/search/name_match.h"
#include "services/assistant/search/need_verdicts.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/message_language.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxSides = 4;
constexpr size_t kMaxPairWords = 5;  // of "philips or mi", which asks nothing else
constexpr size_t kMaxWords = 7;      // of a side
constexpr size_t kMinGoods = 4;      // bytes of a word that tells what goods are
constexpr size_t kMaxJudged = 60;    // products of a side among which one is chosen

/// What stands between two sides.
enum class Joint { kNone, kOr, kAnd, kComma };

struct Side {
  std::vector<std::string> words;
  Joint before = Joint::kNone;
};

/// `compares`: whatever may part the sides of a comparison joins: "different from the dot".
Joint JointOf(const std::string& word, bool compares) {
  const FoldedMessage folded = FoldedMessage::FromFolded(word);
  if (word == ",") return Joint::kComma;
  if (HasCue(folded, Cue::kOr) && folded.word_count() == 1) return Joint::kOr;
  const bool joins = HasCue(folded, Cue::kJoin) || (HasCue(folded, Cue::kThan) && word != "que");
  const auto& sides = CuePhrases(Cue::kSide);
  const bool parts = compares && std::find(sides.begin(), sides.end(), word) != sides.end();
  return joins || parts ? Joint::kAnd : Joint::kNone;
}

std::vector<Side> SidesOf(const std::string& message) {
  const bool compares = HasCue(FoldedMessage(message), Cue::kCompare);
  std::vector<Side> sides(1);
  for (const std::string& word : WordsAndMarks(message)) {
    const Joint joint = JointOf(word, compares);
    if (joint == Joint::kNone) {
      sides.back().words.push_back(word);
    } else if (joint == Joint::kComma && sides.back().words.empty() && sides.size() > 1) {
      continue;
    } else {
      sides.push_back({{}, joint});
    }
  }
  return sides;
}

/// The words of a side next to the joint: the last ones where another side follows, the first ones
/// up to a question where none does.
std::vector<std::string> NameIn(const std::vector<std::string>& words, bool is_first) {
  std::vector<std::string> name = words;
  if (is_first) {
    if (name.size() > kMaxWords) name.erase(name.begin(), name.end() - kMaxWords);
    return name;
  }
  for (size_t i = 1; i < name.size(); ++i) {
    const FoldedMessage word = FoldedMessage::FromFolded(name[i]);
    if (!HasCue(word, Cue::kWh) && !HasCue(word, Cue::kWhich)) continue;
    name.resize(i);
    break;
  }
  if (name.size() > kMaxWords) name.resize(kMaxWords);
  return name;
}

class PairFinder {
 public:
  explicit PairFinder(const PairInput& input)
      : input_(input), message_(input.understanding.message), schema_(input.table.schema) {
    if (input.understanding.type) {
      for (const std::string& each : input.understanding.type->words) {
        for (std::string& word : SplitWords(each)) ignored_.insert(std::move(word));
      }
    }
  }

  absl::StatusOr<NamedPair> Run() {
    NamedPair pair;
    const std::vector<Side> sides = SidesOf(input_.understanding.message);
    if (sides.size() < 2 || input_.table.members.empty()) return pair;
    ReadRank();
    if (absl::Status status = Resolve(sides); !status.ok()) return status;
    if (named_.size() == 1) pair.unsold = unsold_;
    if (named_.size() < 2 && pair.unsold.empty()) return pair;
    if (rank_ && rank_->key == "rating" && !AreRated()) rank_.reset();
    for (size_t i = 0; i < named_.size(); ++i) {
      std::string id = Choose(named_[i], i);
      const bool is_new = std::find(pair.ids.begin(), pair.ids.end(), id) == pair.ids.end();
      if (is_new) pair.ids.push_back(std::move(id));
    }
    pair.rank = rank_;
    pair.unmatched = unmatched_;
    pair.lacking = std::move(lacking_);
    return pair;
  }

 private:
  bool Says(Cue cue) const { return HasCue(message_, cue); }

  /// The message compares, whatever joins its sides.
  bool compares() const { return Says(Cue::kCompare) || Says(Cue::kPriceDifference); }

  bool asks_which() const {
    return compares() || rank_ || Says(Cue::kWhich) || Says(Cue::kAdvice) ||
           input_.understanding.comparison;
  }

  /// "Whichever is cheaper" ranks the sides, whatever else it may mean.
  void ReadRank() {
    std::vector<std::string> names;
    if (const auto& type = input_.understanding.type) {
      names = {retrieval::FoldWords(type->name)};
      names.insert(names.end(), type->words.begin(), type->words.end());
    }
    rank_ = ResolveRank(message_, schema_, names);
    if (!rank_) rank_ = input_.understanding.rank;
    const std::optional<Comparison>& comparison = input_.understanding.comparison;
    if (!rank_ && comparison) {
      using Aspect = Comparison::Aspect;
      const std::string key = comparison->aspect == Aspect::kPrice    ? "price"
                              : comparison->aspect == Aspect::kRating ? "rating"
                                                                      : comparison->key;
      if (!key.empty()) rank_ = RankedKey{.key = key, .is_least = !comparison->wants_more};
    }
    if (!rank_ && Says(Cue::kAdvice)) rank_ = RankedKey{.key = "rating"};
    if (rank_) rank_->place = 1, rank_->count = 0;
  }

  absl::Status Resolve(const std::vector<Side>& sides) {
    std::vector<bool> sure;
    for (size_t i = 0; i < sides.size() && named_.size() < kMaxSides; ++i) {
      const bool joins_next = i + 1 < sides.size() && IsJoint(sides[i + 1].before);
      const bool joins_last = i > 0 && IsJoint(sides[i].before);
      if (!joins_next && !joins_last) continue;
      auto side = ResolveSide(sides, i);
      if (!side.ok()) return side.status();
      if (side->products.empty()) {
        NoteLacking(sides[i].words);
        NoteUnsold(NameIn(sides[i].words, i == 0));
        continue;
      }
      if (input_.of_shop && !side->is_sure) continue;
      if (side->is_maker) KeepMade(NameIn(sides[i].words, i == 0), side->products);
      if (input_.of_shop) KeepBeginning(NameIn(sides[i].words, i == 0), side->products);
      CountUnmatched(NameIn(sides[i].words, i == 0), side->products.front().title);
      sure.push_back(side->is_sure);
      named_.push_back(std::move(side->products));
    }
    const bool is_sure = std::any_of(sure.begin(), sure.end(), [](bool each) { return each; });
    const bool are_sure = std::all_of(sure.begin(), sure.end(), [](bool each) { return each; });
    // Words of a lexicon name a product next to one that is certain, or where products are
    // compared.
    if (!is_sure && !compares()) named_.clear();
    const bool is_short = message_.word_count() <= kMaxPairWords && !Says(Cue::kMore) &&
                          !Says(Cue::kSells) && !Says(Cue::kRequest) && !input_.turns.empty() &&
                          !input_.understanding.filter.has_price();
    if (!asks_which() && !(are_sure && is_short)) named_.clear();
    return absl::OkStatus();
  }

  /// "And" joins what is compared, "or" and "vs" join by themselves.
  bool IsJoint(Joint joint) const {
    if (joint == Joint::kOr) return true;
    return joint == Joint::kAnd ? compares() || asks_which() : false;
  }

  absl::StatusOr<NameMatch> ResolveSide(const std::vector<Side>& sides, size_t at) {
    const std::vector<std::string>& words = sides[at].words;
    NameWords name{NameIn(words, at == 0), ignored_, {}};
    for (const Side& other : sides) {
      if (&other != &sides[at]) name.context.insert(other.words.begin(), other.words.end());
    }
    auto match = MatchName(input_.shop, input_.table, name);
    if (!match.ok() || !match->products.empty()) return match;
    // "Compare it with the dot", "vs the fx-82es".
    const std::string focus = input_.turns.empty() ? "" : PointedAt(words, at == 0);
    if (focus.empty()) return match;
    auto product = input_.shop.FindProduct(focus);
    if (!product.ok()) return product.status();
    if (*product) match->products.push_back(**std::move(product));
    match->is_sure = true;
    return match;
  }

  /// A name of no lexicon that no record of the type has is said to be missing.
  void NoteLacking(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      const NameEvidence evidence = EvidenceOf(input_.table, {words, ignored_, {}}, i);
      if (evidence < NameEvidence::kName || !IsLineName(words[i])) continue;
      if (!schema_.words().Knows(DemandOf(words[i]))) lacking_.push_back(words[i]);
    }
  }

  /// Among goods of any type, a title that begins with the name is the product: "case for zelmi
  /// note 11" is not.
  static void KeepBeginning(const std::vector<std::string>& words,
                            std::vector<catalog::Product>& products) {
    const auto place_of = [&](const catalog::Product& each) {
      const std::vector<std::string> title = SplitWords(retrieval::FoldWords(each.title));
      return std::find_if(title.begin(), title.end(),
                          [&](const std::string& word) {
                            return !IsOrdinaryWord(word) &&
                                   std::find(words.begin(), words.end(), word) != words.end();
                          }) -
             title.begin();
    };
    auto first = std::numeric_limits<std::ptrdiff_t>::max();
    for (const catalog::Product& each : products) first = std::min(first, place_of(each));
    std::erase_if(products, [&](const auto& each) { return place_of(each) > first; });
  }

  /// "Philips", of which titles begin with it and one is "liners for Philips".
  static void KeepMade(const std::vector<std::string>& words,
                       std::vector<catalog::Product>& products) {
    constexpr size_t kBeginning = 2;  // words of "all-new Philips"
    const auto is_made = [&](const catalog::Product& each) {
      std::vector<std::string> title = SplitWords(retrieval::FoldWords(each.title));
      if (title.size() > kBeginning + 1) title.resize(kBeginning + 1);
      return std::any_of(title.begin(), title.end(), [&](const std::string& word) {
        return std::find(words.begin(), words.end(), word) != words.end();
      });
    };
    if (std::none_of(products.begin(), products.end(), is_made)) return;
    std::erase_if(products, [&](const auto& each) { return !is_made(each); });
  }

  /// "Pro" of "the rockerz 330 pro", where only a "Rockerz 330" was found.
  void CountUnmatched(const std::vector<std::string>& words, const std::string& title) {
    const FoldedMessage folded(title);
    bool was_named = false;
    for (size_t i = 0; i < words.size(); ++i) {
      const bool is_named = folded.Has(words[i]);
      // What follows the name: "pro", but no "for gaming".
      const bool continues = was_named && !IsCueWord(words[i]) && !IsOrdinaryWord(words[i]);
      if (!is_named && continues && !ignored_.contains(words[i])) ++unmatched_;
      was_named = is_named && (was_named || EvidenceOf(input_.table, {words, ignored_, {}}, i) !=
                                                NameEvidence::kNone);
    }
  }

  /// A side that is named by a model: "galaxy a50", without what begins the message.
  void NoteUnsold(const std::vector<std::string>& words) {
    const NameWords name{words, ignored_, {}};
    std::vector<std::string> said;
    bool has_model = false;
    for (size_t i = 0; i < words.size(); ++i) {
      const NameEvidence evidence = EvidenceOf(input_.table, name, i);
      const bool is_small = evidence == NameEvidence::kNone && !IsArticle(words[i]) &&
                            (IsOrdinaryWord(words[i]) || IsCueWord(words[i]));
      if (has_model && is_small) break;
      if (is_small || IsArticle(words[i])) {
        said.clear();
        continue;
      }
      said.push_back(words[i]);
      has_model |= evidence == NameEvidence::kModel;
    }
    // "The 43 one": what costs so much.
    const bool is_number = said.size() == 1 && retrieval::ParsePlainNumber(said.front());
    if (!has_model || is_number) return;
    unsold_.clear();
    for (const std::string& each : said) unsold_ += (unsold_.empty() ? "" : " ") + each;
  }

  /// "It", "the first", and what is in focus where a message begins with "vs"; empty: nothing.
  std::string PointedAt(const std::vector<std::string>& words, bool is_first) const {
    std::string text;
    for (const std::string& each : words) text += each + " ";
    // "Diff with the dot".
    const FoldedMessage said(text);
    const std::vector<std::string> rest = TellingWords(said.Without(FindCue(said, Cue::kCompare)));
    const bool is_bare = std::all_of(rest.begin(), rest.end(),
                                     [](const std::string& word) { return IsStruckOut(word); });
    if (is_first && compares() && is_bare && !PointsBack(retrieval::TokenizeQuery(text))) {
      return FocusOf(input_.turns.back());
    }
    const auto tokens = retrieval::TokenizeQuery(text);
    if (NamesPlaces(tokens)) {
      const std::vector<std::string> at = FindReferences(tokens, input_.turns);
      return at.size() == 1 ? at.front() : "";
    }
    return PointsAtOne(tokens) ? FocusOf(input_.turns.back()) : "";
  }

  bool AreRated() const {
    return std::all_of(named_.begin(), named_.end(), [](const auto& products) {
      return std::any_of(products.begin(), products.end(),
                         [](const auto& each) { return each.rating.has_value(); });
    });
  }

  /// Of products that are named alike, the one that is meant.
  std::string Choose(std::vector<catalog::Product> products, size_t side) const {
    if (products.size() > kMaxJudged && !rank_) products.resize(kMaxJudged);
    const std::vector<std::string> shown = ShownProducts(input_.turns);
    const auto place_of = [&](const std::string& id) {
      return static_cast<size_t>(std::find(shown.begin(), shown.end(), id) - shown.begin());
    };
    const std::vector<NeedsOfSide> needs = JudgeSide(products);
    bool has_shown = false;
    const auto is_of_view = [&](size_t i) {
      return place_of(products[i].id) < shown.size() && !needs[i].violates;
    };
    // "Whichever is the cheapest, motorised or manual" is one of the shop.
    const bool wants_best = Says(Cue::kWhole) || (rank_ && rank_->is_superlative);
    for (size_t i = 0; i < products.size() && !wants_best; ++i) has_shown |= is_of_view(i);
    using Order = std::tuple<bool, size_t, size_t, bool, double, size_t, int, int64_t>;
    std::string best;
    Order lowest;
    for (size_t i = 0; i < products.size(); ++i) {
      // A name means first what the shopper has seen.
      if (has_shown && !is_of_view(i)) continue;
      const catalog::Product& each = products[i];
      double number = 0;
      if (rank_) {
        const auto value = RankedValueOf(each, *rank_, input_.now_unix, input_.market);
        number = std::numeric_limits<double>::max();
        if (value) number = rank_->is_least ? value->number : -value->number;
      }
      const bool is_there = each.availability == catalog::Availability::kInStock;
      constexpr size_t kMost = std::numeric_limits<size_t>::max();
      const Order order = {needs[i].violates,
                           kMost - needs[i].goods,
                           kMost - needs[i].price,
                           !IsLikeOthers(each.title, side),
                           number,
                           place_of(each.id),
                           is_there ? 0 : 1,
                           each.rating ? -each.rating->count : 0};
      if (!best.empty() && order >= lowest) continue;
      best = each.id;
      lowest = order;
    }
    return best;
  }

  /// "Bata or centrino", of which one makes mostly formal shoes: no sandals of the other.
  bool IsLikeOthers(const std::string& title, size_t side) const {
    const std::vector<std::string> words = SplitWords(retrieval::FoldWords(title));
    for (size_t i = 0; i < named_.size(); ++i) {
      if (i == side) continue;
      const bool shares = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        const bool tells_goods = word.size() >= kMinGoods && IsLexiconWord(word) &&
                                 !IsOrdinaryWord(word) && retrieval::FindColor(word).empty();
        return tells_goods && IsMostlyIn(named_[i], word);
      });
      if (shares) return true;
    }
    return false;
  }

  static bool IsMostlyIn(const std::vector<catalog::Product>& products, const std::string& word) {
    const auto having = std::count_if(
        products.begin(), products.end(),
        [&](const catalog::Product& each) { return FoldedMessage(each.title).Has(word); });
    return 2 * static_cast<size_t>(having) > products.size();
  }

  /// What a product of a side meets of the latest search: the goods, then the price.
  struct NeedsOfSide {
    size_t goods = 0, price = 0;
    bool violates = false;  // what was asked of the goods
  };

  std::vector<NeedsOfSide> JudgeSide(const std::vector<catalog::Product>& products) const {
    std::vector<NeedsOfSide> met(products.size());
    const bool is_topic = !input_.turns.empty() && input_.turns.back().type &&
                          input_.understanding.type &&
                          input_.turns.back().type->name == input_.understanding.type->name;
    retrieval::Filter filter;
    std::vector<WordCondition> words;
    if (is_topic) {
      filter = input_.turns.back().filter;
      words = input_.turns.back().words;
      filter.brands.clear();
    }
    if (input_.understanding.filter.has_price()) {
      filter.min_price = input_.understanding.filter.min_price;
      filter.max_price = input_.understanding.filter.max_price;
      filter.currency = input_.understanding.filter.currency;
    }
    Understanding asked;
    asked.filter = filter;
    const std::vector<AskedNeed> needs = NeedsOf(asked, filter, words, {}, &schema_);
    std::vector<FoundProduct> found;
    for (const catalog::Product& each : products) found.push_back({each, {}});
    const auto verdicts = JudgeNeeds({needs, &input_.table, input_.now_unix, input_.market}, found);
    for (size_t i = 0; i < verdicts.size(); ++i) {
      for (size_t k = 0; k < verdicts[i].size(); ++k) {
        const bool is_price = needs[k].kind == AskedNeed::Kind::kPrice;
        if (verdicts[i][k] == NeedVerdict::kMet) ++(is_price ? met[i].price : met[i].goods);
        met[i].violates |= !is_price && verdicts[i][k] == NeedVerdict::kViolated;
      }
    }
    return met;
  }

  const PairInput& input_;
  const FoldedMessage message_;
  const TypeSchema& schema_;
  std::set<std::string> ignored_;
  std::optional<RankedKey> rank_;
  std::vector<std::vector<catalog::Product>> named_;  // by side
  std::vector<std::string> lacking_;                  // names of sides that the type lacks
  size_t unmatched_ = 0;
  std::string unsold_;  // the latest of them that has a model
};

}  // namespace

absl::StatusOr<NamedPair> FindNamedPair(const PairInput& input) { return PairFinder(input).Run(); }

std::vector<std::string> TextsOfSides(const std::string& message) {
  std::vector<std::string> texts;
  const std::vector<Side> sides = SidesOf(message);
  for (size_t i = 0; i < sides.size() && sides.size() > 1; ++i) {
    std::string text;
    for (const std::string& word : NameIn(sides[i].words, i == 0)) {
      text += (text.empty() ? "" : " ") + word;
    }
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

Understanding WithPair(Understanding understanding, NamedPair pair) {
  Understanding compared = AboutProducts(std::move(understanding), std::move(pair.ids));
  compared.unsold_side = std::move(pair.unsold);
  compared.intents = {compared.unsold_side.empty() ? Intent::kProductComparison
                                                   : Intent::kProductDetails};
  compared.rank = std::move(pair.rank);
  for (const std::string& each : pair.lacking) compared.missing.push_back(DemandOf(each));
  compared.is_pair_named = true;
  compared.turn_rule = "compares named products";
  return compared;
}

}  // namespace emptor::services
