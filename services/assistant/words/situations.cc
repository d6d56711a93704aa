// Finds the words of ideas by their first word, and the alternatives whose ideas are all there.
#include "services/assistant/words/situations.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/stem_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxWords = 14;   // from the first idea to the last
constexpr size_t kMaxBytes = 120;  // likewise, which counts where words run together
constexpr size_t kMaxPlaces = 6;   // of one idea that are tried

using Words = std::vector<std::string>;
using Span = FoldedMessage::Span;
using Places = std::vector<std::vector<Span>>;  // by idea

struct Phrase {
  size_t idea = 0;
  Words words;
};

struct Alternative {
  std::string name;
  std::vector<size_t> ideas, excluded;
};

struct Word {
  std::string_view text;
  Span span;
};

class Lexicon {
 public:
  Lexicon() {
    ForEachLexiconLine(kSituationLexicon, " : ",
                       [&](std::string_view head, std::string_view rest) { Read(head, rest); });
  }

  /// Where each idea stands, the longest place first.
  Places PlacesIn(const FoldedMessage& message) const {
    Places places(ids_.size());
    std::vector<Word> words;
    const std::string_view text = message.text();
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      if (end > begin) words.push_back({text.substr(begin, end - begin), {begin, end}});
      begin = end + 1;
    }
    for (size_t i = 0; i < words.size(); ++i) AddPlacesAt(words, i, places);
    const auto is_wide = [](char byte) { return static_cast<unsigned char>(byte) >= 0xE0; };
    if (std::any_of(text.begin(), text.end(), is_wide)) AddWidePlaces(text, places);
    for (auto& each : places) {
      std::stable_sort(each.begin(), each.end(),
                       [](const Span& a, const Span& b) { return a.size() > b.size(); });
      if (each.size() > kMaxPlaces) each.resize(kMaxPlaces);
    }
    return places;
  }

  const std::vector<Alternative>& alternatives(SituationKind kind) const {
    return alternatives_[static_cast<size_t>(kind)];
  }

 private:
  void Read(std::string_view head, std::string_view rest) {
    const size_t blank = head.find(' ');
    if (blank == std::string_view::npos) return;
    const std::string_view kind = head.substr(0, blank), name = head.substr(blank + 1);
    if (kind == "idea") return ReadIdea(name, rest);
    constexpr std::array<std::string_view, 3> kKinds = {"need", "policy", "act"};
    const auto found = std::find(kKinds.begin(), kKinds.end(), kind);
    if (found == kKinds.end()) return;
    auto& alternatives = alternatives_[static_cast<size_t>(found - kKinds.begin())];
    for (const std::string_view text : SplitAt(rest, " | ")) {
      alternatives.push_back(ReadAlternative(name, text));
    }
  }

  void ReadIdea(std::string_view name, std::string_view rest) {
    const size_t idea = IdOf(name);
    for (const std::string& phrase : AllPhrases(ParsePhraseGroups(MarkStems(rest)))) {
      if (IsWideText(phrase)) {
        wide_.emplace_back(idea, phrase);
        continue;
      }
      Phrase parsed{idea, SplitWords(phrase)};
      const std::string& first = parsed.words.front();
      auto& table = IsStem(first) ? stems_ : first_words_;
      table[std::string(IsStem(first) ? WithoutStemMark(first) : std::string_view(first))]
          .push_back(std::move(parsed));
    }
  }

  /// "Parcel + not + arrive -store".
  Alternative ReadAlternative(std::string_view name, std::string_view text) {
    Alternative read{std::string(name), {}, {}};
    const auto parts = SplitAt(text, " -");
    for (const std::string_view idea : SplitAt(parts.front(), " + ")) {
      read.ideas.push_back(IdOf(idea));
    }
    for (size_t i = 1; i < parts.size(); ++i) read.excluded.push_back(IdOf(parts[i]));
    return read;
  }

  size_t IdOf(std::string_view idea) {
    while (idea.ends_with(' ')) idea.remove_suffix(1);
    return ids_.emplace(std::string(idea), ids_.size()).first->second;
  }

  void AddPlacesAt(const std::vector<Word>& words, size_t at, Places& places) const {
    const std::string_view word = words[at].text;
    const auto add = [&](const auto& table, std::string_view first) {
      const auto found = table.find(std::string(first));
      if (found == table.end()) return;
      for (const Phrase& phrase : found->second) {
        bool is_there = at + phrase.words.size() <= words.size();
        for (size_t i = 1; is_there && i < phrase.words.size(); ++i) {
          is_there = MatchesWord(phrase.words[i], words[at + i].text);
        }
        if (!is_there) continue;
        places[phrase.idea].push_back(
            {words[at].span.begin, words[at + phrase.words.size() - 1].span.end});
      }
    };
    add(first_words_, word);
    if (word.ends_with('s')) add(first_words_, word.substr(0, word.size() - 1));
    for (size_t size = kMinStem; size <= word.size(); ++size) add(stems_, word.substr(0, size));
  }

  void AddWidePlaces(std::string_view text, Places& places) const {
    for (const auto& [idea, phrase] : wide_) {
      for (size_t at = text.find(phrase); at != std::string_view::npos;
           at = text.find(phrase, at + phrase.size())) {
        places[idea].push_back({at, at + phrase.size()});
      }
    }
  }

  std::unordered_map<std::string, size_t> ids_;
  std::unordered_map<std::string, std::vector<Phrase>> first_words_, stems_;
  std::vector<std::pair<size_t, std::string>> wide_;
  std::array<std::vector<Alternative>, 3> alternatives_;
};

const Lexicon& TheLexicon() {
  static const auto* const lexicon = std::make_unique<const Lexicon>().release();
  return *lexicon;
}

/// Chooses a place for each idea, none over another, that cover most letters.
class Chooser {
 public:
  Chooser(const Alternative& alternative, const Places& places, std::string_view text)
      : alternative_(alternative), places_(places), text_(text) {}

  std::optional<Situation> Run() {
    Choose();
    return std::move(best_);
  }

 private:
  void Choose() {
    if (chosen_.size() == alternative_.ideas.size()) return Take();
    for (const Span& place : places_[alternative_.ideas[chosen_.size()]]) {
      const bool is_apart = std::all_of(chosen_.begin(), chosen_.end(), [&](const Span& other) {
        return place.end <= other.begin || place.begin >= other.end;
      });
      if (!is_apart) continue;
      chosen_.push_back(place);
      Choose();
      chosen_.pop_back();
    }
  }

  void Take() {
    Situation found{alternative_.name, {text_.size(), 0}, chosen_, 0, chosen_.size()};
    for (const Span& each : chosen_) {
      found.span.begin = std::min(found.span.begin, each.begin);
      found.span.end = std::max(found.span.end, each.end);
      found.letters += each.size();
    }
    const std::string_view covered = text_.substr(found.span.begin, found.span.size());
    const auto blanks = static_cast<size_t>(std::count(covered.begin(), covered.end(), ' '));
    const bool is_near = blanks < kMaxWords && covered.size() <= kMaxBytes;
    if (is_near && (!best_ || found.letters > best_->letters)) best_ = std::move(found);
  }

  const Alternative& alternative_;
  const Places& places_;
  const std::string_view text_;
  std::vector<Span> chosen_;
  std::optional<Situation> best_;
};

}  // namespace

std::optional<Situation> FindSituation(SituationKind kind, const FoldedMessage& message) {
  const Lexicon& lexicon = TheLexicon();
  const Places places = lexicon.PlacesIn(message);
  const auto stands = [&](size_t idea) { return !places[idea].empty(); };
  std::optional<Situation> best;
  for (const Alternative& each : lexicon.alternatives(kind)) {
    if (!std::all_of(each.ideas.begin(), each.ideas.end(), stands)) continue;
    if (std::any_of(each.excluded.begin(), each.excluded.end(), stands)) continue;
    auto found = Chooser(each, places, message.text()).Run();
    if (found && (!best || found->letters > best->letters)) best = std::move(found);
  }
  return best;
}

std::set<size_t> IdeasOf(std::string_view text) {
  std::set<size_t> ideas;
  const Places places = TheLexicon().PlacesIn(FoldedMessage(text));
  for (size_t idea = 0; idea < places.size(); ++idea) {
    if (!places[idea].empty()) ideas.insert(idea);
  }
  return ideas;
}

}  // namespace emptor::services
