// Parts of a message, and their words that records lack.
#include "services/assistant/reading/unheard_words.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "retrieval/text/measure.h"
#include "services/assistant/words/condition_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/message_language.h"
#include "services/assistant/words/story_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxPartWords = 3;  // content words of a part that names a property
constexpr size_t kMaxUnheard = 2;    // of one message
constexpr size_t kMinBytes = 4;      // a shorter word is an abbreviation or a name

/// "8th": a grade, a birthday, a time.
bool IsOrdinal(const std::string& word) {
  const size_t digits = word.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos) return false;
  const std::string end = word.substr(digits);
  return end == "st" || end == "nd" || end == "rd" || end == "th";
}

/// "The list says 'scientific calculator'": marks around words are no part of them.
std::string WithoutQuotes(std::string_view message) {
  std::string text(message);
  const auto is_inside = [&](size_t at) {
    return at > 0 && at + 1 < text.size() && text[at - 1] != ' ' && text[at + 1] != ' ' &&
           text[at + 1] != ',' && text[at + 1] != '.';
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\'' && !is_inside(at)) text[at] = ' ';
  }
  return text;
}

class Reader {
 public:
  Reader(const FoldedMessage& read, const std::vector<std::string>& type_words,
         const TypeSchema& schema, bool is_english)
      : type_words_(type_words), schema_(schema), is_english_(is_english) {
    ForEachWord(read.text(), [&](const std::string& word) { left_.insert(word); });
  }

  std::vector<WordCondition> Run(std::string_view message) {
    ReadSpecs(FoldedMessage(message));
    constexpr std::string_view kStops = ",;.!?:()\n";
    while (!message.empty() && found_.size() < kMaxUnheard) {
      const size_t stop = std::min(message.find_first_of(kStops), message.size());
      ReadClause(FoldedMessage(message.substr(0, stop)));
      message.remove_prefix(std::min(stop + 1, message.size()));
    }
    return std::move(found_);
  }

 private:
  static bool Joins(const std::string& word) {
    constexpr std::array<std::string_view, 22> kJoints = {
        "with", "and", "plus", "has",  "in", "of",   "without", "or",  "mit",   "und", "hat",
        "ohne", "von", "oder", "avec", "et", "sans", "ou",      "con", "tiene", "sin", "y"};
    return std::find(kJoints.begin(), kJoints.end(), word) != kJoints.end();
  }

  /// Of the clause with the type, what stands next to its name; another one counts as a whole.
  void ReadClause(const FoldedMessage& clause) {
    const FoldedMessage::Span type = clause.FindLongest(type_words_);
    std::vector<std::string> part;
    const auto flush = [&] {
      ReadPart(part);
      part.clear();
    };
    if (!type.found()) {
      if (TellsStory(clause)) return;
      ForEachWord(clause.text(), [&](const std::string& word) {
        if (Joins(word)) return flush();
        part.push_back(word);
      });
      return flush();
    }
    ForEachWord(clause.text().substr(0, type.begin), [&](const std::string& word) {
      if (IsOrdinaryWord(word)) return part.clear();
      part.push_back(word);
    });
    flush();
    bool goes_on = true;
    ForEachWord(clause.text().substr(type.end), [&](const std::string& word) {
      if (Joins(word)) {
        flush();
        goes_on = true;
      } else if (goes_on) {
        part.push_back(word);
      }
    });
    flush();
  }

  /// "My son is 6 and has asthma", before what is asked for; "I want a red one" demands.
  static bool TellsStory(const FoldedMessage& clause) {
    const std::vector<std::string> words = SplitWords(AfterFillers(clause).text());
    return !words.empty() && (IsTellerWord(words.front()) || IsOwnerWord(words.front())) &&
           !HasCue(clause, Cue::kRequest) && !HasCue(clause, Cue::kMustBe) &&
           !HasCue(clause, Cue::kMore);
  }

  bool IsContent(const std::string& word) const {
    // English records may say by another word what a lexicon of another language knows.
    if (!is_english_ && IsLexiconWord(word)) return false;
    return !IsOrdinaryWord(word) && !IsStoryWord(word) &&
           !TellingWords(FoldedMessage::FromFolded(word)).empty() && !retrieval::ParseMeasure(word);
  }

  /// "4k", "ip68": letters and digits that are no quantity.
  void ReadSpecs(const FoldedMessage& message) {
    ForEachWord(message.text(), [&](const std::string& word) {
      const bool has_digit = word.find_first_of("0123456789") != std::string::npos;
      const bool is_spec =
          has_digit && !IsOrdinal(word) && !retrieval::ParsePlainNumber(word) &&
          !retrieval::ParseMeasure(word) && left_.contains(word) &&
          word.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz") == std::string::npos;
      if (!is_spec || schema_.words().Knows(DemandOf(word))) return;
      found_.push_back(DemandOf(word));
    });
  }

  /// A part of which a word is small tells a story, or stands in a longer clause.
  void ReadPart(std::vector<std::string> part) {
    // "Only preethi", "preethi only".
    const auto is_only = [](const std::string& word) {
      return HasCue(FoldedMessage::FromFolded(word), Cue::kOnly);
    };
    while (!part.empty() && is_only(part.front())) part.erase(part.begin());
    while (!part.empty() && is_only(part.back())) part.pop_back();
    if (part.empty() || part.size() > kMaxPartWords || found_.size() >= kMaxUnheard) return;
    std::string text;
    std::vector<std::string> stems;
    bool is_unheard = false;
    bool counts = false;    // behind a number
    bool measured = false;  // behind a quantity
    for (const std::string& word : part) {
      // "1 tb external": a quantity is a condition of its own.
      const bool is_unit = counts && retrieval::FindUnit(word);
      counts = retrieval::ParsePlainNumber(word).has_value();
      const bool is_quantity = counts || is_unit || retrieval::ParseMeasure(word);
      // "5 metres long".
      const bool is_extent = measured && HasCue(FoldedMessage::FromFolded(word), Cue::kDirection);
      measured = is_quantity && !counts;
      if (is_quantity || is_extent || IsPropertyNoun(word)) continue;
      // What a condition has read of the part is what it says: "USB-C connector".
      if (!IsContent(word) || !left_.contains(word)) return;
      text += (text.empty() ? "" : " ") + word;
      stems.push_back(StemOf(word));
      const bool is_known = schema_.words().Knows(DemandOf(word));
      is_unheard = is_unheard || (!is_known && word.size() >= kMinBytes);
    }
    if (is_unheard) found_.push_back({text, {std::move(stems)}});
  }

  const std::vector<std::string>& type_words_;
  const TypeSchema& schema_;
  const bool is_english_;
  std::set<std::string> left_;  // words that no condition has read
  std::vector<WordCondition> found_;
};

}  // namespace

std::vector<WordCondition> FindUnheard(std::string_view message, const FoldedMessage& read,
                                       const std::vector<std::string>& type_words,
                                       const TypeSchema& schema, bool is_english) {
  return Reader(read, type_words, schema, is_english).Run(WithoutQuotes(message));
}

}  // namespace emptor::services
