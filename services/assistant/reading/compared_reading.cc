// Comparisons of what was shown: "how is that different from the first one".
#include <algorithm>
#include <utility>

#include "services/assistant/reading/message_reader.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/fact_questions.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxContinuation = 6;  // words of "and how about with the second one"

bool Holds(const std::vector<std::string>& all, const std::string& each) {
  return std::find(all.begin(), all.end(), each) != all.end();
}

bool HasWide(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0xE3; });
}

/// The article that a contraction holds: "el" of "del"; empty: the word is none.
std::string ArticleIn(const std::string& word) {
  for (const std::string& each : CuePhrases(Cue::kContraction)) {
    const size_t blank = each.find(' ');
    if (each.substr(0, blank) == word) return each.substr(blank + 1);
  }
  return "";
}

/// "这个 和 最贵的", "和 sonaro 有什么区别": blanks around Chinese words that part sides, and where
/// the script changes.
std::string PartWide(const std::string& folded) {
  std::string text;
  for (size_t i = 0; i < folded.size(); ++i) {
    const bool was_wide = i > 0 && static_cast<unsigned char>(folded[i - 1]) >= 0x80;
    const bool is_wide = static_cast<unsigned char>(folded[i]) >= 0x80;
    const bool is_blank = folded[i] == ' ' || (i > 0 && folded[i - 1] == ' ');
    if (i > 0 && was_wide != is_wide && !is_blank && HasWide(folded)) text += ' ';
    text += folded[i];
  }
  for (const std::string& each : CuePhrases(Cue::kSide)) {
    if (!IsWideText(each)) continue;
    for (size_t at = text.find(each); at != std::string::npos;) {
      text.replace(at, each.size(), " " + each + " ");
      at = text.find(each, at + each.size() + 2);
    }
  }
  return text;
}

/// The folded parts of a message between the words that part the sides of a comparison, and what
/// says that it is one.
std::vector<std::string> SidesOf(const FoldedMessage& message) {
  const std::vector<std::string>& marks = CuePhrases(Cue::kSide);
  std::vector<std::string> sides(1);
  const FoldedMessage said = message.Without(FindCue(message, Cue::kCompare));
  for (const std::string& word : SplitWords(PartWide(std::string(said.text())))) {
    const std::string article = ArticleIn(word);
    if (!article.empty() || Holds(marks, word) || IsStruckOut(word)) {
      sides.push_back(article);
    } else {
      sides.back() += (sides.back().empty() ? "" : " ") + word;
    }
  }
  std::erase_if(sides, [](const std::string& each) { return each.empty(); });
  return sides;
}

/// "1st", "first one" without an article.
std::string WithArticle(const std::string& side) {
  return PlaceOfWord(side.substr(0, side.find(' '))) != 0 ? "the " + side : side;
}

}  // namespace

std::vector<std::vector<std::string>> MessageReader::ListsShown() const {
  std::vector<std::vector<std::string>> lists = {List()};
  for (auto turn = input_.turns.rbegin(); turn != input_.turns.rend(); ++turn) {
    const std::vector<std::string>& list = turn->listed_products;
    const bool is_new = std::find(lists.begin(), lists.end(), list) == lists.end();
    if (list.size() > 1 && is_new) lists.push_back(list);
  }
  return lists;
}

bool MessageReader::ranks_side(const std::string& side) const {
  const auto rank = ResolveRank(FoldedMessage(side), *schema_or_none(), TypesRanked());
  return rank && rank->is_superlative;
}

bool MessageReader::IsListedSide(const std::string& side) const {
  return ranks_side(side) || NamesPlaces(retrieval::TokenizeQuery(WithArticle(side)));
}

std::vector<std::string> MessageReader::FindListedSide(
    const std::string& side, const std::vector<std::string>& taken) const {
  if (!IsListedSide(side)) return {};
  const auto tokens = retrieval::TokenizeQuery(WithArticle(side));
  const bool is_ranked = ranks_side(side);
  bool is_named = false;
  for (const std::vector<std::string>& list : ListsShown()) {
    std::vector<std::string> found;
    if (is_ranked) {
      if (std::string best = FindNamed(side, list, {}, false); !best.empty()) found = {best};
    } else {
      found = PlacesIn(tokens, list);
    }
    const bool is_taken =
        std::any_of(found.begin(), found.end(), [&](auto& id) { return Holds(taken, id); });
    if (!found.empty() && !is_taken) return found;
    is_named |= is_taken;
  }
  // "How is that different from the first", of the first itself: from the next one.
  for (const std::string& id : List()) {
    if (is_named && !Holds(taken, id)) return {id};
  }
  return {};
}

std::string MessageReader::FindPointedSide(const std::string& side) const {
  if (IsListedSide(side)) return "";
  const std::string id =
      FindNamedShown(ShownProducts(input_.turns),
                     {.text = FoldedMessage(side),
                      .language = result_.language,
                      .type_words = last_->type ? last_->type->words : std::vector<std::string>(),
                      .takes_first = true},
                     input_.record_of);
  if (!id.empty()) return id;
  return PointsAtOne(retrieval::TokenizeQuery(side)) ? LikelySubject() : "";
}

bool MessageReader::NamesGoodsOfTopic(const std::string& side) const {
  const std::vector<std::string> words = TellingWords(FoldedMessage(side));
  const RecordWords& records = schema_or_none()->words();
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return records.Knows(DemandOf(word)); });
}

bool MessageReader::ContinuesComparison() const {
  return last_ != nullptr && HasCue(FoldedMessage(last_->question), Cue::kCompare) &&
         HasCue(folded_, Cue::kAbout) && folded_.word_count() <= kMaxContinuation &&
         SidesOf(folded_).size() == 1 && !Says(Cue::kDetail) && !Says(Cue::kMore);
}

bool MessageReader::MayCompareShown() const {
  const bool compares = Says(Cue::kCompare) || ContinuesComparison();
  if (!compares || !has_list() || !input_.record_of || is_new_type() || Says(Cue::kWhole)) {
    return false;
  }
  // "Anything better than the first one" searches, "is it better than the first one" asks whether.
  const bool asks_other =
      Says(Cue::kThan) && (Says(Cue::kMore) || AsksYesOrNo(input_.message, folded_));
  return !asks_other && !Says(Cue::kListPrice) && !Says(Cue::kSaving);
}

std::vector<std::string> MessageReader::ComparedShown() const {
  if (!MayCompareShown()) return {};
  const std::vector<std::string> sides = SidesOf(folded_);
  std::vector<std::vector<std::string>> found(sides.size());
  std::vector<std::string> taken;
  for (size_t i = 0; i < sides.size(); ++i) {
    std::string id = FindPointedSide(sides[i]);
    if (id.empty()) continue;
    AppendNew({id}, taken);
    found[i] = {std::move(id)};
  }
  const auto is_listed = [&](const std::string& side) { return IsListedSide(side); };
  const auto listed = std::count_if(sides.begin(), sides.end(), is_listed);
  // The side that is left out is the product in focus.
  if (taken.empty() && listed == 1) taken = {LikelySubject()};
  bool is_open = false;
  for (size_t i = 0; i < sides.size(); ++i) {
    if (!found[i].empty()) continue;
    found[i] = FindListedSide(sides[i], taken);
    AppendNew(found[i], taken);
    is_open |= found[i].empty() && NamesGoodsOfTopic(sides[i]);
  }
  if (is_open) return {};
  std::vector<std::string> compared;
  for (const std::vector<std::string>& each : found) AppendNew(each, compared);
  if (compared.size() == 1 && LikelySubject() != compared.front()) {
    compared.insert(compared.begin(), LikelySubject());
  }
  return compared;
}

bool MessageReader::ReadComparedShown() {
  std::vector<std::string> compared = ComparedShown();
  const std::vector<std::string> sides = SidesOf(folded_);
  const bool has_ranked =
      std::any_of(sides.begin(), sides.end(), [&](const auto& each) { return ranks_side(each); });
  if (compared.size() < 2 || (AsksRank() && !has_ranked)) return false;
  result_.referenced_products = std::move(compared);
  result_.comparison.reset();
  result_.missing.clear();
  result_.is_subject_guessed = false;
  result_.is_pair_named = result_.compares_shown = compares_named_ = true;
  Follow({TurnRole::kAboutShown, Confidence::kSure, "compares what was shown"});
  return true;
}

}  // namespace emptor::services
