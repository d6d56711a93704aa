// Matches phrases of the lexicon in the folded message.
#include "services/assistant/reading/service_desk.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "services/assistant/dialogue/dialogue_moves.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/greeting_words.h"
#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/situations.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kRetailer = "*shop*";
constexpr size_t kMaxGap = 3;             // words that "..." stands for
constexpr size_t kMaxSmallTalkWords = 8;  // a longer message says something
constexpr size_t kMaxPassing = 16;        // in a longer one it is asked in passing who answers

struct ActName {
  std::string_view name;
  DeskAct act;
  std::string_view handoff;
};
constexpr std::array<ActName, 18> kActs = {{
    {"crisis", DeskAct::kCrisis, "crisis"},
    {"harmful", DeskAct::kHarmful, ""},
    {"medical", DeskAct::kMedical, "medical"},
    {"injection", DeskAct::kInjection, ""},
    {"human", DeskAct::kHuman, "human"},
    {"complaint", DeskAct::kComplaint, "complaint"},
    {"order", DeskAct::kOrder, "order"},
    {"offtopic", DeskAct::kOffTopic, ""},
    {"identity", DeskAct::kIdentity, ""},
    {"greeting", DeskAct::kGreeting, ""},
    {"thanks", DeskAct::kThanks, ""},
    {"goodbye", DeskAct::kGoodbye, ""},
    {"undecided", DeskAct::kUndecided, ""},
    {"nonsense", DeskAct::kNonsense, ""},
    {"catalog", DeskAct::kCatalog, ""},
    {"elsewhere", DeskAct::kElsewhere, ""},
    {"forecast", DeskAct::kForecast, ""},
    {"policy", DeskAct::kPolicy, ""},
}};

/// Parts of a phrase between "...": all words of one follow each other.
struct ActPhrase {
  DeskAct act;
  std::vector<Words> parts;
};

/// The phrase, with each of the retailers where it names one.
std::vector<std::string> Expand(const std::string& phrase,
                                const std::vector<std::string>& retailers) {
  const size_t mark = phrase.find(kRetailer);
  if (mark == std::string::npos) return {phrase};
  std::vector<std::string> phrases;
  for (const std::string& each : retailers) {
    phrases.push_back(std::string(phrase).replace(mark, kRetailer.size(), each));
  }
  return phrases;
}

ActPhrase ParsePhrase(DeskAct act, std::string_view phrase) {
  ActPhrase parsed{act, {}};
  while (!phrase.empty()) {
    const size_t gap = std::min(phrase.find("..."), phrase.size());
    Words words = SplitWords(FoldedMessage(phrase.substr(0, gap)).text());
    if (!words.empty()) parsed.parts.push_back(std::move(words));
    phrase.remove_prefix(std::min(gap + 3, phrase.size()));
  }
  return parsed;
}

std::vector<ActPhrase> ParseLexicon(std::string_view text) {
  std::vector<ActPhrase> phrases;
  std::vector<std::string> retailers;
  ForEachLexiconLine(text, ": ", [&](std::string_view name, std::string_view rest) {
    if (name == "retailers") {
      const auto parts = SplitAt(rest, " | ");
      retailers.assign(parts.begin(), parts.end());
    }
    const DeskAct act = DeskActOf(name);
    if (act == DeskAct::kNone) return;
    for (const std::string_view part : SplitAt(rest, " | ")) {
      const std::string written(part);
      for (const std::string& phrase : Expand(written, retailers)) {
        ActPhrase parsed = ParsePhrase(act, phrase);
        if (!parsed.parts.empty()) phrases.push_back(std::move(parsed));
      }
    }
  });
  return phrases;
}

bool StandsAt(const Words& message, size_t at, const Words& part) {
  return at + part.size() <= message.size() &&
         std::equal(part.begin(), part.end(), message.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Chinese runs words together: its parts follow each other anywhere in the text.
bool MatchesWide(const std::string& folded, const ActPhrase& phrase) {
  size_t at = 0;
  for (const Words& part : phrase.parts) {
    const size_t found = folded.find(part.front(), at);
    if (found == std::string::npos) return false;
    at = found + part.front().size();
  }
  return true;
}

bool Matches(const Words& message, const std::string& folded, const ActPhrase& phrase) {
  if (IsWideText(phrase.parts.front().front())) return MatchesWide(folded, phrase);
  for (size_t begin = 0; begin < message.size(); ++begin) {
    if (!StandsAt(message, begin, phrase.parts[0])) continue;
    size_t at = begin + phrase.parts[0].size();
    bool matches = true;
    for (size_t i = 1; matches && i < phrase.parts.size(); ++i) {
      size_t gap = 1;
      while (gap <= kMaxGap && !StandsAt(message, at + gap, phrase.parts[i])) ++gap;
      matches = gap <= kMaxGap;
      at += gap + phrase.parts[i].size();
    }
    if (matches) return true;
  }
  return false;
}

using WordSet = std::unordered_set<std::string_view>;

const WordSet& ThanksWords() {
  static const WordSet kWords = {
      "thanks",  "thank", "thx",     "ty",      "danke",  "dank", "merci", "gracias",   "great",
      "perfect", "cool",  "nice",    "awesome", "super",  "star", "谢谢",  "多谢",      "好的",
      "haha",    "funny", "perfekt", "parfait", "genial", "toll", "fine",  "唉好吧谢谢"};
  return kWords;
}
const WordSet& GoodbyeWords() {
  static const WordSet kWords = {"bye",    "goodbye", "tschuss", "wiedersehen", "au revoir",
                                 "revoir", "adios",   "luego",   "再见",        "拜拜"};
  return kWords;
}
const WordSet& FillerWords() {
  static const WordSet kWords = {
      "there",     "you",   "good",    "how",    "are",    "ok",     "okay",    "much",
      "so",        "very",  "ur",      "a",      "u",      "for",    "the",     "help",
      "earlier",   "day",   "have",    "is",     "that",   "thats",  "all",     "today",
      "up",        "doing", "lot",     "again",  "and",    "yes",    "no",      "sure",
      "listening", "guten", "dir",     "ihnen",  "schon",  "vielen", "sehr",    "gut",
      "beaucoup",  "bien",  "tres",    "muchas", "buenos", "que",    "tal",     "everyone",
      "nothing",   "else",  "welcome", "see",    "later",  "auf",    "au",      "hasta",
      "wie",       "gehts", "geht",    "es",     "ca",     "va",     "comment", "allez",
      "vous",      "lol",   "just",    "to",     "say",    "wanted", "was",     "it",
      "this",      "very",  "amazing", "man",    "mate"};
  return kWords;
}

/// Greeting, thanks or goodbye where nothing else is said.
DeskAct ReadSmallTalk(const Words& words) {
  if (words.empty() || words.size() > kMaxSmallTalkWords) return DeskAct::kNone;
  DeskAct act = DeskAct::kNone;
  for (const std::string& word : words) {
    if (GoodbyeWords().contains(word)) {
      act = DeskAct::kGoodbye;
    } else if (ThanksWords().contains(word)) {
      if (act != DeskAct::kGoodbye) act = DeskAct::kThanks;
    } else if (IsGreetingWord(word)) {
      if (act == DeskAct::kNone) act = DeskAct::kGreeting;
    } else if (!FillerWords().contains(word)) {
      return DeskAct::kNone;
    }
  }
  return act;
}

/// "What is 17 x 23", "12*4=": a number, a sign and a number, and nothing but a question besides.
bool AsksToCalculate(std::string_view message) {
  constexpr std::string_view kDigits = "0123456789", kSigns = "x*+-/\xC3";
  const size_t first = message.find_first_of(kDigits);
  const size_t last = message.find_last_of(kDigits);
  if (first == std::string_view::npos || first == last) return false;
  const std::string_view term = message.substr(first, last - first + 1);
  const size_t sign = term.find_first_not_of("0123456789., ");
  if (sign == std::string_view::npos || kSigns.find(term[sign]) == std::string_view::npos) {
    return false;
  }
  // "Order 171-882" subtracts nothing.
  const bool is_joined = term[sign] == '-' && (sign == 0 || term[sign - 1] != ' ');
  if (is_joined && message.find('=') == std::string_view::npos) return false;
  const size_t next = term.find_first_of(kDigits, sign);
  const bool is_term =
      next - sign <= 3 && term.find_first_not_of("0123456789., ", next) == std::string_view::npos;
  const FoldedMessage before(message.substr(0, first));
  const FoldedMessage after(message.substr(last + 1));
  const bool asks = HasCue(before, Cue::kWh) || message.find('=') != std::string_view::npos;
  const Words rest = SplitWords(std::string(before.text()) + " " + std::string(after.text()));
  const bool is_all = std::all_of(rest.begin(), rest.end(), [](const std::string& word) {
    return IsOrdinaryWord(word) || HasCue(FoldedMessage::FromFolded(word), Cue::kWh);
  });
  return is_term && asks && is_all && !before.Has("about");
}

}  // namespace

DeskAct ReadDeskAct(std::string_view message) {
  static const std::vector<ActPhrase>* const phrases =
      new std::vector<ActPhrase>(ParseLexicon(kActLexicon));
  const std::string folded(FoldedMessage(message).text());
  const Words words = SplitWords(folded);
  if (words.empty()) return DeskAct::kNonsense;
  if (AsksToCalculate(message)) return DeskAct::kOffTopic;
  for (const ActPhrase& phrase : *phrases) {
    // "..., is there a warranty, are you a bot, and do you gift wrap" asks for more than that.
    const bool is_passing = phrase.act == DeskAct::kIdentity && words.size() > kMaxPassing;
    if (!is_passing && Matches(words, folded, phrase)) return phrase.act;
  }
  const auto told = FindSituation(SituationKind::kAct, FoldedMessage(message));
  if (told) return DeskActOf(told->name);
  const DeskAct talk = ReadSmallTalk(words);
  return talk == DeskAct::kNone && IsUndecided(std::string(message)) ? DeskAct::kUndecided : talk;
}

DeskAct DeskActOf(std::string_view name) {
  const auto found = std::find_if(kActs.begin(), kActs.end(),
                                  [&](const ActName& each) { return each.name == name; });
  return found == kActs.end() ? DeskAct::kNone : found->act;
}

std::string_view PhraseKey(DeskAct act) {
  if (act == DeskAct::kPolicy || act == DeskAct::kCatalog) return "";
  const auto found = std::find_if(kActs.begin(), kActs.end(),
                                  [&](const ActName& each) { return each.act == act; });
  return found == kActs.end() ? "" : found->name;
}

std::string_view HandoffKind(DeskAct act) {
  const auto found = std::find_if(kActs.begin(), kActs.end(),
                                  [&](const ActName& each) { return each.act == act; });
  return found == kActs.end() ? "" : found->handoff;
}

}  // namespace emptor::services
