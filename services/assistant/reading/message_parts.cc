// Sentences, and clauses that ask for other goods; the kind of each decides where a turn ends.
#include "services/assistant/reading/message_parts.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "services/assistant/dialogue/dialogue_moves.h"
#include "services/assistant/reading/act_classifier.h"
#include "services/assistant/reading/asked_name.h"
#include "services/assistant/reading/part_words.h"
#include "services/assistant/reading/policy_topics.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

using View = std::string_view;

constexpr size_t kMaxChosenWords = 9;   // of "the tessmere in light gray with a headrest"
constexpr size_t kMaxChosenBytes = 36;  // of a Chinese one
constexpr size_t kMaxBareWords = 4;     // of a choice that no verb says: "octavane"
constexpr size_t kMaxPointedWords = 6;  // "the one with six platforms"
constexpr size_t kMaxLead = 3;  // words of "a small red" before a name that no verb asks for
constexpr double kSurePolicy = 0.6;

enum class ClauseKind {
  kTalk,    // says nothing by itself
  kChoice,  // settles on a product
  kChange,  // changes what was settled on
  kGoods,   // asks for other goods
  kTotal,   // asks what several cost together
  kPolicy,
  kAsk,  // anything else
};

bool IsQuestion(View clause) { return clause.ends_with('?') || clause.ends_with("？"); }

/// A word that asks, or says nothing: "what", "total", "come".
bool IsAsking(const std::string& word) {
  const FoldedMessage folded = FoldedMessage::FromFolded(word);
  return HasCue(folded, Cue::kTotal) || HasCue(folded, Cue::kPrice) || HasCue(folded, Cue::kWh) ||
         HasCue(folded, Cue::kBoth) || HasCue(folded, Cue::kAdds) ||
         (IsOrdinaryWord(word) && !HasCue(folded, Cue::kDefinite) &&
          !HasCue(folded, Cue::kDemonstrative));
}

/// "The nec np610" of "what do the nec np610", as it was typed; empty: it names nothing.
std::string NamingPart(const std::string& part) {
  if (IsWideText(part)) return "";
  std::vector<std::string> words;
  ForEachWord(part, [&](std::string word) { words.push_back(std::move(word)); });
  const auto asks = [](const std::string& word) {
    const std::vector<std::string> folded = SplitWords(FoldedMessage(word).text());
    return folded.empty() || (folded.size() == 1 && IsAsking(folded.front()));
  };
  while (!words.empty() && asks(words.front())) words.erase(words.begin());
  while (!words.empty() && asks(words.back())) words.pop_back();
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  while (!text.empty() && View("?!.,;:").find(text.back()) != View::npos) text.pop_back();
  return TellingWords(FoldedMessage(text)).empty() ? "" : text;
}

class PartSplitter {
 public:
  explicit PartSplitter(const MessagePartsInput& input) : input_(input) {}

  std::vector<MessagePart> Run() {
    const std::vector<std::string> sentences = SplitStatements(input_.message);
    // A first message of several sentences tells a story, which may name any goods.
    if (input_.turns.empty() && sentences.size() > 1) return {};
    for (const std::string& sentence : sentences) AddClauses(sentence);
    return Join();
  }

 private:
  struct Clause {
    std::string text;
    ClauseKind kind = ClauseKind::kAsk;
    std::string chosen = {};
    bool is_bare = false;                 // "ok": what is in focus, without a word on it
    bool is_settled = false;              // it says that it chooses: "ok", "i'll take"
    std::vector<std::string> goods = {};  // names of the types that it asks for
    std::optional<ChoiceChange> change = {};
  };

  /// The first clause that asks for other goods ends the one before it.
  void AddClauses(const std::string& sentence) {
    static constexpr std::array<View, 13> kJoints = {
        ", ",  " and ", " also ", " plus ", " und ",  " dazu ", " et ",
        " y ", "，",    "，再",   " n ",    " noch ", " & "};
    for (size_t at = 0; at < sentence.size(); ++at) {
      for (const View joint : kJoints) {
        if (!View(sentence).substr(at).starts_with(joint)) continue;
        const std::string before = sentence.substr(0, at);
        const std::string behind = sentence.substr(at + joint.find_first_not_of(' '));
        if (auto counted = ReadCounted(before, behind)) {
          clauses_.push_back(*std::move(counted));
          return;
        }
        if (!MayPart(sentence, before, behind)) continue;
        clauses_.push_back(Classify(before));
        return AddClauses(WithoutComma(behind));
      }
    }
    clauses_.push_back(Classify(sentence));
  }

  /// "La corail, mets-en deux" of all that is left of a sentence.
  std::optional<Clause> ReadCounted(const std::string& before, const std::string& behind) const {
    if (input_.turns.empty() || !input_.record_of) return {};
    auto change = ReadCountedBehind(before, WithoutComma(behind));
    if (!change) return {};
    Clause clause{before + ", " + WithoutComma(behind), ClauseKind::kChange};
    clause.change = std::move(change);
    return clause;
  }

  static std::string WithoutComma(View text) {
    for (const View comma : {", ", "，"}) {
      if (text.starts_with(comma)) text.remove_prefix(comma.size());
    }
    return std::string(text);
  }

  /// "..., and a mouse with silent clicks", not "a tent with two doors and a porch".
  bool MayPart(const std::string& sentence, const std::string& before, std::string behind) const {
    behind = WithoutComma(behind);
    // "沙发灯...不对，我要一个台灯" takes back what it said.
    const FoldedMessage left_side(before);
    if (left_side.text().empty()) return false;
    if (EndsChange(before, sentence)) return true;
    if (HasCue(left_side, Cue::kNegation)) return false;
    if (!BeginsRequest(behind) || GoodsAskedFor(behind).empty()) return false;
    if (input_.turns.empty() && !AreOthers(GoodsAskedFor(before), GoodsAskedFor(behind))) {
      return false;
    }
    const Clause left = Classify(before);
    return left.kind == ClauseKind::kChoice || left.kind == ClauseKind::kGoods ||
           (left.kind == ClauseKind::kAsk && AsksAnything(before));
  }

  /// "Make it 3, what's the total", not "2 of the first and one of the third".
  bool EndsChange(const std::string& before, const std::string& sentence) const {
    return ReadChange(before) && !ReadChange(sentence);
  }

  std::optional<ChoiceChange> ReadChange(const std::string& text) const {
    if (input_.turns.empty() || !input_.record_of) return {};
    auto change = ReadChoiceChange(text);
    if (!change && AsksAfterList(text)) change = ChoiceChange{ChoiceChange::Kind::kList};
    // "Finalement sans le sac ?"
    const bool asks = IsQuestion(text) && change && change->kind != ChoiceChange::Kind::kList &&
                      (change->kind != ChoiceChange::Kind::kDrop || change->is_weak);
    if (!change || asks) return {};
    // "The teal one. make it 3": it is of what the clause before it settles on.
    const bool is_behind = !clauses_.empty() && (clauses_.back().kind == ClauseKind::kChoice ||
                                                 clauses_.back().kind == ClauseKind::kChange);
    if (is_behind && !change->is_weak) return change;
    return ResolveChange(*std::move(change),
                         {input_.language, input_.turns, input_.profile, input_.record_of});
  }

  /// "How much now", where the last answer listed what is chosen.
  bool AsksAfterList(const std::string& text) const {
    const ConversationTurn& last = input_.turns.back();
    const bool is_list =
        !last.chosen.empty() && last.chosen.size() == last.shown_products.size() &&
        std::equal(last.chosen.begin(), last.chosen.end(), last.shown_products.begin(),
                   [](const ChosenProduct& each, const std::string& id) { return each.id == id; });
    const bool has_pieces =
        last.chosen.size() > 1 || (!last.chosen.empty() && last.chosen.front().quantity > 1);
    const bool is_empty = last.chosen.empty() && HasChosenBefore(input_.turns);
    return ((is_list && has_pieces) || is_empty) && AsksBareSum(FoldedMessage(text));
  }

  /// "What's the total", "combien ?".
  static bool AsksBareSum(FoldedMessage folded) {
    // "How many pages does one do" asks something else.
    const bool asks = HasCue(folded, Cue::kTotal) || HasCue(folded, Cue::kPrice) ||
                      (HasCue(folded, Cue::kHowMany) && folded.word_count() <= kMaxBareWords);
    for (auto all = FindCue(folded, Cue::kEverything); all.found();
         all = FindCue(folded, Cue::kEverything)) {
      folded = folded.Without(all);
    }
    std::vector<std::string> words = TellingWords(folded);
    std::erase_if(words, [](const std::string& each) { return IsStruckOut(each); });
    // "How much is one of the first" sums no list.
    return asks && words.empty() && !NamesPlaces(retrieval::TokenizeQuery(folded.text()));
  }

  static bool AsksAnything(const std::string& text) {
    const FoldedMessage folded(text);
    return IsQuestion(text) || HasCue(folded, Cue::kDetail) || HasCue(folded, Cue::kYesNo) ||
           HasCue(folded, Cue::kWh) || HasCue(folded, Cue::kPrice) || HasCue(folded, Cue::kStock);
  }

  Clause Classify(const std::string& text) const {
    const FoldedMessage folded(text);
    if (auto change = ReadChange(text)) {
      Clause clause{text, ClauseKind::kChange};
      clause.change = std::move(change);
      return clause;
    }
    if (Clause choice = ReadChoice(text, folded); choice.kind == ClauseKind::kChoice) return choice;
    if (IsTotal(folded)) return {text, ClauseKind::kTotal};
    if (std::vector<std::string> goods = GoodsAskedFor(text); !goods.empty()) {
      Clause clause{text, ClauseKind::kGoods};
      clause.goods = std::move(goods);
      return clause;
    }
    if (IsPolicy(text, folded)) return {text, ClauseKind::kPolicy};
    // "Also something to froth milk": of no type that is known.
    if (BeginsWithAlso(text, folded) && HasCue(folded, Cue::kAdds) && !AsksAnything(text) &&
        !TellingWords(folded).empty()) {
      return {text, ClauseKind::kGoods};
    }
    // "Sorry, cat on keyboard" names goods and asks nothing.
    const bool says = AsksAnything(text) || HasCue(folded, Cue::kMore);
    return {text, says ? ClauseKind::kAsk : ClauseKind::kTalk};
  }

  static bool IsTotal(const FoldedMessage& folded) {
    return HasCue(folded, Cue::kTotal) ||
           (HasCue(folded, Cue::kPrice) && HasCue(folded, Cue::kBoth));
  }

  static bool IsPolicy(const std::string& text, const FoldedMessage& folded) {
    const std::vector<ActGuess> guesses = GuessActs(text);
    return guesses.front().act == DeskAct::kPolicy && guesses.front().probability >= kSurePolicy &&
           FindPolicyTopic(folded).has_value();
  }

  /// "Also an office chair", "do you have a kettle": goods that are not those of the topic.
  std::vector<std::string> GoodsAskedFor(const std::string& text) const {
    const FoldedMessage folded(text);
    if (HasCue(folded, Cue::kTotal) || HasCue(folded, Cue::kBoth)) return {};
    if (HasCue(folded, Cue::kCompare)) return {};
    if (HasCue(folded, Cue::kComesWith) || HasCue(folded, Cue::kMustBuy)) return {};
    const bool requests = HasCue(folded, Cue::kRequest) || HasCue(folded, Cue::kMore) ||
                          HasCue(folded, Cue::kSells) || BeginsWithAlso(text, folded);
    const bool asks =
        HasCue(folded, Cue::kDetail) || HasCue(folded, Cue::kYesNo) || HasCue(folded, Cue::kWh);
    // "A keyboard that is quiet" points at nothing, "do you have filters for it" asks for filters.
    const bool points =
        PointsAtOne(retrieval::TokenizeQuery(text)) && !requests && !BeginsWithArticle(folded);
    if (points || (asks && !requests)) return {};
    std::vector<std::string> names;
    for (const auto& type : FindProductTypes(text, input_.language, input_.profile)) {
      const auto lead = LeadOfName(folded, type);
      const bool is_led = lead && !lead->is_purpose && IsLed(folded, type);
      const bool is_asked = requests || (is_led && !HasCue(folded, Cue::kNegation));
      const bool is_shown = IsDefinite(folded, type) && !HasCue(folded, Cue::kAdds);
      // "Laptop" of "laptop bag" is none of its own.
      const bool is_part = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return FoldedMessage(name).Has(type.name);
      });
      if (type.is_whole && is_asked && !IsTopic(type) && !is_shown && !is_part) {
        names.push_back(type.name);
      }
    }
    return names;
  }

  /// "Wireless mouse under 20", "a small red kettle", not "sorry, cat on keyboard".
  static bool IsLed(const FoldedMessage& folded, const ProductType& type) {
    const FoldedMessage::Span name = folded.FindLongest(type.words);
    const std::vector<std::string> before =
        SplitWords(folded.text().substr(0, name.found() ? name.begin : 0));
    size_t light = 0;
    while (const size_t length = LengthAtStart(before, light, "accepts")) {
      light += length;
    }
    return before.size() - light <= (BeginsWithArticle(folded) ? kMaxLead : 1);
  }

  static bool BeginsWithArticle(const FoldedMessage& folded) {
    const std::vector<std::string> words = SplitWords(folded.text());
    return !words.empty() && HasCue(FoldedMessage::FromFolded(words.front()), Cue::kIndefinite);
  }

  /// Behind a joint: "and a mouse", "also two kettles"; "and toaster" of "kettle and toaster set"
  /// goes on with what stands before.
  static bool BeginsRequest(const std::string& text) {
    if (IsWideText(text)) return BeginsWithAlso(text, FoldedMessage(text));
    const FoldedMessage folded(text);
    const bool adds = HasCue(folded, Cue::kAdds) || HasCue(folded, Cue::kRequest);
    std::vector<std::string> words = SplitWords(folded.text());
    const size_t joint = LengthAtStart(words, 0, "also");
    return adds || (joint < words.size() &&
                    (CountAsked(FoldedMessage::FromFolded(words[joint])) > 1 ||
                     HasCue(FoldedMessage::FromFolded(words[joint]), Cue::kIndefinite)));
  }

  static bool BeginsWithAlso(const std::string& text, const FoldedMessage& folded) {
    if (!IsWideText(text)) return LengthAtStart(SplitWords(folded.text()), 0, "also") > 0;
    const auto& phrases = PartPhrases("also");
    return std::any_of(phrases.begin(), phrases.end(),
                       [&](const std::string& each) { return text.starts_with(each); });
  }

  bool IsTopic(const ProductType& type) const {
    return std::any_of(input_.turns.begin(), input_.turns.end(), [&](const ConversationTurn& turn) {
      return turn.type && IsSameType(*turn.type, type);
    });
  }

  /// "The case" belongs to what was shown.
  static bool IsDefinite(const FoldedMessage& folded, const ProductType& type) {
    const FoldedMessage::Span name = folded.FindLongest(type.words);
    if (!name.found()) return false;
    const std::vector<std::string> before = SplitWords(folded.text().substr(0, name.begin));
    return !before.empty() && HasCue(FoldedMessage::FromFolded(before.back()), Cue::kDefinite);
  }

  /// `chosen` is empty where the clause chooses nothing.
  Clause ReadChoice(const std::string& text, const FoldedMessage& folded) const {
    if (ShownLast().empty() || IsQuestion(text) || AsksInside(text, folded)) return {text};
    const bool is_wide = IsWideText(text);
    const Chosen chosen = ChosenIn(text);
    const FoldedMessage rest(chosen.text);
    // "Ok take it", "je la prends".
    const bool is_focus =
        IsAcceptance(text) || (chosen.text.empty() && chosen.accepts) || IsBareIt(chosen, rest);
    if (is_focus && !FocusOf(input_.turns.back()).empty()) {
      Clause focus{text, ClauseKind::kChoice};
      focus.is_bare = chosen.text.empty() && !chosen.chooses;
      focus.is_settled = true;
      return focus;
    }
    if (chosen.text.empty() || !MayBeChosen(chosen.text, rest)) return {text};
    const bool points = PointsAt(chosen.text, rest);
    const size_t words = rest.word_count();
    const bool is_short =
        is_wide ? chosen.text.size() <= kMaxChosenBytes : words <= kMaxChosenWords;
    const bool is_bare = !is_wide && words <= (points ? kMaxPointedWords : kMaxBareWords);
    // "Ok king", "the octavane", "i'll take boldfit", "the cream one then".
    const bool is_said = chosen.chooses || (is_bare && chosen.accepts) ||
                         (points && (is_bare || chosen.closes || chosen.fills));
    if (!is_short || !is_said) return {text};
    const bool is_settled = chosen.chooses || chosen.fills || chosen.closes;
    Clause choice{text, ClauseKind::kChoice, chosen.text};
    choice.is_settled = is_settled;
    return choice;
  }

  static bool AsksInside(const std::string& text, const FoldedMessage& folded) {
    constexpr std::array kAsking = {Cue::kPrice, Cue::kTotal,     Cue::kCompare, Cue::kRequest,
                                    Cue::kSells, Cue::kSomething, Cue::kLike,    Cue::kOthers,
                                    Cue::kStock, Cue::kRating};
    const bool is_wide = IsWideText(text);
    const bool begins = !is_wide && (HasCue(folded, Cue::kYesNo) || HasCue(folded, Cue::kWh));
    return begins || std::any_of(kAsking.begin(), kAsking.end(),
                                 [&](const Cue cue) { return HasCue(folded, cue); });
  }

  /// "It" of "i'll take it".
  static bool IsBareIt(const Chosen& chosen, const FoldedMessage& rest) {
    constexpr size_t kMaxWords = 3;
    return (chosen.chooses || chosen.accepts) && rest.word_count() <= kMaxWords &&
           TellingWords(rest).empty() && PointsAtOne(retrieval::TokenizeQuery(chosen.text)) &&
           !NamesPlaces(retrieval::TokenizeQuery(chosen.text));
  }

  /// "Something with barriers", "and one for the cradle" are looked for.
  bool MayBeChosen(const std::string& text, const FoldedMessage& folded) const {
    if (HasCue(folded, Cue::kIndefinite) || HasCue(folded, Cue::kNegation)) return false;
    if (LengthAtStart(SplitWords(folded.text()), 0, "also") > 0) return false;
    if (TellingWords(folded).empty() && !PointsAt(text, folded)) return false;
    const auto types = FindProductTypes(text, input_.language, input_.profile);
    return std::all_of(types.begin(), types.end(), [&](const ProductType& type) {
      return !type.is_whole || IsTopic(type) || IsDefinite(folded, type);
    });
  }

  static bool PointsAt(const std::string& text, const FoldedMessage& folded) {
    const auto tokens = retrieval::TokenizeQuery(text);
    if (NamesPlaces(tokens)) return true;
    // "One by one" points at nothing.
    if (HasCue(folded, Cue::kThatOne) && !TellingWords(folded).empty()) return true;
    if (IsWideText(text)) return text.ends_with("的") || PointsAtOne(tokens);
    const std::vector<std::string> words = SplitWords(folded.text());
    return !words.empty() && HasCue(FoldedMessage::FromFolded(words.front()), Cue::kDefinite);
  }

  std::vector<std::string> ShownLast() const {
    return input_.turns.empty() ? std::vector<std::string>() : input_.turns.back().shown_products;
  }

  /// A turn ends between the clauses.
  static bool Parts(const Clause& before, const Clause& right) {
    using enum ClauseKind;
    const ClauseKind left = before.kind;
    if (left == kChange || right.kind == kChange) return left != kTalk && right.kind != kTalk;
    // "The cheaper of those - is it waterproof" is one question.
    if (left == kChoice) return before.is_settled || right.kind != kAsk;
    if (left == kTalk || right.kind == kTalk) return false;
    if (right.kind == kGoods) return left != kGoods || AreOthers(before.goods, right.goods);
    if (right.kind == kTotal || left == kTotal) {
      // "Planner plus that pen, both wrapped. total?"
      const FoldedMessage sum(before.text);
      const bool is_of_sum = HasCue(sum, Cue::kPlus) || HasCue(sum, Cue::kWrapping);
      const bool is_bare = TellingWords(FoldedMessage(right.text)).empty();
      return left != right.kind && !(is_bare && is_of_sum);
    }
    if (left == kPolicy || right.kind == kPolicy) return left == right.kind || left == kGoods;
    // "A robot vacuum. does it stop at the stairs".
    return left == kGoods && IsQuestion(right.text) &&
           PointsAtOne(retrieval::TokenizeQuery(right.text));
  }

  /// "Shoes, he's a UK 9. men's running shoes" asks for one kind.
  static bool AreOthers(const std::vector<std::string>& before,
                        const std::vector<std::string>& names) {
    return std::none_of(before.begin(), before.end(), [&](const std::string& left) {
      return std::any_of(names.begin(), names.end(), [&](const std::string& right) {
        return left.ends_with(right) || right.ends_with(left);
      });
    });
  }

  /// "What's the total", "combien ?", "so what do i have".
  static bool AsksBareTotal(const Clause& clause) {
    if (clause.change && clause.change->kind == ChoiceChange::Kind::kList) return true;
    // "What would that be".
    const FoldedMessage folded(clause.text);
    const bool is_bare = TellingWords(folded).empty() && !HasCue(folded, Cue::kHowMany);
    if (HasCue(folded, Cue::kWh) && is_bare) return true;
    return AsksBareSum(FoldedMessage(clause.text));
  }

  std::vector<MessagePart> Join() const {
    std::vector<MessagePart> parts;
    Clause before{"", ClauseKind::kTalk};
    for (const Clause& clause : clauses_) {
      const bool parts_here =
          !parts.empty() && parts.size() < kMaxMessageParts && Parts(before, clause);
      const bool is_choice = clause.kind == ClauseKind::kChoice;
      const bool is_change = clause.kind == ClauseKind::kChange;
      // "Too heavy. i'll take the other one": only the choice counts.
      const bool is_first = parts.size() == 1 && before.kind == ClauseKind::kTalk;
      if ((is_choice || is_change) && is_first) parts.clear();
      // The list of what is chosen has its sum.
      if (before.kind == ClauseKind::kChange && AsksBareTotal(clause)) continue;
      if (parts_here && parts.back().change) parts.back().is_confirmed = !is_change;
      if (parts_here && parts.back().is_choice) {
        parts.back().is_confirmed = clause.kind == ClauseKind::kGoods ||
                                    (clause.kind == ClauseKind::kAsk &&
                                     BeginsWithAlso(clause.text, FoldedMessage(clause.text)));
      }
      if (parts.empty() || parts_here) {
        parts.push_back({is_choice ? clause.chosen : clause.text, is_choice, is_change});
        parts.back().change = clause.change;
      } else {
        if (parts.back().is_choice) parts.back() = {clauses_.front().text, false};
        parts.back().text += (IsQuestion(parts.back().text) ? " " : ". ") + clause.text;
      }
      if (parts.size() == 1 || parts_here || clause.kind != ClauseKind::kTalk) before = clause;
    }
    return parts;
  }

  const MessagePartsInput& input_;
  std::vector<Clause> clauses_;
};

}  // namespace

std::vector<MessagePart> SplitMessage(const MessagePartsInput& input) {
  if (input.message.size() > kMaxPartedBytes) return {{input.message}};
  std::vector<MessagePart> parts = PartSplitter(input).Run();
  if (parts.size() == 1 && !parts.front().is_choice) parts.front().text = input.message;
  if (parts.empty()) parts.push_back({input.message});
  return parts;
}

std::vector<std::string> PiecesOfSum(const std::string& message) {
  const FoldedMessage folded(message);
  if (!HasCue(folded, Cue::kTotal) || CountAsked(folded) > 1) return {};
  std::vector<std::string> pieces;
  for (const std::string& part : SplitSum(message)) {
    if (std::string piece = NamingPart(part); !piece.empty()) pieces.push_back(std::move(piece));
    if (pieces.size() > kMaxSumPieces) return {};
  }
  if (pieces.size() < 2) pieces.clear();
  return pieces;
}

}  // namespace emptor::services
