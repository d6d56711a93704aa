// Products of all lists of a conversation, by what sets each apart.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/reading/described_parts.h"
#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/story_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxWords = 4;     // of "the cherry red 1.7 litre one"
constexpr size_t kMaxMeasures = 2;  // of one description
constexpr size_t kMaxBytes = 24;    // of a Chinese description

bool IsCue(const std::string& word, Cue cue) {
  return HasCue(FoldedMessage::FromFolded(word), cue);
}

bool EndsPart(const std::string& word) {
  return IsCue(word, Cue::kNameEnd) || IsOrdinaryWord(word);
}

/// "Die mit 7 kg", "celui de 7 kg", "el de 7 kg".
bool IsJoint(const std::string& word) {
  return word == "mit" || word == "aus" || word == "von" || word == "de" || word == "en" ||
         word == "con" || word == "avec" || word == "a" || word == "d" || word == "with";
}

/// "黑色的那款", "那款黑色的".
std::vector<DescribedPart> FindChineseParts(const FoldedMessage& message) {
  const FoldedMessage::Span one = FindCue(message, Cue::kThatOne);
  if (!one.found()) return {};
  std::string before(message.text().substr(0, one.begin));
  std::string after(message.text().substr(one.end));
  if (before.size() > kMaxBytes) before.clear();
  after.resize(std::min(after.find("的"), std::min(after.size(), kMaxBytes)));
  std::vector<DescribedPart> parts;
  for (std::string* text : {&before, &after}) {
    if (!text->empty()) parts.push_back({std::move(*text), true});
  }
  return parts;
}

/// A record meets all of it.
bool Meets(const catalog::Product& product, const std::vector<WordCondition>& demands,
           bool titles_only) {
  const RecordWords words = RecordWords::Learn({&product});
  return std::all_of(demands.begin(), demands.end(), [&](const WordCondition& each) {
    return services::Meets(product.title, each) || (!titles_only && words.Knows(each));
  });
}

/// The title has the text, however its words are parted.
bool HasText(std::string_view title, std::string text) {
  std::string joined = retrieval::FoldWords(title);
  std::erase(joined, ' ');
  std::erase(text, ' ');
  return joined.find(text) != std::string::npos;
}

/// "De color crema", "in der Farbe Rot".
bool NamesColour(const std::string& word) {
  return word == "color" || word == "colour" || word == "couleur" || word == "farbe" ||
         word == "colored" || word == "coloured";
}

/// "Box" of "lunch box", "dog" of "dog bed".
bool IsWordOf(const std::string& type, const std::string& word) {
  const std::vector<std::string> words = SplitWords(type);
  return words.size() > 1 && std::find(words.begin(), words.end(), word) != words.end();
}

const std::vector<std::string>& ListOf(const ConversationTurn& turn) {
  return turn.listed_products.empty() ? turn.shown_products : turn.listed_products;
}

/// The part begins with the last word of a name of several words: "the monitor", of baby monitors.
bool NamesHead(const DescribedPart& part, const ProductType& type) {
  const size_t head = type.name.rfind(' ');
  const std::vector<std::string> words = SplitWords(part.text);
  return head != std::string::npos && !words.empty() &&
         SingularOf(words.front()) == SingularOf(type.name.substr(head + 1));
}

/// The part is a name of the type, and says nothing else.
bool IsNameOf(const DescribedPart& part, const ProductType& type) {
  const FoldedMessage::Span name = FoldedMessage::FromFolded(part.text).FindLongest(type.words);
  return name.found() && name.size() == part.text.size();
}

bool NamesTypeOrHead(const DescribedPart& part, const ProductType& type) {
  return FoldedMessage::FromFolded(part.text).FindLongest(type.words).found() ||
         NamesHead(part, type);
}

}  // namespace

std::vector<DescribedPart> FindDescribedParts(const FoldedMessage& message) {
  const FoldedMessage::Span one = FindCue(message, Cue::kThatOne);
  const bool is_chinese =
      IsWideText(message.text()) || (one.found() && IsWideText(message.text().substr(one.begin)));
  if (is_chinese) return FindChineseParts(message);
  const std::vector<std::string> words = SplitWords(message.text());
  std::vector<DescribedPart> parts;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (!IsCue(words[i], Cue::kDefinite)) continue;
    size_t at = i + 1;
    bool is_joined = IsJoint(words[at]);
    if (is_joined) ++at;
    DescribedPart part;
    part.is_purpose = i > 0 && IsCue(words[i - 1], Cue::kPurpose) && !IsJoint(words[i - 1]);
    for (size_t count = 0; at < words.size() && count <= kMaxWords; ++at, ++count) {
      part.says_one = IsCue(words[at], Cue::kThatOne);
      // "The one with 7 kg".
      const bool goes_on =
          part.says_one && part.text.empty() && at + 2 < words.size() && IsJoint(words[at + 1]);
      if (goes_on) {
        is_joined = true;
        ++at;
        continue;
      }
      if (part.says_one || EndsPart(words[at])) break;
      part.text += (part.text.empty() ? "" : " ") + words[at];
      const bool ends_measure =
          retrieval::FindUnit(words[at]) || retrieval::ParseMeasure(words[at]);
      if (is_joined && ends_measure) break;
    }
    part.says_one |= is_joined;
    if (!part.text.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<WordCondition> DemandsOfPart(const DescribedPart& part, std::string_view message,
                                         std::string_view language,
                                         const std::vector<std::string>& type_words) {
  FoldedMessage rest = FoldedMessage::FromFolded(part.text);
  rest = rest.Without(rest.FindLongest(type_words));
  std::vector<WordCondition> demands;
  // "1,7 Liter" is "1 7 liter" folded.
  const bool has_digit = part.text.find_first_of("0123456789") != std::string::npos;
  const auto measures = retrieval::FindMeasures(message, kMaxMeasures);
  if (has_digit && !measures.empty()) {
    const auto& each = measures.front();
    demands.push_back(
        {part.text, {}, StatedQuantity{std::string(each.base), each.value, each.value}});
  }
  for (const NamedValue& value : FindNamedValues(rest, language)) {
    if (IsUnitAt(rest, value)) continue;
    demands.push_back(DemandOf(value, rest.text().substr(value.span.begin, value.span.size())));
    rest = rest.Without(value.span);
  }
  const bool is_measured = !demands.empty() && demands.front().quantity.has_value();
  for (const std::string& word : TellingWords(rest)) {
    const bool is_quantity =
        is_measured && (retrieval::FindUnit(word) || retrieval::ParseMeasure(word));
    if (!IsStruckOut(word) && !is_quantity && !NamesColour(word)) demands.push_back(DemandOf(word));
  }
  return demands;
}

std::vector<std::string> MessageReader::FindDescribed(const DescribedPart& part,
                                                      const ConversationTurn& turn) const {
  const auto type_words = turn.type ? turn.type->words : std::vector<std::string>();
  const FoldedMessage::Span name = FoldedMessage::FromFolded(part.text).FindLongest(type_words);
  const bool names_type = name.found();
  // "Is the gaming laptop heavy".
  DescribedPart named = part;
  if (names_type && name.begin > 0) named.text.resize(name.end);
  const auto demands = DemandsOfPart(named, input_.message, result_.language, type_words);
  if (demands.empty()) return {};
  const bool is_product = part.says_one || names_type;
  // "The Serabelle HD50", "the Aavante Bar 1160" are found by their names.
  const bool has_code = demands.front().quantity == std::nullopt &&
                        named.text.find_first_of("0123456789") != std::string::npos;
  if (has_code && !part.says_one) return {};
  std::vector<std::string> met, same;
  for (const std::string& id : ListOf(turn)) {
    const auto product = input_.record_of(id);
    if (!product || !Meets(*product, demands, !is_product)) continue;
    met.push_back(id);
    if (HasText(product->title, named.text)) same.push_back(id);
  }
  const std::string focus = FocusOf(turn);
  if (std::find(met.begin(), met.end(), focus) != met.end()) return {focus};
  // "The 500 GB one" is rather that of 500 than that of 512.
  if (same.size() == 1) return same;
  return is_product || met.size() == 1 ? met : std::vector<std::string>();
}

void MessageReader::RecallTurn(const ConversationTurn& turn) {
  const ConversationTurn recalled = turn;
  input_.turns.push_back(recalled);
  last_ = &input_.turns.back();
  is_recalled_ = true;
}

void MessageReader::RecallDescribed() {
  const bool searches = Says(Cue::kMore) || Says(Cue::kRequest) || Says(Cue::kLike) ||
                        Says(Cue::kOthers) || Says(Cue::kVariant) || Says(Cue::kCompare) ||
                        Says(Cue::kTotal) || Says(Cue::kThan);
  if (searches || returns_ || !has_list() || !input_.record_of) return;
  std::vector<DescribedPart> parts = FindDescribedParts(folded_);
  // "Is it big enough for the laptop" is about the backpack before.
  if (PointsAtOne(tokens_)) {
    std::erase_if(parts, [](const DescribedPart& part) { return part.is_purpose; });
  }
  // "The laptop" is the laptop before, and no laptop backpack.
  const bool names_topic = std::any_of(parts.begin(), parts.end(), [&](const DescribedPart& part) {
    return std::any_of(input_.turns.begin(), input_.turns.end(),
                       [&](const auto& turn) { return turn.type && IsNameOf(part, *turn.type); });
  });
  if (names_topic) return RecallTypeOf(parts);
  for (const DescribedPart& part : parts) {
    for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
      described_ = FindDescribed(part, *turn);
      if (described_.empty()) continue;
      if (ListOf(*turn) != ListOf(*last_)) RecallTurn(*turn);
      return;
    }
  }
  RecallTypeOf(parts);
}

void MessageReader::RecallTypeOf(const std::vector<DescribedPart>& parts) {
  for (const DescribedPart& part : parts) {
    if (last_->type && NamesTypeOrHead(part, *last_->type)) return;
    for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
      if (!turn->type || ListOf(*turn).empty()) continue;
      if (!NamesTypeOrHead(part, *turn->type)) continue;
      // "Forget the swaddle, which of the diapers was cheapest" ranks those that were shown.
      const auto rank = ResolveRank(folded_, TypeSchema());
      returns_ = rank && rank->is_superlative && Says(Cue::kWhich) && !Says(Cue::kWhole);
      // Of several that were shown, the type alone means each.
      const std::string focus = FocusOf(*turn);
      if (!NamesPlaces(tokens_)) {
        described_ = focus.empty() ? ListOf(*turn) : std::vector<std::string>{focus};
      }
      RecallTurn(*turn);
      return;
    }
  }
}

bool MessageReader::MeansTopic(const ProductType& topic) const {
  const bool searches = Says(Cue::kMore) || Says(Cue::kRequest) || Says(Cue::kWhole);
  if (!has_list() || topic.name == named_type_->name) return false;
  // "Anything with 3 boxes a bit cheaper", of lunch boxes.
  const bool compares = result_.comparison && !named_type_->is_advised;
  if ((!searches || compares) && IsWordOf(topic.name, named_type_->name)) return true;
  if (searches) return false;
  const std::vector<DescribedPart> parts = FindDescribedParts(folded_);
  return std::any_of(parts.begin(), parts.end(), [&](const DescribedPart& part) {
    return NamesHead(part, topic) &&
           FoldedMessage::FromFolded(part.text).FindLongest(named_type_->words).found();
  });
}

bool MessageReader::SaysOnlyDescription() const {
  if (described_.size() != 1 || Says(Cue::kOnly)) return false;
  const std::vector<DescribedPart> parts = FindDescribedParts(folded_);
  if (parts.size() != 1 || !parts.front().says_one) return false;
  const FoldedMessage rest = folded_.Without(folded_.Find(parts.front().text));
  const std::vector<std::string> words = SplitWords(rest.text());
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return IsStruckOut(word) || IsOrdinaryWord(word) || IsStoryWord(word);
  });
}

bool MessageReader::ReadDescribed() {
  if (described_.empty() || is_new_type() || rank_ || result_.comparison) return false;
  const bool asks = Says(Cue::kDetail) || Says(Cue::kYesNo) || Says(Cue::kPrice) ||
                    Says(Cue::kStock) || Says(Cue::kHowMany) || Says(Cue::kAbout) ||
                    KeyAsked() != nullptr || input_.message.ends_with('?') ||
                    input_.message.ends_with("？");
  if (!asks && !SaysOnlyDescription()) return false;
  result_.referenced_products = described_;
  result_.is_subject_guessed = false;
  names_shown_ = true;
  Follow({TurnRole::kAboutShown, Confidence::kSure, "describes one that was shown"});
  const std::string question = QuestionAfterSelection(input_.message);
  if (result_.fact_question.empty()) result_.fact_question = question;
  return true;
}

}  // namespace emptor::services
