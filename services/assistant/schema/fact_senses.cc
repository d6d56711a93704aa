// Alternatives by the first word of their first idea, and the names that answer them.
#include "services/assistant/schema/fact_senses.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "retrieval/text/fold.h"
#include "services/assistant/schema/contrasts.h"
#include "services/assistant/schema/dimensions.h"
#include "services/assistant/schema/fact_questions.h"
#include "services/assistant/schema/key_words.h"
#include "services/assistant/schema/quantity_values.h"
#include "services/assistant/schema/record_words.h"
#include "services/assistant/schema/type_schema.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/lexicons.h"
#include "services/assistant/words/stem_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

using Span = FoldedMessage::Span;
using Words = std::vector<std::string>;

constexpr double kNearBest = 0.7;     // of the letters of the best sense
constexpr size_t kMaxOtherWords = 2;  // of a name beyond those of the lexicon
/// Stands for "+" while phrases are folded, which keeps letters only.
constexpr std::string_view kAndMark = " zzzz ";

struct Name {
  Words words;
  bool is_opposite = false;
};

struct Sense {
  std::vector<Name> names;
  bool is_only = false;
  bool is_use = false;  // what goods can do, not what comes with them
};

struct Alternative {
  size_t sense = 0;
  std::vector<Words> ideas;  // a wide idea is one word
};

Words NameWords(std::string_view name) {
  Words words;
  ForEachWord(retrieval::FoldWords(name),
              [&](std::string word) { words.push_back(SingularOf(std::move(word))); });
  return words;
}

std::string Marked(std::string_view text) {
  std::string marked;
  for (const char c : MarkStems(text)) {
    if (c == '+') {
      marked += kAndMark.substr(1, kAndMark.size() - 2);
    } else {
      marked += c;
    }
  }
  return marked;
}

class Lexicon {
 public:
  Lexicon() {
    ForEachLexiconLine(kFactLexicon, " : ",
                       [&](std::string_view head, std::string_view rest) { Read(head, rest); });
  }

  const Sense& sense(size_t at) const { return senses_[at]; }
  const std::vector<std::string>& values_there() const { return values_there_; }
  const std::vector<std::string>& values_missing() const { return values_missing_; }

  /// Calls `call(alternative)` for each that may stand in the text.
  template <typename Call>
  void ForEachIn(const Words& words, std::string_view text, const Call& call) const {
    for (const std::string& word : words) {
      ForEachOf(words_, word, call);
      if (word.ends_with('s')) ForEachOf(words_, word.substr(0, word.size() - 1), call);
      for (size_t size = kMinStem; size <= word.size(); ++size) {
        ForEachOf(stems_, word.substr(0, size), call);
      }
    }
    for (const Alternative& each : wide_) {
      if (text.find(each.ideas.front().front()) != std::string_view::npos) call(each);
    }
  }

 private:
  using Table = std::unordered_map<std::string, std::vector<Alternative>>;

  template <typename Call>
  static void ForEachOf(const Table& table, const std::string& word, const Call& call) {
    const auto found = table.find(word);
    if (found == table.end()) return;
    for (const Alternative& each : found->second) call(each);
  }

  void Read(std::string_view head, std::string_view rest) {
    constexpr std::string_view kOnly = "only ", kUse = "use ";
    if (head == "value there" || head == "value missing") {
      (head == "value there" ? values_there_ : values_missing_) =
          AllPhrases(ParsePhraseGroups(rest));
      return;
    }
    Sense sense;
    sense.is_only = head.starts_with(kOnly);
    if (sense.is_only) head.remove_prefix(kOnly.size());
    sense.is_use = head.starts_with(kUse);
    if (sense.is_use) head.remove_prefix(kUse.size());
    for (std::string_view name : SplitAt(head, " | ")) {
      const bool is_opposite = name.starts_with('!');
      if (is_opposite) name.remove_prefix(1);
      sense.names.push_back({NameWords(name), is_opposite});
    }
    const std::string marked = Marked(rest);
    for (const std::string& phrase : AllPhrases(ParsePhraseGroups(marked))) {
      Add(phrase, senses_.size());
    }
    senses_.push_back(std::move(sense));
  }

  void Add(const std::string& phrase, size_t sense) {
    Alternative read{sense, {}};
    for (const std::string_view idea : SplitAt(phrase, kAndMark)) {
      read.ideas.push_back(IsWideText(idea) ? Words{std::string(idea)} : SplitWords(idea));
    }
    const std::string& first = read.ideas.front().front();
    if (IsWideText(first)) return wide_.push_back(std::move(read));
    std::string begin(IsStem(first) ? WithoutStemMark(first) : std::string_view(first));
    (IsStem(first) ? stems_ : words_)[std::move(begin)].push_back(std::move(read));
  }

  std::vector<std::string> values_there_, values_missing_;
  std::vector<Sense> senses_;
  Table words_, stems_;
  std::vector<Alternative> wide_;
};

const Lexicon& TheLexicon() {
  static const auto* const lexicon = std::make_unique<const Lexicon>().release();
  return *lexicon;
}

/// The question in words with their places.
struct Question {
  explicit Question(const FoldedMessage& message) : text(message.text()) {
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      if (end > begin) {
        words.emplace_back(text.substr(begin, end - begin));
        spans.push_back({begin, end});
      }
      begin = end + 1;
    }
  }

  /// Where the words stand in a row; not found: nowhere.
  Span Find(const Words& idea) const {
    if (IsWideText(idea.front())) {
      const size_t at = text.find(idea.front());
      return at == std::string_view::npos ? Span() : Span{at, at + idea.front().size()};
    }
    for (size_t at = 0; at + idea.size() <= words.size(); ++at) {
      if (std::equal(idea.begin(), idea.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                     MatchesWord)) {
        return {spans[at].begin, spans[at + idea.size() - 1].end};
      }
    }
    return {};
  }

  std::string_view text;
  Words words;
  std::vector<Span> spans;
};

/// A sense that stands in the question.
struct Found {
  size_t sense = 0;
  size_t letters = 0;
  std::vector<Span> places;
};

std::vector<Found> FindSenses(const Question& question) {
  std::vector<Found> found;
  TheLexicon().ForEachIn(question.words, question.text, [&](const Alternative& each) {
    Found read{each.sense, 0, {}};
    for (const Words& idea : each.ideas) {
      const Span place = question.Find(idea);
      if (!place.found()) return;
      read.places.push_back(place);
      read.letters += place.size();
    }
    found.push_back(std::move(read));
  });
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.letters != b.letters ? a.letters > b.letters : a.sense < b.sense;
  });
  return found;
}

/// Words that a name may have beyond one that is a single word of the lexicon.
bool IsOfNoMeaning(const std::string& word) {
  static constexpr std::array<std::string_view, 8> kWords = {
      "type", "product", "item", "material", "s", "function", "quantity", "max"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool IsNamed(const Words& attribute, const Words& name) {
  size_t others = 0, of_meaning = 0;
  for (const std::string& word : attribute) {
    if (std::find(name.begin(), name.end(), word) != name.end()) continue;
    ++others;
    if (!IsOfNoMeaning(word)) ++of_meaning;
  }
  const bool has_all = std::all_of(name.begin(), name.end(), [&](const std::string& word) {
    return std::find(attribute.begin(), attribute.end(), word) != attribute.end();
  });
  return has_all && others <= kMaxOtherWords && (name.size() > 1 || of_meaning == 0);
}

/// The attribute with the name, of the shortest name; null: none.
const catalog::Attribute* AttributeNamed(const Name& name, const catalog::Product& product,
                                         const AskedFor& asked, const TypeSchema& own) {
  const catalog::Attribute* found = nullptr;
  for (const catalog::Attribute& each : product.attributes) {
    if (!IsNamed(NameWords(each.name), name.words)) continue;
    const SchemaKey* const key = own.Find(each.name);
    if (key == nullptr || IsPacking(*key)) continue;
    const bool has_number = each.value.find_first_of("0123456789") != std::string::npos;
    if (asked.is_number && (!has_number || FitOf(*key, asked) == DimensionFit::kOther)) continue;
    if (found == nullptr || each.name.size() < found->name.size()) found = &each;
  }
  return found;
}

struct Answering {
  const catalog::Attribute* attribute = nullptr;
  bool is_opposite = false;
};

/// The attribute that answers the sense: the likely one, else that of the first name.
Answering AttributeOf(const Sense& sense, const catalog::Product& product, const AskedFor& asked,
                      const TypeSchema& own, std::string_view likely) {
  Answering first;
  for (const Name& name : sense.names) {
    const catalog::Attribute* const attribute = AttributeNamed(name, product, asked, own);
    if (attribute == nullptr) continue;
    if (first.attribute == nullptr) first = {attribute, name.is_opposite};
    const std::string* const value = likely.empty() ? nullptr : ValueOf(product, likely);
    if (value == nullptr || !IsNamed(NameWords(likely), name.words)) continue;
    for (const catalog::Attribute& each : product.attributes) {
      if (each.name == likely) return {&each, name.is_opposite};
    }
  }
  return first;
}

/// An idea of the sense denies something.
bool SaysNegation(const FoldedMessage& question, const Found& found) {
  return std::any_of(found.places.begin(), found.places.end(), [&](const Span& place) {
    return HasCue(
        FoldedMessage::FromFolded(std::string(question.text().substr(place.begin, place.size()))),
        Cue::kNegation);
  });
}

/// Whether what comes with the goods is asked.
bool AsksIncluded(const FoldedMessage& question) {
  const Words said = KeyWordsSaid(question);
  return std::find(said.begin(), said.end(), kIncluded) != said.end();
}

/// Whether the sense, in all words that stand for it, the attribute and the title leave nothing of
/// the question.
bool AnswersAll(const FoldedMessage& question, const std::vector<Found>& senses, size_t sense,
                const catalog::Attribute& attribute, const catalog::Product& product) {
  FoldedMessage rest = question;
  for (const Found& each : senses) {
    if (each.sense != sense) continue;
    for (const Span& place : each.places) rest = rest.Without(place);
  }
  std::unordered_set<std::string> known;
  for (const std::string& text : {attribute.name, attribute.value, product.title}) {
    ForEachWord(retrieval::FoldWords(text),
                [&](const std::string& word) { known.insert(StemOf(word)); });
  }
  if (IsWideText(question.text())) return true;
  const Words words = TellingWords(rest);
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return IsStruckOut(word) || known.contains(StemOf(word)) || IsSoftWord(word) ||
           PlaceOfWord(word) != 0;
  });
}

}  // namespace

std::optional<bool> SaysThere(std::string_view value) {
  const FoldedMessage said(value);
  if (said.HasAny(TheLexicon().values_missing())) return false;
  if (said.HasAny(TheLexicon().values_there())) return true;
  return std::nullopt;
}

std::optional<AskedFact> FindAskedFact(const FoldedMessage& question,
                                       const catalog::Product& product, bool asks_yes_no,
                                       std::string_view likely) {
  const Question read(question);
  const std::vector<Found> senses = FindSenses(read);
  if (senses.empty()) return std::nullopt;
  const AskedFor asked = asks_yes_no ? AskedFor() : ReadAskedFor(question);
  const TypeSchema own = TypeSchema::Learn({&product});
  const bool asks_included = AsksIncluded(question);
  for (const Found& each : senses) {
    const bool is_near = static_cast<double>(each.letters) >=
                         kNearBest * static_cast<double>(senses.front().letters);
    if (!is_near) break;
    const Sense& sense = TheLexicon().sense(each.sense);
    if (sense.is_use && asks_included) continue;
    // "How often do I have to charge it": several ideas say themselves what is to be stated.
    AskedFor wanted = asked;
    if (each.places.size() > 1) wanted.dimensions.clear();
    const auto [attribute, says_opposite] = AttributeOf(sense, product, wanted, own, likely);
    if (attribute != nullptr) {
      // "Is it non-slip" is no question whether it slips.
      bool is_opposite = says_opposite && !question.Has(retrieval::FoldWords(attribute->name));
      // "Without an amplifier" is what the attribute is for; the answer turns by every "without".
      if (SaysNegation(question, each)) is_opposite = !is_opposite;
      return AskedFact{attribute->name, is_opposite,
                       AnswersAll(question, senses, each.sense, *attribute, product), each.letters};
    }
    if (sense.is_only) return AskedFact{"", false, false, each.letters};
  }
  return std::nullopt;
}

}  // namespace emptor::services
