// Abbreviations by table; compounds by the words of the lexicons.
#include "services/assistant/reading/message_spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/dictionary_words.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/words/edit_distance.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/types/trade_names.h"
#include "services/assistant/types/type_names.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/attribute_lexicon.h"
#include "services/grounding/lexicon_text.h"
#include "services/grounding/type_lexicon.h"
#include "services/grounding/value_lexicon.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxShortWords = 2;
constexpr size_t kMinCompound = 8;  // letters
constexpr size_t kMinHead = 3;
constexpr size_t kMinType = 5;   // the last part, where it names a type
constexpr size_t kMinValue = 4;  // the first part, where it names a value

struct Spelling {
  std::string brief, full;
};

using Spellings = std::map<std::string, std::vector<Spelling>, std::less<>>;

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// By language; the longest first.
const Spellings& TheSpellings() {
  static const Spellings* const spellings = [] {
    auto parsed = std::make_unique<Spellings>();
    ForEachLexiconLine(kSpellingLexicon, ": ", [&](std::string_view name, std::string_view rest) {
      while (!rest.empty()) {
        const size_t end = std::min(rest.find('|'), rest.size());
        const std::string_view pair = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const size_t mark = std::min(pair.find(" = "), pair.size());
        const size_t behind = std::min(mark + 3, pair.size());
        (*parsed)[std::string(name)].push_back({retrieval::FoldWords(pair.substr(0, mark)),
                                                std::string(Trimmed(pair.substr(behind)))});
      }
    });
    for (auto& [name, list] : *parsed) {
      std::stable_sort(list.begin(), list.end(), [](const Spelling& a, const Spelling& b) {
        return a.brief.size() > b.brief.size();
      });
    }
    return parsed.release();
  }();
  return *spellings;
}

/// The single words of the lexicons, folded.
struct GermanWords {
  std::unordered_set<std::string> types, values, all;
};

void AddWords(std::string_view lexicon, std::string_view separator,
              std::unordered_set<std::string>* named, GermanWords& words) {
  ForEachLexiconLine(lexicon, separator, [&](std::string_view head, std::string_view rest) {
    ForEachWord(retrieval::FoldWords(head),
                [&](std::string word) { words.all.insert(std::move(word)); });
    for (const LexiconGroup& group : ParsePhraseGroups(rest)) {
      for (const std::string& phrase : group.phrases) {
        const bool is_word = phrase.find(' ') == std::string::npos;
        if (is_word && group.tag == "de" && named != nullptr) named->insert(phrase);
        ForEachWord(phrase, [&](std::string word) { words.all.insert(std::move(word)); });
      }
    }
  });
}

const GermanWords& TheGermanWords() {
  static const GermanWords* const words = [] {
    auto made = std::make_unique<GermanWords>();
    AddWords(kTypeLexicon, ":", &made->types, *made);
    AddWords(kValueLexicon, " : ", &made->values, *made);
    AddWords(kAttributeLexicon, " : ", nullptr, *made);
    AddWords(kRankLexicon, ": ", nullptr, *made);
    return made.release();
  }();
  return *words;
}

/// "glas krug"; empty where the word is known, or no part of it is.
std::string PartedCompound(const std::string& word) {
  const GermanWords& words = TheGermanWords();
  const bool is_plain =
      std::all_of(word.begin(), word.end(), [](unsigned char c) { return c >= 'a' && c <= 'z'; });
  if (!is_plain || word.size() < kMinCompound || words.all.contains(word) || IsSmallWord(word)) {
    return "";
  }
  for (size_t at = kMinHead; at + kMinType <= word.size(); ++at) {
    if (words.types.contains(word.substr(at))) return word.substr(0, at) + " " + word.substr(at);
  }
  for (size_t at = word.size() - kMinHead; at >= kMinValue; --at) {
    const std::string head = word.substr(0, at);
    const bool is_value = words.values.contains(head) && retrieval::FindColor(head).empty();
    if (is_value) return head + " " + word.substr(at);
  }
  return "";
}

/// "kopfhorer" for "kopfhoerer"; empty where that is no word of the lexicons.
std::string WithUmlauts(const std::string& word) {
  std::string joined;
  for (size_t i = 0; i < word.size(); ++i) {
    joined += word[i];
    const bool is_umlaut = i + 1 < word.size() && word[i + 1] == 'e' &&
                           (word[i] == 'a' || word[i] == 'o' || word[i] == 'u');
    if (is_umlaut) ++i;
  }
  const GermanWords& words = TheGermanWords();
  const bool is_known = words.all.contains(joined) || IsSmallWord(joined);
  return joined != word && is_known && !words.all.contains(word) ? joined : "";
}

struct Word {
  size_t begin = 0, end = 0;  // bytes of the message
  std::string folded;
};

std::vector<Word> WordsOf(std::string_view message) {
  constexpr std::string_view kGaps = " \t\n,;:!?()\"/";
  std::vector<Word> words;
  for (size_t at = message.find_first_not_of(kGaps); at != std::string_view::npos;
       at = message.find_first_not_of(kGaps, at)) {
    const size_t end = std::min(message.find_first_of(kGaps, at), message.size());
    words.push_back({at, end, retrieval::FoldWords(message.substr(at, end - at))});
    at = end;
  }
  return words;
}

/// Chinese has no blanks: its short forms are replaced wherever they stand.
std::string ReplaceAll(std::string message, const std::vector<Spelling>& spellings) {
  for (const Spelling& each : spellings) {
    // A maker's Latin name stands apart.
    const bool is_name = std::isupper(static_cast<unsigned char>(each.full[0])) != 0 &&
                         each.full.size() > 1 && !IsWideText(each.full.substr(1));
    const std::string full = is_name ? " " + each.full + " " : each.full;
    for (size_t at = message.find(each.brief); at != std::string::npos;
         at = message.find(each.brief, at + full.size())) {
      message.replace(at, each.brief.size(), full);
    }
  }
  return message;
}

/// "两米" is "2米": a numeral right before a measure is a number. A numeral between others is left.
std::string WithDigits(std::string message) {
  constexpr std::array<std::string_view, 11> kNumerals = {"零", "一", "二", "三", "四", "五",
                                                          "六", "七", "八", "九", "十"};
  constexpr std::array<std::string_view, 22> kMeasures = {
      "米", "厘米", "公分", "公斤", "千克", "斤",   "升", "寸", "英寸", "瓦", "核",
      "口", "人",   "个人", "岁",   "小时", "分钟", "天", "年", "位",   "层", "档"};
  constexpr std::string_view kPair = "两";
  const auto stands_at = [&](size_t at, std::string_view word) {
    return std::string_view(message).substr(std::min(at, message.size())).starts_with(word);
  };
  for (size_t at = 0; at < message.size();) {
    size_t number = kNumerals.size(), bytes = 0;
    for (size_t i = 1; i < kNumerals.size(); ++i) {
      if (stands_at(at, kNumerals[i])) number = i, bytes = kNumerals[i].size();
    }
    if (stands_at(at, kPair)) number = 2, bytes = kPair.size();
    const bool is_measured =
        bytes > 0 && std::any_of(kMeasures.begin(), kMeasures.end(), [&](std::string_view each) {
          return stands_at(at + bytes, each);
        });
    const bool is_alone =
        at == 0 || bytes == 0 ||
        std::none_of(kNumerals.begin(), kNumerals.end(), [&](std::string_view each) {
          return std::string_view(message).substr(0, at).ends_with(each);
        });
    if (is_measured && is_alone) message.replace(at, bytes, std::to_string(number));
    // The next character begins at a byte that does not continue one.
    for (++at; at < message.size() && (static_cast<unsigned char>(message[at]) & 0xC0u) == 0x80u;) {
      ++at;
    }
  }
  return message;
}

class Speller {
 public:
  Speller(std::string_view message, std::string_view language, const RecordMentions& mentions)
      : message_(message),
        words_(WordsOf(message)),
        mentions_(mentions),
        is_german_(language == "de") {
    const auto found = TheSpellings().find(language);
    if (found == TheSpellings().end()) return;
    for (const Spelling& each : found->second) by_brief_.emplace(each.brief, each.full);
  }

  std::string Run() {
    for (size_t at = 0; at < words_.size();) {
      if (const size_t joined = is_german_ ? JoinPurpose(at) : 0; joined > 0) {
        at += joined;
        continue;
      }
      size_t count = std::min(kMaxShortWords, words_.size() - at);
      while (count > 0 && !Replace(at, count)) --count;
      if (count == 0 && is_german_) ReplaceGerman(words_[at]);
      at += std::max<size_t>(count, 1);
    }
    return text_ + std::string(message_.substr(copied_));
  }

 private:
  bool Replace(size_t at, size_t count) {
    std::string brief = words_[at].folded;
    for (size_t i = at + 1; i < at + count; ++i) brief += " " + words_[i].folded;
    const auto full = by_brief_.find(brief);
    if (full == by_brief_.end()) return count == 1 && ReplaceUnit(words_[at]);
    Put(words_[at].begin, words_[at + count - 1].end, full->second);
    return true;
  }

  /// "32Go": a unit in the shopper's language, right behind its number.
  bool ReplaceUnit(const Word& word) {
    const size_t digits = word.folded.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos) return false;
    const auto full = by_brief_.find(word.folded.substr(digits));
    if (full == by_brief_.end() || !retrieval::FindUnit(full->second)) return false;
    Put(word.begin, word.end, word.folded.substr(0, digits) + " " + full->second);
    return true;
  }

  /// "Tasche für den Laptop" is a "laptoptasche"; the number of its words, 0: no such type.
  size_t JoinPurpose(size_t at) {
    static const std::unordered_set<std::string> kArticles = {
        "den", "die", "das", "einen", "eine", "ein", "mein", "meine", "meinen", "meinem", "nen"};
    if (at + 2 >= words_.size() || words_[at + 1].folded != "fur") return 0;
    size_t last = at + 2;
    if (kArticles.contains(words_[last].folded)) ++last;
    if (last >= words_.size()) return 0;
    for (const std::string_view link : {"", "n", "s"}) {
      const std::string name = words_[last].folded + std::string(link) + words_[at].folded;
      if (!TheGermanWords().types.contains(name)) continue;
      Put(words_[at].begin, words_[last].end, name);
      return last + 1 - at;
    }
    return 0;
  }

  void ReplaceGerman(const Word& word) {
    std::string german = WithUmlauts(word.folded);
    // "Trailwyn" is a name of records, and no compound of "trail".
    const bool is_of_records = mentions_ && mentions_(word.folded) > 0;
    if (german.empty() && !is_of_records) german = PartedCompound(word.folded);
    if (!german.empty()) Put(word.begin, word.end, german);
  }

  void Put(size_t begin, size_t end, const std::string& text) {
    text_ += std::string(message_.substr(copied_, begin - copied_)) + text;
    // A sentence's last mark stays.
    const char last = message_[end - 1];
    if (last == '.') text_ += last;
    copied_ = end;
  }

  std::string_view message_;
  const std::vector<Word> words_;
  const RecordMentions& mentions_;
  const bool is_german_;
  std::unordered_map<std::string, std::string> by_brief_;
  std::string text_;
  size_t copied_ = 0;  // bytes of the message that text_ holds
};

/// "I'm", "he is", at the end of what stands before a height.
bool NamesPerson(std::string_view before) {
  constexpr std::array<std::string_view, 9> kPersons = {"i'm", "im",   "am",    "he's",  "she's",
                                                        "hes", "shes", "he is", "she is"};
  std::string text = absl::AsciiStrToLower(std::string(before));
  absl::StripTrailingAsciiWhitespace(&text);
  return std::any_of(kPersons.begin(), kPersons.end(), [&](std::string_view person) {
    return text == person || text.ends_with(" " + std::string(person));
  });
}

}  // namespace

namespace {

constexpr size_t kMinTyped = 4;    // letters of a word that may be mistyped
constexpr size_t kMuchRarer = 20;  // than the right word, in records
constexpr size_t kLongTyped = 5;   // letters of a word that records mistype, too

size_t MentionsOf(const std::string& word, const retrieval::QueryVocabulary& vocabulary) {
  return std::max(vocabulary.mentions(word), vocabulary.mentions(SingularOf(word)));
}

/// Known whatever records hold.
bool IsKnownWord(const std::string& word) {
  const std::string singular = SingularOf(word);
  const auto is_listed = [](const std::string& each) {
    return IsLexiconWord(each) || IsOrdinaryWord(each) || IsCueWord(each) ||
           retrieval::FindUnit(each) || !retrieval::FindColor(each).empty();
  };
  return IsTradeWord(word) || is_listed(word) || is_listed(singular) ||
         retrieval::LookUpWord(word, "en") != retrieval::DictionaryWord::kUnknown;
}

/// "Vacum", which sellers mistype, too: one letter from the name of goods that records have often.
bool IsMistypedInRecords(const std::string& word, const std::string& corrected,
                         const retrieval::QueryVocabulary& vocabulary) {
  return word.size() >= kLongTyped && EnglishTypeWords().contains(SingularOf(corrected)) &&
         retrieval::EditDistance(word, corrected, 1) <= 1 &&
         MentionsOf(corrected, vocabulary) >= kMuchRarer * MentionsOf(word, vocabulary);
}

std::string CorrectionOf(const std::string& word, const GoodsNames* own_names) {
  // What names goods comes first: "chargr" is no "charge".
  std::string nearest = NearestWord(word, EnglishTypeWords());
  if (nearest.empty()) nearest = NearestWord(word, EnglishLexiconWords());
  if (nearest.empty() && own_names != nullptr) nearest = own_names->Nearest(word);
  return nearest;
}

}  // namespace

void SpellHeights(std::string& message) {
  constexpr int kMinFeet = 4, kMaxFeet = 7, kInches = 12;
  constexpr double kCentimetres = 2.54;
  constexpr std::string_view kTall = " tall";
  const auto digit = [&](size_t i) {
    return i < message.size() && absl::ascii_isdigit(static_cast<unsigned char>(message[i]));
  };
  for (size_t at = message.find('\''); at != std::string::npos; at = message.find('\'', at + 1)) {
    if (at == 0 || !digit(at - 1) || (at > 1 && digit(at - 2)) || !digit(at + 1)) continue;
    size_t end = at + (digit(at + 2) ? 3 : 2);
    const int feet = message[at - 1] - '0';
    const int inches = std::stoi(message.substr(at + 1, end - at - 1));
    if (feet < kMinFeet || feet > kMaxFeet || inches >= kInches || digit(end)) continue;
    if (end < message.size() && message[end] == '"') ++end;
    const bool says_tall = message.compare(end, kTall.size(), kTall) == 0;
    if (!says_tall && !NamesPerson(std::string_view(message).substr(0, at - 1))) continue;
    const auto height = std::lround((feet * kInches + inches) * kCentimetres);
    message.replace(at - 1, end - at + 1,
                    std::to_string(height) + " cm" + (says_tall ? "" : std::string(kTall)));
  }
}

std::string CorrectWords(std::string_view message, const retrieval::QueryVocabulary& vocabulary,
                         const GoodsNames* own_names) {
  if (!vocabulary.mentions) return std::string(message);
  std::string text;
  size_t copied = 0;
  for (const Word& each : WordsOf(message)) {
    const bool is_plain = std::all_of(each.folded.begin(), each.folded.end(),
                                      [](char c) { return c >= 'a' && c <= 'z'; });
    if (!is_plain || each.folded.size() < kMinTyped || IsKnownWord(each.folded)) {
      continue;
    }
    std::string corrected = CorrectionOf(each.folded, own_names);
    if (corrected.empty() && each.folded.ends_with('s')) {
      corrected = CorrectionOf(each.folded.substr(0, each.folded.size() - 1), own_names);
      if (!corrected.empty()) corrected += 's';
    }
    const bool is_in_records = MentionsOf(each.folded, vocabulary) > 0;
    if (corrected.empty() ||
        (is_in_records && !IsMistypedInRecords(each.folded, corrected, vocabulary))) {
      continue;
    }
    text += std::string(message.substr(copied, each.begin - copied)) + corrected;
    copied = each.end;
  }
  return text + std::string(message.substr(copied));
}

std::string SpellOut(std::string_view message, std::string_view language,
                     const RecordMentions& mentions) {
  const auto spellings = TheSpellings().find(language);
  if (language == "zh" && spellings != TheSpellings().end()) {
    return WithDigits(ReplaceAll(std::string(message), spellings->second));
  }
  return Speller(message, language, mentions).Run();
}

}  // namespace emptor::services
