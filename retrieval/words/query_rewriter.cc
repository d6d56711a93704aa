// One pass that corrects, and one that gathers what else to search.
#include "retrieval/words/query_rewriter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "retrieval/text/english.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/quantity.h"
#include "retrieval/text/stop_words.h"
#include "retrieval/words/language.h"

namespace emptor::retrieval {
namespace {

constexpr size_t kMaxTokens = 64;  // of a query; what follows is searched as it is
constexpr size_t kMaxCompounds = 16;
constexpr size_t kMaxCorrections = 8;  // of a query; one with more is in another language
constexpr size_t kMaxContext = 8;      // words used as context
constexpr size_t kMaxQuantities = 4;   // of a query that are searched in other units, too
constexpr uint32_t kMinTogether = 3;   // records that hold both parts of a word written as one

/// What stands between two blanks of a query, without punctuation at its ends.
struct Token {
  size_t begin = 0;
  size_t end = 0;
  std::string word = {};  // folded; holds a blank where the token is two words ("wi-fi")
  bool plain = false;     // a to z only
};

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool IsPunctuation(char c) {
  return static_cast<unsigned char>(c) < 0x80 && !(c >= '0' && c <= '9') &&
         !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
}

std::vector<Token> Tokenize(std::string_view query) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < query.size() && tokens.size() < kMaxTokens;) {
    if (IsBlank(query[at])) {
      ++at;
      continue;
    }
    Token token{.begin = at, .end = at};
    while (token.end < query.size() && !IsBlank(query[token.end])) ++token.end;
    at = token.end;
    while (token.begin < token.end && IsPunctuation(query[token.begin])) ++token.begin;
    while (token.end > token.begin && IsPunctuation(query[token.end - 1])) --token.end;
    if (token.begin == token.end) continue;
    token.word = FoldWords(query.substr(token.begin, token.end - token.begin));
    token.plain = IsPlainWord(token.word);
    if (!token.word.empty()) tokens.push_back(std::move(token));
  }
  return tokens;
}

std::string TermOf(std::string_view word) {
  std::string term(word);
  if (IsPlainWord(term)) FoldEnglish(term);
  return term;
}

/// "dollar" in "500 dollar laptop" is not a misspelling of "roller", even if the catalog lacks it.
bool NamesMoney(std::string_view word) {
  constexpr std::array<std::string_view, 12> kWords = {"bucks", "dollar", "dollars",  "euro",
                                                       "euros", "franc",  "francs",   "pounds",
                                                       "rupee", "rupees", "sterling", "yuan"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

bool CarriesMeaning(std::string_view word) { return !IsStopWord(word) && !IsRequestWord(word); }

/// "kuehlschrank" as "kuhlschrank", which is how "Kühlschrank" is folded.
std::string WithoutSpelledUmlauts(std::string_view word) {
  std::string plain;
  for (size_t i = 0; i < word.size(); ++i) {
    plain += word[i];
    const bool spelled = (word[i] == 'a' || word[i] == 'o' || word[i] == 'u') &&
                         i + 1 < word.size() && word[i + 1] == 'e';
    if (spelled) ++i;
  }
  return plain;
}

/// The work on one query.
class Pass {
 public:
  Pass(const Vocabulary& vocabulary, const WordFamilies& families,
       const SpellingCorrector& spelling, const RewriteWeights& weights, const Synonyms& synonyms,
       const DocumentFrequency& frequency, Language language)
      : vocabulary_(vocabulary),
        families_(families),
        spelling_(spelling),
        weights_(weights),
        synonyms_(synonyms),
        frequency_(frequency),
        language_(language) {}

  /// The query with unknown words replaced; what was replaced goes to `corrections`.
  std::string Correct(std::string_view query, std::vector<Correction>& corrections) {
    std::vector<Token> tokens = Tokenize(query);
    ReadContext(tokens);
    std::string text;
    size_t copied = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      size_t taken = 1;
      std::string to = JoinWithNext(tokens, i);
      if (!to.empty()) {
        taken = 2;
      } else {
        to = CorrectWord(tokens[i]);
      }
      if (to.empty()) continue;
      const size_t end = tokens[i + taken - 1].end;
      text += query.substr(copied, tokens[i].begin - copied);
      text += to;
      copied = end;
      corrections.push_back(
          {std::string(query.substr(tokens[i].begin, end - tokens[i].begin)), std::move(to)});
      i += taken - 1;
    }
    text += query.substr(copied);
    return text;
  }

  std::vector<Expansion> Expand(const Analyzer& analyzer, std::string_view query) {
    const std::vector<Token> tokens = Tokenize(query);
    ReadContext(tokens);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens[i].plain || !CarriesMeaning(tokens[i].word)) continue;
      ExpandWord(tokens[i].word);
      if (i + 1 < tokens.size() && tokens[i + 1].plain && CarriesMeaning(tokens[i + 1].word)) {
        Add(TermOf(tokens[i].word + tokens[i + 1].word), "", weights_.joined);
      }
    }
    AddSynonyms(analyzer, tokens);
    AddQuantities(analyzer, query, tokens);
    return std::move(expansions_);
  }

 private:
  bool IsKnown(const std::string& word) const { return frequency_(TermOf(word)) > 0; }

  void ReadContext(const std::vector<Token>& tokens) {
    context_.clear();
    for (const Token& token : tokens) {
      if (!token.plain || !CarriesMeaning(token.word)) continue;
      // Titles say "heater" where queries say "heaters": the more common form is better context.
      const auto typed = vocabulary_.Find(token.word);
      const auto folded = vocabulary_.Find(TermOf(token.word));
      const auto count = [this](std::optional<WordId> word) {
        return word ? vocabulary_.record_count(*word) : 0;
      };
      const auto better = count(folded) > count(typed) ? folded : typed;
      if (better && context_.size() < kMaxContext) context_.push_back(*better);
    }
  }

  /// "refrig erator": one word of the catalog where one half at least is none.
  std::string JoinWithNext(const std::vector<Token>& tokens, size_t i) const {
    if (i + 1 >= tokens.size() || !tokens[i].plain || !tokens[i + 1].plain) return {};
    const std::string joined = tokens[i].word + tokens[i + 1].word;
    if (!spelling_.IsCorrectable(joined)) return {};
    if (!CarriesMeaning(tokens[i].word) || !CarriesMeaning(tokens[i + 1].word)) return {};
    if (IsKnown(tokens[i].word) && IsKnown(tokens[i + 1].word)) return {};
    const auto word = vocabulary_.Find(joined);
    return word ? vocabulary_.display(*word) : std::string();
  }

  /// What to search for an unknown word; empty when it is to stay.
  std::string CorrectWord(const Token& token) {
    if (!token.plain || !spelling_.IsCorrectable(token.word)) return {};
    if (tried_ == kMaxCorrections) return {};
    if (!CarriesMeaning(token.word) || !CanonicalUnit(token.word).empty()) return {};
    if (NamesMoney(token.word)) return {};
    if (IsKnown(token.word) || HasVariants(token.word)) return {};
    ++tried_;
    const auto reading = spelling_.Correct(token.word, context_);
    if (!reading) return {};
    std::string to;
    for (const WordId word : reading->words) {
      if (!to.empty()) to += ' ';
      to += vocabulary_.display(word);
    }
    return to;
  }

  /// Whether expansion will find something for a word that no record has.
  bool HasVariants(const std::string& word) const {
    if (!families_.WithSameStem(language_, word).empty()) return true;
    if (language_ == Language::kGerman) {
      const std::string plain = WithoutSpelledUmlauts(word);
      if (IsKnown(plain) || !families_.WithSameStem(language_, plain).empty()) return true;
      if (!families_.HeadsOf(word).empty()) return true;
      if (!families_.CompoundsOf(word, 1).empty()) return true;
    }
    bool any = false;
    synonyms_.ForEachMatch({&word, 1}, language_,
                           [&](size_t, size_t, const std::string&) { any = true; });
    return any;
  }

  void ExpandWord(const std::string& word) {
    const std::string term = TermOf(word);
    const uint64_t records = frequency_(term);
    const float stem = records > 0 ? weights_.stem : weights_.stem_of_unknown;
    for (const WordId other : families_.WithSameStem(language_, word)) {
      Add(TermOf(vocabulary_.text(other)), term, stem);
    }
    if (language_ == Language::kGerman) ExpandGerman(word, term);
    if (records == 0) return;
    AddParts(word);
    if (records <= weights_.rare_records) AddCommonerReading(word, term, records);
  }

  void ExpandGerman(const std::string& word, const std::string& term) {
    if (const std::string plain = WithoutSpelledUmlauts(word); plain != word) {
      Add(TermOf(plain), term, weights_.stem_of_unknown);
      for (const WordId other : families_.WithSameStem(language_, plain)) {
        Add(TermOf(vocabulary_.text(other)), term, weights_.stem);
      }
    }
    for (const WordId compound : families_.CompoundsOf(word, kMaxCompounds)) {
      Add(TermOf(vocabulary_.text(compound)), term, weights_.compound);
    }
    for (const WordId head : families_.HeadsOf(word)) {
      Add(TermOf(vocabulary_.text(head)), term, weights_.head);
    }
  }

  /// "snowblower": "snow" and "blower", where records that write them apart are not fewer by far.
  void AddParts(const std::string& word) {
    constexpr size_t kMinPart = 3;
    const auto whole = vocabulary_.Find(word);
    const uint32_t together_at_least =
        std::max(kMinTogether, whole ? vocabulary_.record_count(*whole) / 2 : 0);
    for (size_t at = kMinPart; at + kMinPart <= word.size(); ++at) {
      const auto first = vocabulary_.Find(std::string_view(word).substr(0, at));
      if (!first) continue;
      const auto second = vocabulary_.Find(std::string_view(word).substr(at));
      if (!second || vocabulary_.CountTogether(*first, *second) < together_at_least) continue;
      Add(TermOf(vocabulary_.text(*first)), "", weights_.split);
      Add(TermOf(vocabulary_.text(*second)), "", weights_.split);
    }
  }

  void AddCommonerReading(const std::string& word, const std::string& term, uint64_t records) {
    if (!spelling_.IsCorrectable(word) || tried_ == kMaxCorrections) return;
    ++tried_;
    std::vector<WordId> others = context_;
    std::erase_if(others, [&](WordId other) { return TermOf(vocabulary_.text(other)) == term; });
    const auto reading = spelling_.Correct(word, others);
    if (!reading) return;
    for (const WordId other : reading->words) {
      if (vocabulary_.record_count(other) < weights_.rare_ratio * records) return;
    }
    for (const WordId other : reading->words) {
      Add(TermOf(vocabulary_.text(other)), "", weights_.rare);
    }
  }

  void AddSynonyms(const Analyzer& analyzer, const std::vector<Token>& tokens) {
    std::vector<std::string> words;
    for (const Token& token : tokens) words.push_back(token.word);
    synonyms_.ForEachMatch(
        words, language_, [&](size_t first, size_t count, const std::string& other) {
          const std::vector<std::string> terms = analyzer.Analyze(other, TextRole::kRecord);
          const std::string of = count == 1 && terms.size() == 1 ? TermOf(words[first]) : "";
          const float share =
              1.0f / std::sqrt(static_cast<float>(std::max<size_t>(1, terms.size())));
          for (const std::string& term : terms) Add(term, of, weights_.synonym * share);
        });
  }

  /// "2 l" as "2000ml", "27 inch" as "68.6cm", where the catalog writes so.
  void AddQuantities(const Analyzer& analyzer, std::string_view query,
                     const std::vector<Token>& tokens) {
    size_t found = 0;
    for (size_t i = 0; i < tokens.size() && found < kMaxQuantities; ++i) {
      const Token& token = tokens[i];
      if (token.word.find_first_of("0123456789") == std::string::npos) continue;
      const bool inches = token.end < query.size() && query[token.end] == '"';
      const size_t end = i + 1 < tokens.size() ? tokens[i + 1].end : token.end;
      for (const size_t stop : {token.end + (inches ? 1 : 0), end}) {
        const std::string_view text = query.substr(token.begin, stop - token.begin);
        const auto measure = ParseMeasure(text);
        if (!measure) continue;
        const std::vector<std::string> terms = analyzer.Analyze(text, TextRole::kRecord);
        if (terms.empty()) break;
        const size_t digits = terms[0].find_first_not_of("0123456789.");
        const std::string unit = terms[0].substr(std::min(digits, terms[0].size()));
        for (const std::string& same : SameQuantities(*measure, unit)) {
          Add(same, terms[0], weights_.same_quantity);
        }
        ++found;
        break;
      }
    }
  }

  void Add(std::string term, std::string of, float factor) {
    if (term == of || frequency_(term) == 0) return;
    for (Expansion& known : expansions_) {
      if (known.term != term) continue;
      if (known.factor < factor) known = {std::move(term), std::move(of), factor};
      return;
    }
    expansions_.push_back({std::move(term), std::move(of), factor});
  }

  const Vocabulary& vocabulary_;
  const WordFamilies& families_;
  const SpellingCorrector& spelling_;
  const RewriteWeights& weights_;
  const Synonyms& synonyms_;
  const DocumentFrequency& frequency_;
  const Language language_;
  std::vector<WordId> context_;
  size_t tried_ = 0;
  std::vector<Expansion> expansions_;
};

}  // namespace

QueryRewriter::QueryRewriter(const Analyzer& analyzer, const Vocabulary& vocabulary,
                             const WordFamilies& families, const SpellingCorrector& spelling,
                             RewriteWeights weights)
    : analyzer_(analyzer),
      vocabulary_(vocabulary),
      families_(families),
      spelling_(spelling),
      weights_(weights) {}

RewrittenQuery QueryRewriter::Rewrite(const RewriteRequest& request, const Synonyms& synonyms,
                                      const DocumentFrequency& frequency) const {
  RewrittenQuery rewritten;
  rewritten.language = request.language != Language::kOther
                           ? request.language
                           : DetectQueryLanguage(request.query, vocabulary_);
  Pass pass(vocabulary_, families_, spelling_, weights_, synonyms, frequency, rewritten.language);
  rewritten.text = request.correct ? pass.Correct(request.query, rewritten.corrections)
                                   : std::string(request.query);
  rewritten.expansions = pass.Expand(analyzer_, rewritten.text);
  return rewritten;
}

}  // namespace emptor::retrieval
