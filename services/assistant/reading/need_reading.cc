// Needs that name no goods: when a message tells one, and which goods it is about.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/text/measure.h"
#include "services/assistant/dialogue/dialogue_moves.h"
#include "services/assistant/reading/act_classifier.h"
#include "services/assistant/reading/asked_name.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/reading/unsold.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/types/needs.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

constexpr size_t kFewTelling = 2;
constexpr double kSurely = 0.6;   // of an act
constexpr double kStrong = 0.45;  // of a need, where the message may be about a policy

/// "Also need something to measure with": of several sentences the one that wants goods and neither
/// names nor points at any; empty: none or more than one.
std::string SentenceOfNeed(const std::string& message) {
  const std::vector<std::string> sentences = SplitSentences(message);
  std::string found;
  for (const std::string& each : sentences) {
    const FoldedMessage folded(each);
    const auto tokens = retrieval::TokenizeQuery(each);
    const bool is_need = HasCue(folded, Cue::kSomething) && HasCue(folded, Cue::kRequest) &&
                         !PointsAtOne(tokens) && !PointsBack(tokens);
    if (!is_need) continue;
    if (!found.empty()) return "";
    found = each;
  }
  return sentences.size() > 1 ? found : "";
}

}  // namespace

std::optional<ProductType> MessageReader::NeededGoods(const ProductType* topic) {
  const bool is_said =
      input_.needed_types && input_.profile != nullptr && !Says(Cue::kSells) && SaysEnough();
  if (!is_said) return std::nullopt;
  const bool has_topic = topic != nullptr || has_list();
  // "I'll take the little one. Also need something to measure with": a need of its own.
  const std::string sentence = has_topic ? SentenceOfNeed(input_.message) : "";
  if (has_topic && sentence.empty() && (AsksOfShown() || !DescribesNeed())) return std::nullopt;
  // Stories are often taken for something else, and seldom with certainty.
  const ActGuess& guess = guesses_.front();
  const bool is_other = guess.act != DeskAct::kNone && guess.probability >= kSurely;
  if (is_other || ReadDeskAct(input_.message) != DeskAct::kNone) return std::nullopt;
  const std::vector<NeededType> ranked =
      input_.needed_types(sentence.empty() ? input_.message : sentence);
  const bool may_be_policy = FindPolicyTopic(folded_) || guess.act == DeskAct::kPolicy;
  if (may_be_policy && (ranked.empty() || ranked.front().score < kStrong)) return std::nullopt;
  const auto is_sold = [&](const ProductType& type) { return !is_unknown_type(type); };
  auto needed = FindNeededType({ranked, MeantKinds(), folded_, named_type_, *input_.profile,
                                is_sold, has_topic, result_.language == "en"});
  if (needed && topic != nullptr && needed->name == topic->name) return std::nullopt;
  return needed;
}

std::optional<ProductType> MessageReader::NamedMember(const ProductType& topic) const {
  if (!result_.referenced_products.empty() || Says(Cue::kYesNo) || Says(Cue::kDetail)) {
    return std::nullopt;
  }
  std::optional<ProductType> named;
  for (const std::string& member : HelpOf(topic)) {
    auto type = FindProductType(member, "en", *input_.profile);
    if (!type || is_unknown_type(*type)) continue;
    const std::string head = member.substr(member.rfind(' ') + 1);
    if (!folded_.FindLongest(type->words).found() && !folded_.Has(head)) continue;
    if (named) return std::nullopt;  // "mat and rope": several
    named = std::move(type);
    named->words.push_back(head);
  }
  return named;
}

/// Words that may tell a need: "daughter is 8 and wants to find out how volcanoes work".
bool MessageReader::SaysEnough() const {
  constexpr size_t kManyWords = 6, kManyLetters = 7, kLetter = 3;  // bytes of a Chinese one
  constexpr size_t kFewWords = 4;
  if (IsWideText(folded_.text())) return folded_.text().size() >= kManyLetters * kLetter;
  // "Nescafe gold 200g" names goods.
  const std::vector<std::string> words = SplitWords(folded_.text());
  const bool names_amount =
      words.size() <= kFewWords && std::any_of(words.begin(), words.end(), [](const auto& word) {
        return retrieval::ParseMeasure(word).has_value();
      });
  if (names_amount) return false;
  return TellingWords(folded_).size() >= kFewTelling || folded_.word_count() >= kManyWords;
}

/// "We also need to stay warm at night", after tents: a sentence of its own, and no part of one.
bool MessageReader::DescribesNeed() const {
  constexpr size_t kFewWords = 4;
  const bool means_one = folded_.Has("one") || folded_.Has("ones");  // of what was shown
  if (means_one || folded_.word_count() < kFewWords || Says(Cue::kAbout) || BeginsWithPart(folded_))
    return false;
  if (Says(Cue::kMore) || Says(Cue::kRequest)) return true;
  const std::vector<std::string> words = SplitWords(folded_.text());
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return IsOwnerWord(word) || IsStoryWord(word);
  });
}

bool MessageReader::AsksOfShown() const {
  return !result_.referenced_products.empty() || result_.comparison || Says(Cue::kYesNo) ||
         Says(Cue::kDetail) || Says(Cue::kWhich) || Says(Cue::kWh) || Says(Cue::kTotal) ||
         Says(Cue::kCompare) || PointsAtOne(tokens_) || PointsBack(tokens_) || AsksOfParts();
}

void MessageReader::ChooseAmongGoods() {
  if (!input_.found_kinds || input_.profile == nullptr || Says(Cue::kSells)) return;
  // "A quiet kettle under $50" asks by name, and tells nothing that speaks for other goods.
  constexpr size_t kFewWords = 6;
  const bool is_plain =
      named_type_ && folded_.word_count() <= kFewWords && IsAskedByName(folded_, *named_type_);
  // What the shop does not sell is answered as such.
  if (is_plain || (named_type_ && is_unknown_type(*named_type_))) return;
  const std::vector<NeededType> needs =
      input_.needed_types ? input_.needed_types(input_.message) : std::vector<NeededType>();
  const std::vector<FoundKind> found = input_.found_kinds(input_.message, result_.language);
  const GoodsReading reading{folded_,
                             named_type_,
                             needs,
                             MeantKinds(),
                             found,
                             *input_.profile,
                             [&](const ProductType& type) { return !is_unknown_type(type); }};
  result_.goods = RankGoods(reading);
  const ActGuess& guess = guesses_.front();
  const bool may_be_policy = FindPolicyTopic(folded_) || guess.act != DeskAct::kNone ||
                             ReadDeskAct(input_.message) != DeskAct::kNone;
  if (may_be_policy && !LooksForGoods()) return;
  auto chosen = ChooseGoods(reading, result_.goods);
  if (!chosen) return;
  describes_need_ = !folded_.FindLongest(chosen->words).found();
  named_type_ = std::move(chosen);
}

const std::vector<MeantKind>& MessageReader::MeantKinds() {
  if (!meant_ && input_.meant_kinds) meant_ = input_.meant_kinds(input_.message);
  if (!meant_) meant_.emplace();
  return *meant_;
}

/// Goods are described, and none is named that the shop lacks: "keep my tea hot on the train".
bool MessageReader::GuessesType() const {
  return input_.meant_kinds && input_.profile != nullptr && !has_list() && !Says(Cue::kSells) &&
         TellingWords(folded_).size() >= kFewTelling &&
         FindUnsoldName(tokens_, input_.vocabulary, nullptr, result_.language).empty();
}

}  // namespace emptor::services
