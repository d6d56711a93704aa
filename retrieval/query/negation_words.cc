// The scope of negations.
#include "retrieval/query/negation_words.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <unordered_set>

#include "retrieval/filter/filter_terms.h"
#include "retrieval/query/comparators.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/fold.h"
#include "retrieval/text/measure.h"
#include "retrieval/text/stop_words.h"

namespace emptor::retrieval {
namespace {

using Kind = QueryToken::Kind;
using Tokens = std::vector<QueryToken>;
using WordSet = std::unordered_set<std::string_view>;

constexpr size_t kMaxBrandWords = 4, kMaxCategoryWords = 4, kMaxTermWords = 3, kMaxHan = 6;

/// Words that negate, the longest first; `bare` ones ("no") begin names of properties as well.
struct Negator {
  std::initializer_list<std::string_view> words;
  bool bare = false;
};

const std::initializer_list<Negator>& Negators() {
  static const std::initializer_list<Negator> kNegators = {{{"other", "than"}},
                                                           {{"anything", "but"}},
                                                           {{"apart", "from"}},
                                                           {{"w", "/", "o"}},
                                                           {{"no", "sean"}},
                                                           {{"no", "sea"}},
                                                           {{"not"}},
                                                           {{"without"}},
                                                           {{"w/o"}},
                                                           {{"except"}},
                                                           {{"excluding"}},
                                                           {{"besides"}},
                                                           {{"no"}, true},
                                                           {{"don't"}},
                                                           {{"doesn't"}},
                                                           {{"dont"}},
                                                           {{"doesnt"}},
                                                           {{"aren't"}},
                                                           {{"arent"}},
                                                           {{"isn't"}},
                                                           {{"isnt"}},
                                                           {{"never"}},
                                                           {{"neither"}},
                                                           {{"exclude"}},
                                                           {{"weder"}},
                                                           {{"minus"}},
                                                           {{"ohne"}},
                                                           {{"nicht"}},
                                                           {{"kein"}},
                                                           {{"keine"}},
                                                           {{"keinen"}},
                                                           {{"außer"}},
                                                           {{"ausser"}},
                                                           {{"sans"}},
                                                           {{"sauf"}},
                                                           {{"pas", "de"}},
                                                           {{"pas"}},
                                                           {{"hors"}},
                                                           {{"sin"}},
                                                           {{"excepto"}},
                                                           {{"salvo"}},
                                                           {{"不", "要"}},
                                                           {{"不", "带"}},
                                                           {{"不", "含"}},
                                                           {{"不", "是"}},
                                                           {{"没", "有"}},
                                                           {{"别", "要"}},
                                                           {{"不", "想", "要"}},
                                                           {{"不", "需", "要"}},
                                                           {{"不", "用"}},
                                                           {{"aucun"}},
                                                           {{"aucune"}},
                                                           {{"ningún"}},
                                                           {{"ninguna"}},
                                                           {{"除", "了"}},
                                                           {{"除"}}};
  return kNegators;
}

size_t ReadNegator(const Tokens& tokens, size_t at, bool& bare) {
  for (const Negator& negator : Negators()) {
    if (!MatchesAt(tokens, at, negator.words)) continue;
    bare = negator.bare;
    return negator.words.size();
  }
  return 0;
}

/// Words between a negator and the negated term ("made of", "a", "have").
bool LeadsOn(std::string_view word) {
  static const WordSet kWords = {
      "a",    "an",   "the",     "any",      "from", "made",    "of",       "by",       "with",
      "have", "has",  "need",    "needs",    "want", "require", "requires", "include",  "includes",
      "use",  "uses", "contain", "contains", "come", "comes",   "support",  "supports", "in",
      "from", "von",  "aus",     "mit",      "der",  "die",     "das",      "le",       "la",
      "les",  "un",   "une",     "en",       "el",   "los",     "las",      "una",      "de"};
  return kWords.count(word) != 0;
}

/// Words after a negator that make it negate a degree, an action or nothing in particular.
bool NegatesNoThing(std::string_view word) {
  static const WordSet kWords = {
      "too",    "very",      "so",        "that",     "only",      "just",    "more",
      "less",   "over",      "under",     "above",    "below",     "sure",    "longer",
      "matter", "problem",   "idea",      "one",      "expensive", "cheap",   "bad",
      "good",   "big",       "small",     "large",    "heavy",     "loud",    "necessarily",
      "really", "working",   "be",        "been",     "is",        "are",     "it",
      "this",   "these",     "those",     "i",        "we",        "know",    "care",
      "find",   "see",       "get",       "sell",     "much",      "many",    "higher",
      "lower",  "zu",        "sehr",      "so",       "mehr",      "weniger", "nur",
      "über",   "trop",      "très",      "plus",     "moins",     "cher",    "chère",
      "muy",    "demasiado", "más",       "menos",    "caro",      "teuer",   "all",
      "yet",    "at",        "always",    "to",       "on",        "if",      "when",
      "what",   "in-stock",  "available", "stock",    "new",       "used",    "than",
      "like",   "work",      "fit",       "included", "open",      "close",   "let",
      "forget", "太",        "贵",        "超",       "到"};
  return kWords.count(word) != 0;
}

/// Words that end the negated term.
bool EndsThing(const QueryToken& token) {
  static const WordSet kWords = {
      "and",    "or",    "but",     "nor",     "for",  "with",  "under", "over",  "below",
      "above",  "in",    "on",      "at",      "that", "which", "from",  "to",    "than",
      "please", "if",    "because", "instead", "by",   "as",    "is",    "are",   "between",
      "around", "about", "the",     "noch",    "ni",   "of",    "und",   "oder",  "aber",
      "mit",    "für",   "unter",   "bis",     "ab",   "et",    "ou",    "mais",  "avec",
      "pour",   "moins", "y",       "o",       "pero", "con",   "para",  "menos", "hasta",
      "的",     "和",    "或",      "以",      "但"};
  const bool is_thing = token.kind == Kind::kWord || token.kind == Kind::kIdeograph;
  return !is_thing || kWords.count(token.text) != 0;
}

bool JoinsList(const QueryToken& token) {
  static const WordSet kWords = {",", "or", "nor", "/", "und", "oder", "et", "ou",  "y",
                                 "o", "ni", "and", "&", "和",  "或",   "、", "noch"};
  return kWords.count(token.text) != 0;
}

/// False for text that no record claims, which would exclude nothing: "1/2", "14".
bool IsExcludable(std::string_view text) {
  const auto terms = ExclusionTerms(text);
  return std::none_of(terms.begin(), terms.end(), [](const std::string& term) {
    return term.find_first_not_of("0123456789") == std::string::npos;
  });
}

enum class Thing { kBrand, kColor, kCategory, kTerm };

class Reader {
 public:
  Reader(const Tokens& tokens, std::string_view message, const QueryVocabulary& vocabulary,
         std::vector<bool>& used, Filter& filter)
      : tokens_(tokens), message_(message), vocabulary_(vocabulary), used_(used), filter_(filter) {}

  void Run() {
    for (size_t at = 0; at < tokens_.size();) {
      if (IsExceptAt(at)) ReadBefore(at);
      at = std::max(at + 1, ReadAt(at));
    }
  }

 private:
  /// Reads the negation that begins at `start`; the token behind it, or `start` where there is
  /// none.
  size_t ReadAt(size_t start) {
    bool bare = false;
    const size_t length = used_[start] ? 0 : ReadNegator(tokens_, start, bare);
    if (length == 0 || IsIdle(start)) return start;
    size_t at = start + length;
    while (at < tokens_.size() && LeadsOn(tokens_[at].text)) ++at;
    if (at >= tokens_.size()) return start;
    if (NegatesNoThing(tokens_[at].text)) return SkipDegree(start, at);
    if (ReadComparator(tokens_, start).bound != Bound::kNone) return start;
    size_t end = TakeQuantity(start, at);
    if (end == at) end = TakeKnown(at);
    if (end == at) end = TakeTerm(start, at, bare);
    if (end == at) return start;
    end = TakeList(end);
    // "除了 Sony 以外": the words that close the bracket.
    if (MatchesAt(tokens_, end, {"以", "外"}) || MatchesAt(tokens_, end, {"之", "外"})) end += 2;
    Use(start, end);
    return end;
  }

  bool IsExceptAt(size_t at) const {
    return at > 0 && MatchesAt(tokens_, at, {"以", "外"}) && Free(at, 2) == 2;
  }

  /// "Sony以外のイヤホン": the excluded term precedes the word.
  void ReadBefore(size_t end) {
    const bool han = tokens_[end - 1].kind == Kind::kIdeograph;
    if (!han && tokens_[end - 1].kind != Kind::kWord) return;
    size_t most = 0;
    while (most < std::min(end, han ? kMaxHan : kMaxBrandWords) && !used_[end - most - 1] &&
           !EndsThing(tokens_[end - most - 1]) &&
           (tokens_[end - most - 1].kind == Kind::kIdeograph) == han) {
      ++most;
    }
    for (size_t length = most; length > 0; --length) {
      if (TakeExactly(end - length, length)) return Use(end - length, end + 2);
    }
    const size_t length = han ? most : std::min<size_t>(most, 1);
    if (length == 0) return;
    Add(Folded(end - length, length), filter_.excluded_terms);
    Use(end - length, end + 2);
  }

  /// "why not", "whether or not", "if not".
  bool IsIdle(size_t start) const {
    if (start == 0) return false;
    const std::string& before = tokens_[start - 1].text;
    static const WordSet kVerbs = {"do",    "does",   "did",  "me",   "can",
                                   "could", "should", "will", "would"};
    const bool acts = kVerbs.count(before) != 0 && start + 1 < tokens_.size() &&
                      !LeadsOn(tokens_[start + 1].text);  // "do not disturb"
    return acts || before == "why" || before == "if" ||
           (before == "or" && tokens_[start].text == "not");
  }

  /// "not too expensive" states no condition that a search can use.
  size_t SkipDegree(size_t start, size_t at) {
    static const WordSet kDegrees = {"too",  "very", "so",  "zu",        "sehr",
                                     "trop", "très", "muy", "demasiado", "太"};
    if (kDegrees.count(tokens_[at].text) == 0 || at + 1 >= tokens_.size()) return start;
    Use(start, at + 2);
    return at + 2;
  }

  std::string Folded(size_t at, size_t length) const {
    const size_t begin = tokens_[at].begin, end = tokens_[at + length - 1].end;
    return FoldForComparison(message_.substr(begin, end - begin));
  }

  size_t Free(size_t at, size_t most) const {
    size_t count = 0;
    while (count < most && at + count < tokens_.size() && !used_[at + count]) ++count;
    return count;
  }

  /// A brand, colour or category of the catalog at `at`: excludes it and gives the token behind.
  /// One word is a colour before it is a brand.
  size_t TakeKnown(size_t at) {
    if (const size_t end = TakeBrand(at, 2); end != at) return end;
    if (Free(at, 1) == 0) return at;
    const size_t color_length = tokens_[at].kind == Kind::kIdeograph ? 2 : 1;
    if (Free(at, color_length) == color_length) {
      const std::string_view color = FindColor(Folded(at, color_length));
      if (!color.empty()) {
        Add(std::string(color), filter_.excluded_colors);
        kind_ = Thing::kColor;
        return at + color_length;
      }
    }
    if (const size_t end = TakeBrand(at, 1); end != at) return end;
    for (size_t length = Free(at, kMaxCategoryWords); length > 0; --length) {
      const auto category = vocabulary_.Find(FilterField::kCategory, Folded(at, length));
      if (!category) continue;
      Add(category->text, filter_.excluded_categories);
      kind_ = Thing::kCategory;
      return at + length;
    }
    return at;
  }

  /// Excludes what the catalog calls by just these words.
  bool TakeExactly(size_t at, size_t length) {
    const std::string name = Folded(at, length);
    if (const auto brand = vocabulary_.Find(FilterField::kBrand, name)) {
      Add(brand->text, filter_.excluded_brands);
      return true;
    }
    if (const std::string_view color = FindColor(name); !color.empty()) {
      Add(std::string(color), filter_.excluded_colors);
      return true;
    }
    const auto category = vocabulary_.Find(FilterField::kCategory, name);
    if (category) Add(category->text, filter_.excluded_categories);
    return category.has_value();
  }

  size_t TakeBrand(size_t at, size_t least_words) {
    for (size_t length = Free(at, kMaxBrandWords); length >= least_words; --length) {
      const auto brand = vocabulary_.Find(FilterField::kBrand, Folded(at, length));
      if (!brand) continue;
      Add(brand->text, filter_.excluded_brands);
      kind_ = Thing::kBrand;
      return at + length;
    }
    return at;
  }

  bool HasSubjectBefore(size_t start) const {
    for (size_t i = 0; i < start; ++i) {
      const bool says = tokens_[i].kind == Kind::kWord || tokens_[i].kind == Kind::kIdeograph;
      const std::string& word = tokens_[i].text;
      if (says && !IsStopWord(word) && !IsRequestWord(word)) return true;
    }
    return false;
  }

  bool EndsAt(size_t at) const {
    bool bare = false;
    return at >= tokens_.size() || used_[at] || EndsThing(tokens_[at]) ||
           ReadNegator(tokens_, at, bare) > 0;
  }

  bool IsKnownAt(size_t at) const {
    return !FindColor(tokens_[at].text).empty() ||
           vocabulary_.Find(FilterField::kBrand, tokens_[at].text).has_value();
  }

  /// "not 27 inch", "not 27\" monitor", but not "without 2 m cable".
  size_t TakeQuantity(size_t start, size_t at) {
    for (size_t length = Free(at, 2); length > 0; --length) {
      const std::string text = Folded(at, length);
      const auto measure = ParseMeasure(text);
      if (!measure || !vocabulary_.has_measure) continue;
      if (!vocabulary_.has_measure("", std::string(measure->base))) continue;
      if (HasSubjectBefore(start) && !EndsAt(at + length)) return at;
      Add(text, filter_.excluded_terms);
      kind_ = Thing::kTerm;
      return at + length;
    }
    return at;
  }

  /// A term of up to three words. Where the sentence has had no subject yet ("not leather sofa")
  /// the first word is negated and the rest is the subject.
  size_t TakeTerm(size_t start, size_t at, bool bare) {
    const bool han = tokens_[at].kind == Kind::kIdeograph;
    const size_t most = han ? kMaxHan : kMaxTermWords;
    size_t length = 0;
    while (length < most && !EndsAt(at + length) &&
           (tokens_[at + length].kind == Kind::kIdeograph) == han &&
           (length == 0 || !IsKnownAt(at + length))) {
      ++length;
    }
    if (length == 0) return at;
    const bool has_subject = HasSubjectBefore(start);
    if (bare && (!has_subject || IsPropertyName(at))) return at;
    if (!has_subject && !han && length > 1) length = 1;
    if (!han && length == most && !EndsAt(at + length)) length = 1;  // no end found
    const std::string term = Folded(at, length);
    if (!IsExcludable(term)) return at;
    Add(term, filter_.excluded_terms);
    kind_ = Thing::kTerm;
    return at + length;
  }

  /// "no frost": the catalog uses it as a name.
  bool IsPropertyName(size_t at) const {
    const auto terms = ExclusionTerms(tokens_[at].text);
    return vocabulary_.mentions && !terms.empty() &&
           vocabulary_.mentions("no " + terms.front()) > 0;
  }

  /// "not sony or bose, lg": the following elements of a list.
  size_t TakeList(size_t end) {
    while (end + 1 < tokens_.size() && !used_[end] && JoinsList(tokens_[end])) {
      size_t at = end + 1;
      bool bare = false;
      if (JoinsList(tokens_[at]) && at + 1 < tokens_.size()) ++at;  // ", or"
      if (used_[at]) break;
      const size_t negator = ReadNegator(tokens_, at, bare);  // "or no wifi"
      at += negator;
      if (at >= tokens_.size() || used_[at]) break;
      const bool loose = tokens_[end].text == "," || tokens_[end].text == "/";
      // After a comma, only a term of the same kind continues the list: "without bluetooth, black"
      // ends.
      const Thing before = kind_;
      if (loose && negator == 0 && KindAt(at) != before) break;
      size_t next = TakeKnown(at);
      if (next == at && (!loose || negator > 0) && !NegatesNoThing(tokens_[at].text) &&
          !EndsAt(at) && EndsAt(at + 1)) {
        Add(Folded(at, 1), filter_.excluded_terms);
        next = at + 1;
      }
      if (next == at) break;
      end = next;
    }
    return end;
  }

  Thing KindAt(size_t at) const {
    if (vocabulary_.Find(FilterField::kBrand, tokens_[at].text)) return Thing::kBrand;
    return FindColor(tokens_[at].text).empty() ? Thing::kTerm : Thing::kColor;
  }

  static void Add(std::string text, std::vector<std::string>& list) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
  }

  void Use(size_t begin, size_t end) {
    for (size_t i = begin; i < std::min(end, tokens_.size()); ++i) used_[i] = true;
  }

  const Tokens& tokens_;
  const std::string_view message_;
  const QueryVocabulary& vocabulary_;
  std::vector<bool>& used_;
  Filter& filter_;
  Thing kind_ = Thing::kTerm;  // of what was excluded last
};

}  // namespace

void ReadNegations(const Tokens& tokens, std::string_view message,
                   const QueryVocabulary& vocabulary, std::vector<bool>& used, Filter& filter) {
  Reader(tokens, message, vocabulary, used, filter).Run();
}

}  // namespace emptor::retrieval
