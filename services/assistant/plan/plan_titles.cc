// Facts that a question asks for by their unit, or that only a title states.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "services/assistant/plan/planner.h"
#include "services/assistant/schema/asked_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/title_facts.h"
#include "services/assistant/schema/title_values.h"
#include "services/assistant/words/cues.h"

namespace emptor::services {

namespace {

constexpr size_t kMaxSizes = 3;      // width, depth and height
constexpr size_t kWordsOfWhole = 2;  // of "product colour"
constexpr size_t kMaxSiblings = 2;   // next to the key that is asked for
constexpr std::string_view kLength = "mm";
constexpr std::string_view kTime = "h";

bool IsOneOf(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Names of attributes that state how large the whole product is.
bool IsSizeOfAll(const SchemaKey& key) {
  static constexpr std::array<std::string_view, 10> kSizes = {
      "width", "depth",      "height",      "length", "diameter",
      "size",  "dimensions", "screen size", "宽度",   "高度"};
  return IsOneOf(key.folded, kSizes);
}

/// "Noise level" of "noise level (spin)".
std::string_view PropertyOf(std::string_view name) { return name.substr(0, name.find(" (")); }

}  // namespace

FoldedMessage Planner::WithoutReference(int n) const {
  std::string rest;
  for (const std::string& word :
       SplitWords(WithoutType(WithoutName(message_, ProductOf(n))).text())) {
    if (PlaceOfWord(word) == 0) rest += (rest.empty() ? "" : " ") + word;
  }
  return FoldedMessage::FromFolded(std::move(rest));
}

bool Planner::PlanByDimension(int n) {
  const FoldedMessage question = WithoutName(message_, ProductOf(n));
  const AskedFor asked = ReadAskedFor(question);
  const std::vector<std::string_view> bases = BasesOf(asked);
  // "How long" may ask for a time or for a size.
  if (asked.dimensions.size() != 1 || bases.empty() || bases.front() == kTime) return false;
  if (!TellingWords(WithoutDimensions(WithoutReference(n))).empty()) return false;
  const bool is_size = bases.front() == kLength;
  const TypeSchema& own = SchemaOf(n);
  std::vector<Statement> facts;
  for (const SchemaKey& key : own.keys()) {
    const bool fits = key.kind == SchemaKey::Kind::kNumber &&
                      FitOf(key, asked) == DimensionFit::kSame &&
                      CountSideWords(key, question) == 0 && (!is_size || IsSizeOfAll(key));
    if (fits) facts.push_back({.kind = Kind::kState, .source = n, .key = key.name});
  }
  if (facts.empty() || facts.size() > (is_size ? kMaxSizes : 1)) return false;
  std::move(facts.begin(), facts.end(), std::back_inserter(plan_));
  return true;
}

bool Planner::PlanByTitle(int n) {
  std::vector<std::string> words =
      QuantitiesInTitle(message_, WithoutReference(n), ProductOf(n).title);
  const std::string& title = ProductOf(n).title;
  if (words.empty() && AsksForPack(message_, WithoutReference(n), title)) {
    if (auto pack = PackInTitle(title)) words.push_back(std::move(pack->text));
  }
  // The colour of the goods is not that of the "laser pointer colour", which others state.
  const SchemaKey* const key = KeyNamed(WithoutName(message_, ProductOf(n)));
  const bool is_of_part = key != nullptr && key->words.size() > kWordsOfWhole;
  if (words.empty() && !is_of_part) {
    words = ValuesInTitle(message_, WithoutReference(n), input_.understanding.language, title,
                          AsksYesNo());
  }
  // The name is given whole where it counts stars: a quote of them would read as a rating.
  const bool counts_stars =
      words.empty() && HasCue(message_, Cue::kRating) && !CountInTitle(message_, title).empty();
  if (words.empty() && !counts_stars) return false;
  plan_.push_back({.kind = Kind::kState, .source = n, .key = "title", .words = std::move(words)});
  return true;
}

void Planner::AddSiblings(int n, const std::string& key) {
  const TypeSchema& own = SchemaOf(n);
  const SchemaKey* const asked = own.Find(key);
  const std::string_view name = PropertyOf(key);
  if (asked == nullptr || name.size() == key.size() || AsksYesNo()) return;
  // "When it spins": only that is asked for.
  const auto is_said = [&](const std::string& word) {
    return name.find(word) == std::string_view::npos &&
           message_.text().find(word) != std::string_view::npos;
  };
  if (std::any_of(asked->words.begin(), asked->words.end(), is_said)) return;
  size_t added = 0;
  for (const SchemaKey& each : own.keys()) {
    const bool is_sibling = &each != asked && each.kind == asked->kind &&
                            PropertyOf(each.name) == name && CountSideWords(each, message_) == 0;
    if (!is_sibling || added == kMaxSiblings) continue;
    plan_.push_back({.kind = Kind::kState, .source = n, .key = each.name});
    ++added;
  }
}

}  // namespace emptor::services
