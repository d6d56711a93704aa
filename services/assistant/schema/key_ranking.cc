// The weights of what speaks for a key.
#include "services/assistant/schema/key_ranking.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/record_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;
using Kind = SchemaKey::Kind;

// What is said of a key weighs as many points as it has bytes, and in addition:
constexpr double kPhrase = 100;        // a phrase of several words, or all words of the name
constexpr double kWholeName = 200;     // the name as it is written, of several words
constexpr double kOneWordName = 50;    // of one word
constexpr double kEnoughWords = 0.5;   // share of a name's words that names the key
constexpr double kShareOfWords = 0.6;  // of the bytes, for words in any order
constexpr double kPartOfName =
    0.8;  // of a phrase about a part of the name ("noise" of "spin noise")
// What is asked for:
constexpr double kRightKind = 60;
constexpr double kWrongKind = -80;
constexpr double kRightDimension = 80;
constexpr double kWrongDimension = -120;
// What the name has and the question does not:
constexpr double kUnsaidWord = -6;
constexpr double kSideWord = -100;
constexpr size_t kMaxComparedBytes = 30;  // of a value
constexpr size_t kNumberFirst = 5;        // phrases that a number is worth
constexpr double kWeakKey = 60;           // score of a key that is named by a part of its name
constexpr double kWrongKey = -50;         // of one that states another dimension
constexpr double kLaterName =
    -0.5;  // for each name that the lexicon gives a property before this one

/// The words of a question, singular and as stems.
class SaidWords {
 public:
  explicit SaidWords(const FoldedMessage& question) {
    ForEachWord(question.text(), [&](std::string word) {
      words_.insert(StemOf(word));
      words_.insert(SingularOf(std::move(word)));
    });
    if (question.Has("wi fi")) words_.insert("wifi");
    for (const std::string& word : KeyWordsSaid(question)) words_.insert(StemOf(word));
  }
  bool Has(const std::string& word) const {
    return words_.contains(word) || words_.contains(StemOf(word));
  }

 private:
  std::unordered_set<std::string> words_;
};

/// What a question says of one key.
struct Mention {
  double weight = 0;
  size_t unsaid = 0;  // words of the name
  bool is_named = false;
};

Mention MentionByWords(const SchemaKey& key, const SaidWords& said, bool is_asked_dimension) {
  size_t bytes = 0, matched = 0, of_head = 0;
  for (size_t i = 0; i < key.words.size(); ++i) {
    if (!said.Has(key.words[i])) continue;
    bytes += key.words[i].size();
    ++matched;
    if (i < key.head_words) ++of_head;
  }
  if (matched == 0) return {};
  const size_t all = key.words.size();
  const double share = static_cast<double>(matched) / static_cast<double>(all);
  // "Backlight" names the "backlight display", "display" does not.
  const bool is_named = share >= kEnoughWords && said.Has(key.words.front());
  Mention mention{static_cast<double>(bytes), all - matched, is_named};
  // "Print speed (black) normal quality" is the print speed.
  const bool has_head = of_head == key.head_words && of_head > 1;
  if (has_head || (matched == all && matched > 1)) {
    mention.weight += kPhrase;
  } else {
    const bool is_enough = share >= kEnoughWords || is_asked_dimension;
    mention.weight *= is_enough ? kShareOfWords * share : 0;
  }
  return mention;
}

/// The longest of the phrases that the question has; words that rank by anything ("lowest") speak
/// of no key.
Span LongestPhrase(const FoldedMessage& question, const SchemaKey& key,
                   const std::vector<std::string>& phrases) {
  Span span = question.FindLongest(phrases);
  for (const auto* words : {&key.yes, &key.less, &key.more}) {
    const Span other = question.FindLongest(*words);
    if (other.found() && words != &key.yes && IsGenericRank(question, other)) continue;
    if (other.found() && (!span.found() || other.size() > span.size())) span = other;
  }
  return span;
}

double WeightOfPhrase(const FoldedMessage& question, const Span& span) {
  if (!span.found()) return 0;
  const std::string_view phrase = question.text().substr(span.begin, span.size());
  // "How hard" is as telling as the name of the attribute.
  return static_cast<double>(span.size()) +
         (phrase.find(' ') == std::string_view::npos ? 0 : kPhrase);
}

Mention MentionOf(const FoldedMessage& question, const SchemaKey& key, const SaidWords& said,
                  DimensionFit fit) {
  Mention mention = MentionByWords(key, said, fit == DimensionFit::kSame);
  const bool is_longer_name = !key.part_phrases.empty();
  const Span span = is_longer_name ? question.FindLongest(key.phrases)
                                   : LongestPhrase(question, key, key.phrases);
  if (const double weight = WeightOfPhrase(question, span);
      weight >= mention.weight && weight > 0) {
    mention = {weight + kLaterName * static_cast<double>(key.place), 0, true};
  }
  const Span of_part = is_longer_name ? LongestPhrase(question, key, key.part_phrases) : Span();
  const double part = kPartOfName * WeightOfPhrase(question, of_part);
  if (part > mention.weight) {
    const auto unsaid = static_cast<size_t>(std::count_if(
        key.words.begin(), key.words.end(), [&](const auto& word) { return !said.Has(word); }));
    mention = {part, unsaid, mention.is_named};
  }
  if (question.Has(key.folded)) {
    const bool is_telling = key.folded.find(' ') != std::string::npos;
    const double weight =
        (is_telling ? kWholeName : kOneWordName) + static_cast<double>(key.folded.size());
    mention = {std::max(mention.weight, weight), 0, true};
  }
  return mention;
}

double WeightOfKind(const SchemaKey& key, const AskedFor& asked) {
  const bool is_boolean = key.kind == Kind::kBoolean;
  if (asked.is_number) {
    return key.kind == Kind::kNumber ? kRightKind : is_boolean ? kWrongKind : 0;
  }
  return asked.is_value && is_boolean ? kWrongKind : 0;
}

/// "How long does the battery last" is answered by no kind of battery.
bool StatesNoMeasure(const SchemaKey& key, const AskedFor& asked, DimensionFit fit) {
  return asked.is_number && !asked.dimensions.empty() && fit == DimensionFit::kUnknown &&
         key.kind == Kind::kText &&
         std::none_of(key.values.begin(), key.values.end(),
                      [](const SchemaValue& value) { return value.number.has_value(); });
}

double WeightOf(DimensionFit fit) {
  return fit == DimensionFit::kSame    ? kRightDimension
         : fit == DimensionFit::kOther ? kWrongDimension
                                       : 0;
}

}  // namespace

std::vector<KeyMatch> RankKeys(const FoldedMessage& question, const TypeSchema& schema) {
  const SaidWords said(question);
  const AskedFor asked = ReadAskedFor(question);
  std::vector<KeyMatch> found;
  for (const SchemaKey& key : schema.keys()) {
    const DimensionFit fit = FitOf(key, asked);
    const Mention mention = MentionOf(question, key, said, fit);
    if (mention.weight <= 0 || StatesNoMeasure(key, asked, fit)) continue;
    const double score =
        mention.weight + WeightOfKind(key, asked) + WeightOf(fit) +
        kUnsaidWord * static_cast<double>(mention.unsaid) +
        kSideWord *
            static_cast<double>(question.Has(key.folded) ? 0 : CountSideWords(key, question));
    found.push_back({&key, score, mention.is_named});
  }
  std::stable_sort(found.begin(), found.end(), [](const KeyMatch& a, const KeyMatch& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.key->records > b.key->records;
  });
  return found;
}

const SchemaKey* KeyOfQuestion(const FoldedMessage& question, const TypeSchema& shown,
                               const TypeSchema* schema, bool asks_yes_no) {
  const auto own = RankKeys(question, shown);
  const auto any = schema == nullptr ? std::vector<KeyMatch>() : RankKeys(question, *schema);
  // "What colour is the laser pointer" is not answered by the product colour.
  const double score = own.empty() ? 0 : own.front().score;
  const bool is_other = !own.empty() && !any.empty() && any.front().is_named && score < kWeakKey &&
                        any.front().score > score + kWeakKey && !asks_yes_no;
  if (own.empty() || is_other) return any.empty() ? nullptr : any.front().key;
  return score > kWrongKey || asks_yes_no ? own.front().key : nullptr;
}

std::vector<const SchemaKey*> KeysThatDiffer(const std::vector<const catalog::Product*>& products,
                                             const TypeSchema& schema) {
  std::vector<std::pair<size_t, const SchemaKey*>> telling;
  for (const SchemaKey& key : schema.keys()) {
    std::set<std::string> values;
    size_t stated = 0;
    for (const catalog::Product* product : products) {
      const std::string* const value = ValueOf(*product, key.name);
      if (value == nullptr || value->size() > kMaxComparedBytes) continue;
      values.insert(*value);
      ++stated;
    }
    const bool is_colour = key.folded.find("colo") != std::string::npos;
    if (stated < products.size() || values.size() < 2 || is_colour) continue;
    const bool is_number = key.kind == Kind::kNumber;
    telling.emplace_back(key.phrases.size() + key.more.size() + (is_number ? kNumberFirst : 0),
                         &key);
  }
  std::stable_sort(telling.begin(), telling.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const SchemaKey*> keys;
  for (const auto& each : telling) keys.push_back(each.second);
  return keys;
}

}  // namespace emptor::services
