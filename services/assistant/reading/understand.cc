// A message before it is read: its language, its spelling, what it rejects, and its parts.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "retrieval/text/measure.h"
#include "services/assistant/dialogue/dialogue_moves.h"
#include "services/assistant/reading/act_classifier.h"
#include "services/assistant/reading/corrections.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/message_spelling.h"
#include "services/assistant/reading/said_words.h"
#include "services/assistant/reading/turn_review.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

// Probabilities of what a part of a message asks.
constexpr double kPolicyPart = 0.4, kUnlikelyGoods = 0.25, kGoodsPart = 0.6;

/// A message such as "16 GB?" has no language of its own: the conversation keeps the one it had.
std::string LanguageOf(const UnderstandingInput& input) {
  const std::string before = input.turns.empty() ? "" : input.turns.back().language;
  std::string language = LanguageOfMessage(input.message, before);
  if (language.empty()) language = before;
  return language.empty() ? "en" : language;
}

/// Takes the only part that asks about a policy out of a message whose other parts are about goods:
/// "does it keep warm, and do you ship to Canada". Empty: the message is not about both.
std::string CutPolicyPart(std::string& message, const std::string& language,
                          const ShopProfile* profile) {
  const std::vector<std::string> parts = SplitQuestions(message);
  const auto names_goods = [&](const std::string& part) {
    return PointsBack(retrieval::TokenizeQuery(part)) || profile == nullptr ||
           FindProductType(part, language, *profile).has_value();
  };
  std::string found;
  bool has_goods = false, starts_with_policy = false;
  for (const std::string& part : parts) {
    const std::vector<ActGuess> guesses = GuessActs(part);
    const double goods = ProbabilityOf(DeskAct::kNone, guesses);
    // "Can the other one, the second, take a memory card": the end of a question is none.
    const FoldedMessage folded(part);
    const bool asks =
        HasCue(folded, Cue::kDetail) || HasCue(folded, Cue::kYesNo) || HasCue(folded, Cue::kWh);
    // "What do I pay" sums what was named before.
    const bool is_policy = guesses.front().act == DeskAct::kPolicy &&
                           !HasCue(folded, Cue::kTotal) &&
                           guesses.front().probability >= kPolicyPart &&
                           ((asks && goods < kUnlikelyGoods) || FindPolicyTopic(folded));
    if (is_policy && !found.empty()) return "";
    if (is_policy) found = part;
    // "What are your hours, and is there one in Denver": goods are pointed at, or named.
    has_goods |= !is_policy && goods >= kGoodsPart && (!starts_with_policy || names_goods(part));
    starts_with_policy |= is_policy && !has_goods;
  }
  const size_t at = found.empty() ? std::string::npos : message.find(found);
  if (!has_goods || at == std::string::npos) return "";
  message.erase(at, found.size());
  return found;
}

/// "That's for kids. Women's only please", "too pricey, anything from boat?": what was wrong is no
/// condition on what is wanted.
void CutComplaint(std::string& message) {
  const std::vector<std::string> clauses = SplitClauses(message);
  const bool complains =
      clauses.size() > 1 &&
      (HasCue(FoldedMessage(clauses[0]), Cue::kComplaint) || IsTooMuch(clauses[0]));
  if (!complains) return;
  message.erase(0, message.find(clauses[1], message.find(clauses[0]) + clauses[0].size()));
}

/// "Passt, und noch ein Bilderrahmen", "that works. how much is shipping": what comes next counts.
void CutAcceptance(std::string& message) {
  const std::vector<std::string> clauses = SplitClauses(message);
  // "I'll take it, put it in my cart" is one request.
  const bool accepts = clauses.size() > 1 && IsAcceptance(clauses[0]) &&
                       !HasCue(FoldedMessage(clauses[0]), Cue::kCart);
  if (accepts) message.erase(0, message.find(clauses[1], clauses[0].size()));
}

/// "What do the cooker and the blender come to": together.
void CompleteSum(std::string& message) {
  constexpr std::string_view kWhat = "what ", kComeTo = " come to", kTogether = " together";
  const std::string small = absl::AsciiStrToLower(message);
  const size_t what = small.find(kWhat);
  const size_t at = what == std::string::npos ? what : small.find(kComeTo, what);
  if (at == std::string::npos) return;
  const size_t end = at + kComeTo.size();
  if (end < small.size() && std::string_view("?!.,").find(small[end]) == std::string_view::npos) {
    return;
  }
  message.insert(end, kTogether);
}

/// "How many ml" for "how much ml", which asks for no price.
void CountUnits(std::string& message) {
  constexpr std::string_view kHowMuch = "how much ", kHowMany = "how many ";
  const std::string small = absl::AsciiStrToLower(message);
  const size_t at = small.find(kHowMuch);
  if (at == std::string::npos) return;
  const std::string behind = small.substr(at + kHowMuch.size());
  const std::string word = behind.substr(0, behind.find_first_of(" ?!.,"));
  if (IsOrdinaryWord(word) || !retrieval::FindUnit(word)) return;
  message.replace(at, kHowMuch.size(), kHowMany);
}

/// "How much with wrapping" asks for the price of goods and for that of a service: leaves the
/// question about the goods, and returns the whole, which the entry on the service answers. Empty:
/// the message asks for no such price.
std::string CutService(std::string& message) {
  constexpr std::array<std::string_view, 7> kServices = {
      "gift wrap and message", "assembly and installation service", "express delivery",
      "protection plan",       "engraving and personalisation",     "shipping cost",
      "taxes and duties"};
  const FoldedMessage folded(message);
  const FoldedMessage::Span price = FindCue(folded, Cue::kPrice);
  if (!price.found() || !HasCue(folded, Cue::kPlus)) return "";
  std::string service;
  for (const std::string& part : SplitSum(message)) {
    // "Wrapping" alone may be goods, "with wrapping" is a service.
    const size_t begin = message.find(part);
    const size_t before = begin < 2 ? std::string::npos : message.rfind(' ', begin - 2);
    const size_t from = before == std::string::npos ? 0 : before + 1;
    const auto topic =
        FindPolicyTopic(FoldedMessage(message.substr(from, begin - from + part.size())));
    const bool is_service =
        topic && std::find(kServices.begin(), kServices.end(), topic->name) != kServices.end();
    if (is_service && !service.empty()) return "";
    if (is_service) service = part;
  }
  const size_t at = message.find(service);
  if (service.empty() || at == std::string::npos) return "";
  std::string goods = message.substr(0, at);
  // Without "with".
  goods.resize(goods.find_last_not_of(' ') + 1);
  goods.resize(std::min(goods.rfind(' '), goods.size()));
  if (!HasCue(FoldedMessage(goods), Cue::kPrice)) goods = message.substr(at + service.size());
  // "加上包装多少钱" asks in one word, and "combien" asks for a price where "with" follows.
  if (!HasCue(FoldedMessage(goods), Cue::kPrice)) {
    constexpr std::string_view kPrice = "price";
    const bool is_bare = TellingWords(FoldedMessage(goods)).empty();
    if (is_bare)
      goods = IsWideText(folded.text()) ? folded.text().substr(price.begin, price.size()) : kPrice;
  }
  if (!HasCue(FoldedMessage(goods), Cue::kPrice)) return "";
  return std::exchange(message, goods);
}

/// "Wrap the first game and that puzzle, what do I pay": leaves the goods, and returns the name of
/// the service. Empty: nothing is to be wrapped, or no price is asked for.
std::string CutWrapping(std::string& message) {
  constexpr std::string_view kService = "gift wrap";
  const FoldedMessage folded(message);
  const FoldedMessage::Span span = FindCue(folded, Cue::kWrapping);
  if (!span.found() || !(HasCue(folded, Cue::kPrice) || HasCue(folded, Cue::kTotal))) return "";
  const std::string said =
      AsWritten(message, std::string(folded.text().substr(span.begin, span.size())));
  const size_t at = message.find(said);
  if (at == std::string::npos) return "";
  message.erase(at, said.size());
  return std::string(kService);
}

/// One spelling of marks, units and heights.
void NormaliseMarks(std::string& message) {
  // Phones type an apostrophe that no word list has.
  constexpr std::string_view kApostrophe = "’";
  for (size_t at = 0; (at = message.find(kApostrophe, at)) != std::string::npos;) {
    message.replace(at, kApostrophe.size(), "'");
  }
  // "450 m²" and "450 m2" are one unit.
  constexpr std::string_view kSquare = "²";
  for (size_t at = 0; (at = message.find(kSquare, at)) != std::string::npos;) {
    message.replace(at, kSquare.size(), "2");
  }
  SpellHeights(message);
  // "The first one's price": the place is "first one".
  for (const std::string_view mark : {"one's", "One's"}) {
    const size_t at = message.find(mark);
    if (at != std::string::npos) message.replace(at, mark.size(), "one");
  }
}

/// Goods that the text names, and whether the latest answer was about them.
NamedGoods GoodsNamedBy(const std::string& text, const std::string& language,
                        const UnderstandingInput& input) {
  if (input.profile == nullptr) return {};
  const auto type = FindProductType(text, language, *input.profile);
  const auto topic = input.turns.empty() ? std::nullopt : input.turns.back().type;
  const FoldedMessage folded(text);
  const bool is_topic =
      topic && (folded.FindLongest(topic->words).found() || (type && type->name == topic->name));
  return {.is_goods = is_topic || (type && type->is_whole), .is_topic = is_topic};
}

/// "No, not a cat tree, a water fountain": nothing of the search before is kept.
void LeaveTopic(const std::string& wanted, UnderstandingInput& input) {
  input.message = wanted;
  if (input.turns.empty()) return;
  ConversationTurn& last = input.turns.back();
  last.search_text.clear();
  last.type.reset();
  last.filter = {};
  last.words.clear();
}

/// What the rules read, or what the message means where it is about other products than they think.
Understanding ReadAgain(const Understanding& rules, const UnderstandingInput& input,
                        const std::string& language) {
  const std::vector<std::string> products = ReviewTurn(rules, input);
  Understanding understanding =
      products.empty() ? rules : MessageReader(input, language).RunAbout(products);
  understanding.rules = std::make_shared<const Understanding>(rules);
  return understanding;
}

}  // namespace

Understanding Understand(const UnderstandingInput& raw) {
  UnderstandingInput input = raw;
  input.message = CleanText(raw.message);
  NormaliseMarks(input.message);
  const std::string language = LanguageOf(input);
  input.message = SpellOut(input.message, language, input.vocabulary.mentions);
  if (language == "en") {
    input.message = CorrectWords(input.message, input.vocabulary, input.own_names);
  }
  if (!input.turns.empty()) CutComplaint(input.message);
  if (!input.turns.empty()) input.message = WithoutCorrection(input.message);
  if (!input.turns.empty()) CutAcceptance(input.message);
  if (language == "en") CountUnits(input.message);
  if (language == "en") CompleteSum(input.message);
  const MovedMessage moved = MoveOn(input.message, input.turns);
  input.message = moved.message;
  input.turns.resize(input.turns.size() - moved.turns);
  const std::string wanted = WithoutRejected(
      input.message, [&](const std::string& text) { return GoodsNamedBy(text, language, input); });
  if (wanted != input.message) LeaveTopic(wanted, input);
  input.message = WithoutRestating(input.message, input.turns);
  UnderstandingInput uncut = input;
  const bool has_shown = !ShownProducts(input.turns).empty();
  std::string policy_part = has_shown ? CutService(input.message) : std::string();
  if (has_shown && policy_part.empty()) policy_part = CutWrapping(input.message);
  if (policy_part.empty()) policy_part = CutPolicyPart(input.message, language, input.profile);
  const std::string goods = input.message;
  Understanding understanding = MessageReader(input, language).Run();
  // "Do you ship to Canada and how long does it take": both parts are about the policy.
  if (!policy_part.empty() && understanding.lacks_subject) {
    policy_part.clear();
    input = std::move(uncut);
    understanding = MessageReader(input, language).Run();
  }
  if (!input.turns.empty() && policy_part.empty()) {
    understanding = ReadAgain(understanding, input, language);
  }
  understanding.is_repeated = moved.is_repeated;
  const bool is_about_both = !understanding.asks_policy && understanding.desk == DeskAct::kNone;
  if (is_about_both && !policy_part.empty()) {
    understanding.policy_part = policy_part;
    if (understanding.fact_question.empty()) understanding.fact_question = goods;
  }
  return understanding;
}

}  // namespace emptor::services
