// Counts of the words at the ends of the heads of titles.
#include "services/assistant/types/goods_names.h"

#include <algorithm>
#include <cstddef>

#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/words/edit_distance.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/types/title_types.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr size_t kMaxWords = 3;           // of a name
constexpr size_t kMinBytes = 3;           // of a word of a name
constexpr uint32_t kFewEnds = 4;          // of a word that names goods alone
constexpr uint32_t kTwice = 2;            // of a name of several words
constexpr double kOftenHead = 0.25;       // of the titles that hold a word
constexpr double kOftenName = 0.2;        // of those that hold several words
constexpr size_t kMaxLineTitles = 40000;  // from which lines are learned
constexpr size_t kLineWords = 2;          // of a title: its maker, and a line
constexpr uint32_t kFewOfLine = 3;        // products
constexpr double kNearlyAll = 0.9;
constexpr size_t kMaxTitleWords = 60;
constexpr size_t kWordBits = 21;  // of a word in a key
constexpr size_t kLongWord = 7;   // letters of a word with two mistakes

/// Letters alone, and neither a small word nor one such as "set".
bool IsTelling(const std::string& word) {
  if (word.size() < kMinBytes || word.find_first_of("0123456789") != std::string::npos) {
    return false;
  }
  return !IsOrdinaryWord(word) && !retrieval::FindUnit(word) &&
         !HasCue(FoldedMessage::FromFolded(word), Cue::kNotName);
}

/// Colours, sizes, numbers and counts behind a name are not of it.
bool IsNameWord(const std::string& word) {
  if (!IsTelling(word) || !retrieval::FindColor(word).empty()) return false;
  return TypeNamed(word, "en") || FindNamedValues(FoldedMessage::FromFolded(word), "en").empty();
}

}  // namespace

GoodsNames::WordId GoodsNames::Intern(const std::string& word) {
  const auto [known, is_new] = by_raw_.try_emplace(word);
  if (!is_new) return known->second;
  const Words singular = SingularWords(word);
  const std::string& name = singular.empty() ? word : singular.front();
  const auto [id, is_new_name] = by_word_.try_emplace(name, static_cast<WordId>(words_.size()));
  if (is_new_name) {
    words_.push_back(name);
    may_end_.push_back(-1);
    first_.push_back(0);
  }
  return known->second = id->second;
}

bool GoodsNames::MayEndName(WordId word) {
  if (may_end_[word] < 0) may_end_[word] = IsNameWord(words_[word]) ? 1 : 0;
  return may_end_[word] > 0;
}

uint64_t GoodsNames::KeyOf(const WordId* words, size_t count) {
  uint64_t key = 0;
  for (size_t i = 0; i < count; ++i) key = (key << kWordBits) | words[i];
  return key;
}

void GoodsNames::Add(std::string_view title) { Add(title, NamesInTitle(title)); }

void GoodsNames::Add(std::string_view title, const std::vector<TitleName>& named) {
  if (words_.size() + kMaxTitleWords >= (size_t{1} << kWordBits)) return;
  Title added{ids_.size(), 0, 0};
  ForEachWord(retrieval::FoldWords(title), [&](const std::string& word) {
    if (ids_.size() - added.begin < kMaxTitleWords) ids_.push_back(Intern(word));
  });
  added.end = ids_.size();
  if (added.begin == added.end) return;
  ++first_[ids_[added.begin]];
  size_t head = std::min(SplitWords(FirstHeadOf(title)).size(), added.end - added.begin);
  while (head > 0 && !MayEndName(ids_[added.begin + head - 1])) --head;
  added.head = static_cast<uint8_t>(head);
  titles_.push_back(added);
  if (titles_.size() <= kMaxLineTitles) CountLine(named, added);
}

void GoodsNames::CountLine(const std::vector<TitleName>& names, const Title& added) {
  if (names.empty() || !names.back().is_type) return;
  for (size_t at = added.begin; at < std::min(added.end, added.begin + kLineWords); ++at) {
    if (MayEndName(ids_[at])) ++line_types_[ids_[at]][names.back().name];
  }
}

void GoodsNames::TakeLines() {
  for (const auto& [word, types] : line_types_) {
    uint32_t all = 0;
    auto most = types.begin();
    for (auto each = types.begin(); each != types.end(); ++each) {
      all += each->second;
      if (each->second > most->second) most = each;
    }
    const bool is_one = most->second >= kFewOfLine && most->second >= kNearlyAll * all;
    const bool is_name = heads_.contains(words_[word]) || TypeNamed(words_[word], "en");
    if (is_one && !is_name) lines_.emplace(words_[word], most->first);
  }
}

void GoodsNames::CountEnds() {
  for (const Title& title : titles_) {
    const WordId* const end = ids_.data() + title.begin + title.head;
    for (size_t count = 1; count <= kMaxWords && count < title.head; ++count) {
      Count& counted = counts_[KeyOf(end - count, count)];
      ++counted.ends;
      const WordId before = *(end - count - 1);
      auto& others = counted.before;
      const bool is_known = std::find(others.begin(), others.end(), before) != others.end();
      const auto free = std::find(others.begin(), others.end(), WordId{0});
      if (!is_known && free != others.end()) *free = before;
    }
  }
}

void GoodsNames::CountSaid() {
  for (const Title& title : titles_) {
    for (size_t at = title.begin; at < title.end; ++at) {
      for (size_t count = 1; count <= kMaxWords && at + count <= title.end; ++count) {
        const auto found = counts_.find(KeyOf(ids_.data() + at, count));
        if (found != counts_.end()) ++found->second.said;
      }
    }
  }
}

void GoodsNames::TakeHeads() {
  for (WordId word = 1; word < words_.size(); ++word) {
    const auto found = counts_.find(KeyOf(&word, 1));
    if (found == counts_.end() || found->second.ends < kFewEnds || !MayEndName(word)) continue;
    const Count& count = found->second;
    const bool is_often = count.ends >= kOftenHead * count.said;
    if (is_often && count.before.back() != 0) heads_.insert(words_[word]);
  }
}

void GoodsNames::TakeNames() {
  const auto is_maker = [&](WordId word) {
    const auto found = counts_.find(KeyOf(&word, 1));
    return first_[word] > kTwice &&
           (found == counts_.end() || 2 * first_[word] >= found->second.said);
  };
  for (const Title& title : titles_) {
    const WordId* const end = ids_.data() + title.begin + title.head;
    if (title.head < 2) continue;
    const std::string& last = words_[*(end - 1)];
    const bool is_listed = TypeNamed(last, "en").has_value();
    if (!heads_.contains(last) && !is_listed) continue;
    std::string name = last;
    for (size_t count = 2; count <= kMaxWords && count < title.head; ++count) {
      const WordId word = *(end - count);
      // A value of a listed type is a condition: "wireless" of a mouse, but no "floor" of a
      // cleaner.
      if (!(is_listed ? MayEndName(word) : IsTelling(words_[word])) || is_maker(word)) break;
      name.insert(0, words_[word] + " ");
      const Count& counted = counts_[KeyOf(end - count, count)];
      if (counted.ends < kTwice || counted.ends < kOftenName * counted.said) continue;
      names_.insert(name);
      if (count == kMaxWords) by_ends_.try_emplace(words_[word] + " " + last, name);
    }
  }
}

void GoodsNames::Finish() {
  CountEnds();
  CountSaid();
  TakeHeads();
  TakeNames();
  TakeLines();
  by_raw_ = by_word_ = {};
  words_ = {};
  may_end_ = {};
  first_ = {};
  ids_ = {};
  titles_ = {};
  counts_ = {};
  line_types_ = {};
}

std::string GoodsNames::Between(const std::string& first, const std::string& last) const {
  const std::string name = first + " " + last;
  if (names_.contains(name)) return name;
  const auto found = by_ends_.find(name);
  return found == by_ends_.end() ? "" : found->second;
}

std::string GoodsNames::TypeOfLine(const std::string& word) const {
  for (const std::string& each : {word, SingularOf(word)}) {
    const auto found = lines_.find(each);
    if (found != lines_.end()) return found->second;
  }
  return "";
}

std::string GoodsNames::Nearest(const std::string& word) const { return NearestWord(word, heads_); }

std::string NearestWord(const std::string& word, const std::unordered_set<std::string>& known) {
  const int limit = word.size() >= kLongWord ? 2 : 1;
  std::string nearest;
  int least = limit + 1;
  for (const std::string& each : known) {
    if (each.empty() || each[0] != word[0] || each.find(' ') != std::string::npos) continue;
    const int distance = retrieval::EditDistance(word, each, limit);
    if (distance < least) {
      least = distance;
      nearest = each;
    } else if (distance == least && distance <= limit) {
      nearest.clear();
    }
  }
  return least <= limit ? nearest : "";
}

}  // namespace emptor::services
