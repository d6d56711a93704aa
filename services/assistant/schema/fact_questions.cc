// Parts of messages, by punctuation and conjunctions.
#include "services/assistant/schema/fact_questions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"

namespace emptor::services {
namespace {

using View = std::string_view;

constexpr int kMaxCount = 99;
constexpr size_t kMaxBareCount = 5;  // words of "what's the price for 5"

/// Where a part ends, and the bytes that part it from the next one; the text's end: nothing does.
std::pair<size_t, size_t> NextBreak(View text, const auto& marks) {
  std::pair<size_t, size_t> first{text.size(), 0};
  for (const View mark : marks) {
    const size_t at = text.find(mark);
    if (at < first.first) first = {at, mark.size()};
  }
  return first;
}

std::string Trimmed(View text) {
  const size_t begin = text.find_first_not_of(" \t,;:-");
  if (begin == View::npos) return "";
  const size_t end = text.find_last_not_of(" \t,;:-");
  return std::string(text.substr(begin, end - begin + 1));
}

template <typename Words>
bool IsOneOf(const std::string& word, const Words& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The parts between the marks, trimmed, with the question marks of parts that end with one.
std::vector<std::string> SplitAt(View rest, const auto& marks) {
  std::vector<std::string> parts;
  while (!rest.empty()) {
    const auto [at, size] = NextBreak(rest, marks);
    const bool is_question = size > 0 && (rest[at] == '?' || rest.substr(at, size) == "？");
    std::string part = Trimmed(rest.substr(0, at));
    if (is_question && !part.empty()) part += "?";
    if (!part.empty()) parts.push_back(std::move(part));
    rest.remove_prefix(std::min(at + size, rest.size()));
  }
  return parts;
}

/// "Total for five", in every language.
const std::vector<std::string>& WordsBeforeCount() {
  static const auto* const table = new PhraseTable(ParsePhraseTable(kCountLexicon, " : "));
  return table->find("total for")->second;
}

}  // namespace

int PlaceOfWord(std::string_view word) {
  static const std::unordered_map<std::string_view, int> kPlaces = {
      {"erste", 1},     {"ersten", 1},     {"erster", 1},     {"erstes", 1},      {"ersteren", 1},
      {"zweite", 2},    {"zweiten", 2},    {"zweiter", 2},    {"zweites", 2},     {"dritte", 3},
      {"dritten", 3},   {"dritter", 3},    {"drittes", 3},    {"vierte", 4},      {"vierten", 4},
      {"vierter", 4},   {"viertes", 4},    {"funfte", 5},     {"funften", 5},     {"funfter", 5},
      {"sechste", 6},   {"sechsten", 6},   {"letzte", -1},    {"letzten", -1},    {"letzter", -1},
      {"letztes", -1},  {"letzteren", -1}, {"vorletzte", -2}, {"vorletzten", -2}, {"premier", 1},
      {"premiers", 1},  {"premiere", 1},   {"premieres", 1},  {"deuxieme", 2},    {"seconde", 2},
      {"troisieme", 3}, {"quatrieme", 4},  {"cinquieme", 5},  {"sixieme", 6},     {"dernier", -1},
      {"derniere", -1}, {"derniers", -1},  {"dernieres", -1}, {"primer", 1},      {"primero", 1},
      {"primera", 1},   {"primeros", 1},   {"primeras", 1},   {"segundo", 2},     {"segunda", 2},
      {"tercer", 3},    {"tercero", 3},    {"tercera", 3},    {"cuarto", 4},      {"cuarta", 4},
      {"quinto", 5},    {"quinta", 5},     {"ultimo", -1},    {"ultima", -1},     {"ultimos", -1},
      {"ultimas", -1},  {"penultimo", -2}, {"penultima", -2}, {"first", 1},       {"1st", 1},
      {"second", 2},    {"2nd", 2},        {"third", 3},      {"3rd", 3},         {"fourth", 4},
      {"4th", 4},       {"fifth", 5},      {"5th", 5},        {"sixth", 6},       {"6th", 6},
      {"last", -1},     {"former", 1},     {"latter", -1}};
  const auto found = kPlaces.find(retrieval::FoldWords(word));
  return found == kPlaces.end() ? 0 : found->second;
}

int NumberOfWord(const std::string& word) {
  static constexpr std::array<std::pair<View, int>, 34> kNumbers = {
      {{"two", 2},   {"three", 3},  {"four", 4},   {"five", 5},  {"six", 6},   {"ten", 10},
       {"zwei", 2},  {"drei", 3},   {"vier", 4},   {"funf", 5},  {"zehn", 10}, {"deux", 2},
       {"trois", 3}, {"quatre", 4}, {"dix", 10},   {"dos", 2},   {"tres", 3},  {"cuatro", 4},
       {"diez", 10}, {"cinco", 5},  {"cinq", 5},   {"sechs", 6}, {"seis", 6},  {"seven", 7},
       {"eight", 8}, {"nine", 9},   {"sieben", 7}, {"acht", 8},  {"neun", 9},  {"sept", 7},
       {"huit", 8},  {"siete", 7},  {"ocho", 8},   {"nueve", 9}}};
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  const auto* found = std::find_if(kNumbers.begin(), kNumbers.end(),
                                   [&](const auto& each) { return each.first == word; });
  return found == kNumbers.end() ? 0 : found->second;
}

std::vector<std::string> SplitQuestions(const std::string& message) {
  static constexpr std::array<View, 14> kMarks = {"? ", ", ", "; ", " and ", " und ", " et ", " y ",
                                                  "，", "？", "；", "、",    " & ",   "还有", "和"};
  return SplitAt(message, kMarks);
}

std::vector<std::string> SplitSentences(const std::string& message) {
  static constexpr std::array<View, 9> kMarks = {". ", "! ", "? ", "... ", " lol ",
                                                 "\n", "。", "！", "？"};
  return SplitAt(message, kMarks);
}

std::vector<std::string> SplitStatements(const std::string& message) {
  static constexpr std::array<View, 14> kMarks = {"... ", ".. ", ". ",  "! ", "?? ", "? ", "?! ",
                                                  "; ",   "\n",  " - ", "。", "！",  "？", "；"};
  return SplitAt(message, kMarks);
}

std::vector<std::string> SplitCompared(const std::string& message) {
  static constexpr std::array<View, 32> kMarks = {
      "? ",       ", ",         "; ",   " - ",    " and ", " or ",      " vs ",    " vs. ",
      " versus ", " with ",     " to ", " than ", " und ", " oder ",    " mit ",   " et ",
      " ou ",     " avec ",     " y ",  " o ",    " con ", " against ", " gegen ", " contre ",
      " contra ", " frente a ", "，",   "？",     "和",    "与",        "跟",      "还是"};
  return SplitAt(message, kMarks);
}

std::vector<std::string> SplitSum(const std::string& message) {
  static constexpr std::array<View, 18> kMarks = {
      ", ",     " and ", " und ",  " et ",  " y ",    "，",    "、",   "和", " & ",
      " plus ", " + ",   " with ", " mit ", " avec ", " con ", "加上", "加", "还有"};
  return SplitAt(message, kMarks);
}

bool HasPlusSign(View message) { return message.find(" + ") != View::npos; }

namespace {

bool AsksAnything(const FoldedMessage& message) {
  return HasCue(message, Cue::kYesNo) || HasCue(message, Cue::kDetail) ||
         HasCue(message, Cue::kWh) || HasCue(message, Cue::kPrice);
}

/// "What batteries" of "the 22.95 one what batteries", which no mark parts.
std::string QuestionBehindOne(const std::string& message) {
  constexpr View kOne = " one ";
  const size_t at = message.find(kOne);
  if (at == std::string::npos || AsksAnything(FoldedMessage(message.substr(0, at)))) return "";
  std::string rest = message.substr(at + kOne.size());
  const FoldedMessage behind(rest);
  const bool begins = HasCue(behind, Cue::kDetail) || HasCue(behind, Cue::kYesNo);
  return begins ? rest : "";
}

}  // namespace

std::string QuestionAfterSelection(const std::string& message) {
  static constexpr std::array<View, 10> kMarks = {" - ", ": ", ", ", "? ",  ". ",
                                                  "! ",  "，", "：", " — ", " – "};
  View rest = message;
  while (true) {
    const auto [at, size] = NextBreak(rest, kMarks);
    if (size == 0) return QuestionBehindOne(message);
    rest.remove_prefix(at + size);
    if (AsksAnything(FoldedMessage(rest))) return std::string(rest);
  }
}

int CountAsked(const FoldedMessage& message) {
  static constexpr std::array<View, 30> kCounted = {
      "of",     "pairs",  "pieces", "pcs",      "units",    "packs",  "copies", "times",
      "x",      "boxes",  "davon",  "von",      "stuck",    "paare",  "de",     "paires",
      "pièces", "unites", "d",      "piezas",   "unidades", "pares",  "each",   "bottles",
      "rolls",  "sets",   "rollen", "rouleaux", "rollos",   "sachets"};
  static constexpr std::array<View, 6> kPacks = {"packs", "rolls", "sets",
                                                 "boxes", "pairs", "bottles"};
  static constexpr std::array<View, 12> kBefore = {"buy",  "buying",  "take",     "order",
                                                   "want", "kaufe",   "nehme",    "get",
                                                   "need", "brauche", "necesito", "acheter"};
  const std::vector<std::string> words = SplitWords(message.text());
  for (size_t i = 0; i < words.size(); ++i) {
    // "X12 of the first".
    const bool is_times = words[i].size() > 1 && words[i].front() == 'x';
    const int number = NumberOfWord(is_times ? words[i].substr(1) : words[i]);
    if (number < 2 || number > kMaxCount) continue;
    // "2 yarn packs".
    const bool is_packed = i + 2 < words.size() && IsOneOf(words[i + 2], kPacks);
    const bool is_counted = i + 1 < words.size() && (IsOneOf(words[i + 1], kCounted) || is_packed);
    // "Which of the two of these" counts no purchase, "the first two of them" names places.
    const bool is_place = i > 0 && (words[i - 1] == "first" || words[i - 1] == "last" ||
                                    words[i - 1] == "the" || words[i - 1] == "those");
    if ((is_counted && !is_place) || (i > 0 && IsOneOf(words[i - 1], kBefore))) return number;
  }
  // "Total for five", "price for 5?", not "how much is the tent for 4".
  const bool ends_with_count =
      words.size() > 1 && IsOneOf(words[words.size() - 2], WordsBeforeCount()) &&
      NumberOfWord(words.back()) >= 2 && NumberOfWord(words.back()) <= kMaxCount;
  const bool is_bare = HasCue(message, Cue::kPrice) && words.size() <= kMaxBareCount;
  if (ends_with_count && (HasCue(message, Cue::kTotal) || is_bare)) {
    return NumberOfWord(words.back());
  }
  for (const auto& [word, number] : {std::pair<View, int>{"两个", 2},
                                     {"两台", 2},
                                     {"两件", 2},
                                     {"三个", 3},
                                     {"三台", 3},
                                     {"三件", 3}}) {
    if (message.Has(word)) return number;
  }
  return 1;
}

}  // namespace emptor::services
