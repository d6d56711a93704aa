// What the text of a value, of the title or of the description says, where no attribute is asked
// about by its name.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/evidence.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxQuote = 300;  // bytes of a sentence that is quoted
constexpr std::string_view kFits = "compatib";

using Words = std::vector<std::string>;

bool IsNumber(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Prices, stock and sales are stated as they are now, never as a seller once wrote them.
bool MayChange(const std::string& sentence) {
  static constexpr std::array<std::string_view, 6> kSigns = {"$", "€", "£", "¥", "₹", "￥"};
  const bool has_sign = std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
    return sentence.find(sign) != std::string::npos;
  });
  const FoldedMessage folded(sentence);
  return has_sign || HasCue(folded, Cue::kPrice) || HasCue(folded, Cue::kSale) ||
         HasCue(folded, Cue::kStock) || HasCue(folded, Cue::kRating) ||
         HasCue(folded, Cue::kReviews);
}

/// True where the text has the word or, in the words of data sheets, what is said for it.
bool HasWord(const FoldedMessage& text, const std::string& word) {
  if (text.Has(word) || Meets(text.text(), DemandOf(word))) return true;
  const Words said = KeyWordsSaid(FoldedMessage::FromFolded(word));
  return std::any_of(said.begin(), said.end(),
                     [&](const std::string& each) { return text.Has(each); });
}

/// "SFP+" of "does it have SFP+ ports", in lower case: folding would make it "SFP". Empty: none.
std::string WordWithPlus(const std::string& text) {
  for (size_t at = text.find('+'); at != std::string::npos; at = text.find('+', at + 1)) {
    size_t begin = at;
    while (begin > 0 && absl::ascii_isalnum(static_cast<unsigned char>(text[begin - 1]))) --begin;
    if (begin < at) return absl::AsciiStrToLower(text.substr(begin, at + 1 - begin));
  }
  return "";
}

/// Sentences of a description: between full stops, line ends and list marks.
Words SentencesOf(std::string_view text) {
  Words sentences;
  std::string sentence;
  const auto finish = [&] {
    const size_t begin = sentence.find_first_not_of(" \t\r-*•");
    if (begin != std::string::npos) sentences.push_back(sentence.substr(begin));
    sentence.clear();
  };
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_end = c == '\n' || ((c == '.' || c == '!' || c == '?' || c == ';') &&
                                      (at + 1 == text.size() || text[at + 1] == ' '));
    if (c != '\n') sentence += c;
    if (is_end) finish();
  }
  finish();
  return sentences;
}

}  // namespace

Words Planner::WordsAsked(const FoldedMessage& question) const {
  Words asked;
  const FoldedMessage rest = WithoutType(question);
  for (const std::string& word : SplitWords(rest.text())) {
    const bool tells = IsNumber(word) || !TellingWords(FoldedMessage::FromFolded(word)).empty();
    if (tells && !IsStruckOut(word) && PlaceOfWord(word) == 0 && !IsCueWord(word))
      asked.push_back(word);
  }
  // A number alone may count anything.
  const bool has_word = std::any_of(asked.begin(), asked.end(),
                                    [](const std::string& word) { return !IsNumber(word); });
  return has_word ? asked : Words();
}

std::optional<Statement> Planner::PolarityOfValue(int n, const FoldedMessage& question) const {
  const Words asked = WordsAsked(question);
  if (asked.empty() || IsWideText(question.text()) || HasCue(message_, Cue::kThan)) {
    return std::nullopt;
  }
  const std::string plus = WordWithPlus(question_);
  const Words said = KeyWordsSaid(question);
  const bool asks_included = std::find(said.begin(), said.end(), kIncluded) != said.end();
  for (const catalog::Attribute& each : ProductOf(n).attributes) {
    if (absl::AsciiStrToLower(each.value).find(plus) == std::string::npos) continue;
    const FoldedMessage value(each.value), whole(each.name + " " + each.value);
    // A "doll clothes set" does not come with a doll.
    if (asks_included && !HasWord(whole, std::string(kIncluded))) continue;
    if (MeansYes(value.text()) || MeansNo(value.text())) continue;
    if (retrieval::ParsePlainNumber(each.value)) continue;
    const auto in_whole = [&](const std::string& word) { return HasWord(whole, word); };
    const auto in_value = [&](const std::string& word) { return HasWord(value, word); };
    if (std::all_of(asked.begin(), asked.end(), in_whole) &&
        std::any_of(asked.begin(), asked.end(), in_value)) {
      return Answer(true, n, each.name);
    }
  }
  return PolarityOfFit(n, asked);
}

std::optional<Statement> Planner::PolarityOfFit(int n, const Words& asked) const {
  Words models;
  for (const std::string& word : asked) {
    if (IsModelWord(word)) models.push_back(word);
  }
  if (models.empty()) return std::nullopt;
  for (const catalog::Attribute& each : ProductOf(n).attributes) {
    // "Brand compatibility: HP" lists no models.
    const std::string name = retrieval::FoldWords(each.name),
                      value = retrieval::FoldWords(each.value);
    const bool lists_models = name.find(kFits) != std::string::npos &&
                              value.find_first_of("0123456789") != std::string::npos;
    if (!lists_models) continue;
    const FoldedMessage list = FoldedMessage::FromFolded(value);
    const bool has_all = std::all_of(models.begin(), models.end(),
                                     [&](const std::string& model) { return list.Has(model); });
    return Answer(has_all, n, each.name);
  }
  return std::nullopt;
}

bool Planner::PlanByDescription(int n) {
  const FoldedMessage question = WithoutReference(n);
  const Words asked = WordsAsked(question);
  if (asked.empty() || IsWideText(question.text())) return false;
  const bool wants_number = ReadAskedFor(message_).is_number;
  TermWeights weights;
  const Words sentences = SentencesOf(ProductOf(n).description);
  for (const std::string& each : sentences) weights.Add({.text = each});
  const std::string* best = nullptr;
  float best_score = 0;
  for (const std::string& each : sentences) {
    const FoldedMessage said(each);
    const bool has_number = said.text().find_first_of("0123456789") != std::string_view::npos;
    const bool answers = each.size() <= kMaxQuote && !MayChange(each) &&
                         (!wants_number || has_number) &&
                         std::all_of(asked.begin(), asked.end(),
                                     [&](const std::string& word) { return HasWord(said, word); });
    if (!answers) continue;
    const float score =
        ScoreEvidence(FeaturesOf(question_, ProductOf(n).title, {.text = each}, weights));
    if (best == nullptr || score > best_score) {
      best = &each;
      best_score = score;
    }
  }
  if (best == nullptr) return false;
  plan_.push_back({.kind = Kind::kState, .source = n, .key = "description", .words = {*best}});
  return true;
}

}  // namespace emptor::services
