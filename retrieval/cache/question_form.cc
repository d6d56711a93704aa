// One pass over the tokens, one over the phrases of the lexicon.
#include "retrieval/cache/question_form.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <utility>

#include "fmt/format.h"
#include "retrieval/byte_count.h"
#include "retrieval/cache/form_lexicon.h"
#include "retrieval/cache/question_text.h"
#include "retrieval/text/colors.h"
#include "retrieval/text/measure.h"

namespace emptor::retrieval {
namespace {

void AddOnce(std::vector<std::string>& list, std::string value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(std::move(value));
}

std::string_view KindOf(FormHead head) {
  switch (head) {
    case FormHead::kParty:
      return "party";
    case FormHead::kScope:
      return "scope";
    case FormHead::kMeans:
      return "means";
    case FormHead::kSize:
      return "size";
    case FormHead::kPlace:
      return "place";
    default:
      return {};
  }
}

/// The language with most light words; kOther where two are level or there are less than two.
Language VoteLanguage(std::span<const FormToken> tokens) {
  std::array<int, 5> votes{};  // by Language
  for (size_t i = 0; i < tokens.size(); ++i) {
    FormLexicon::Default().ForEachAt(tokens, i, [&](const FormSense& sense, size_t) {
      if (sense.head == FormHead::kLight) {
        ++votes[static_cast<size_t>(LanguageOfLocale(sense.name))];
      }
    });
  }
  votes[0] = 0;  // Chinese needs no stemmer
  const auto most = std::max_element(votes.begin(), votes.end());
  const bool is_clear = *most >= 2 && std::count(votes.begin(), votes.end(), *most) == 1;
  return is_clear ? static_cast<Language>(most - votes.begin()) : Language::kOther;
}

class FormReader {
 public:
  FormReader(std::string_view question, std::string_view locale)
      : read_(TokenizeForm(question)),
        tokens_(read_.tokens),
        language_(locale.empty() ? VoteLanguage(tokens_) : LanguageOfLocale(locale)),
        stemmer_(language_ == Language::kOther ? LanguageForStems(question) : language_) {
    form_.language = LanguageTag(language_);
    form_.is_marked = read_.has_question_mark;
    // Every German noun has a capital, and without a language it could be German. In Titles Like
    // This every word has one.
    const auto capitals = std::count_if(tokens_.begin(), tokens_.end(),
                                        [](const FormToken& token) { return token.is_name_like; });
    has_names_ = language_ != Language::kGerman && language_ != Language::kOther &&
                 static_cast<size_t>(capitals) * 2 <= tokens_.size();
  }

  QuestionForm Run() {
    form_.words.resize(tokens_.size());
    ReadClauses();
    for (size_t i = 0; i < tokens_.size(); ++i) ReadWord(i);
    for (size_t i = 0; i < tokens_.size(); ++i) ReadPhrases(i);
    for (size_t i = 0; i < tokens_.size(); ++i) ReadNumber(i);
    ShareUnits();
    for (PlacedNumber& each : numbers_) form_.numbers.push_back(std::move(each.number));
    return std::move(form_);
  }

 private:
  struct Found {
    const FormSense* sense = nullptr;
    size_t length = 0;
  };
  struct PlacedNumber {
    QuestionForm::Number number;
    size_t begin = 0, end = 0;  // tokens, with the unit
  };

  static Language LanguageForStems(std::string_view question) {
    const Language language = LanguageOfQuestion(question, "");
    return language == Language::kOther ? Language::kEnglish : language;
  }

  /// Longest phrase of a head at a token; 0 when there is none.
  size_t LengthOf(size_t at, FormHead head, std::string_view detail = {}) const {
    size_t longest = 0;
    FormLexicon::Default().ForEachAt(tokens_, at, [&](const FormSense& sense, size_t length) {
      const bool matches = sense.head == head && (detail.empty() || sense.detail == detail);
      if (matches) longest = std::max(longest, length);
    });
    return longest;
  }

  /// A clause asks when it holds a question word or begins as a question does. Clauses in front of
  /// it that tell about the asker are context.
  void ReadClauses() {
    std::vector<bool> is_asked(tokens_.size());
    for (size_t i = 0; i < tokens_.size(); ++i) is_asked[i] = read_.IsAsked(tokens_[i]);
    for (size_t begin = 0, end = 0; begin < tokens_.size(); begin = end) {
      while (end < tokens_.size() && tokens_[end].sentence == tokens_[begin].sentence) ++end;
      ReadSentence(begin, end, is_asked);
    }
    for (size_t i = 0; i < tokens_.size(); ++i) form_.words[i].asked = is_asked[i];
  }

  void ReadSentence(size_t begin, size_t end, std::vector<bool>& is_asked) {
    size_t first = begin;  // of the clause that asks
    for (size_t i = begin; i < end; ++i) {
      const bool starts = i == begin || tokens_[i].clause != tokens_[i - 1].clause;
      if (starts) first = i;
      const size_t connector = starts && i + 1 < end && LengthOf(i, FormHead::kLight) == 1 ? 1 : 0;
      const bool begins_question =
          starts && (LengthOf(i, FormHead::kAsks) > 0 || LengthOf(i, FormHead::kWhat) > 0 ||
                     (connector == 1 && LengthOf(i + 1, FormHead::kAsks) > 0));
      if (!begins_question && LengthOf(i, FormHead::kType, "strong") == 0) continue;
      if (begins_question && is_asked[i]) {
        const bool asks_what = LengthOf(i, FormHead::kWhat) > 0;
        AddOnce(asks_what ? form_.weak_types : form_.openings, asks_what ? "what" : "whether");
      }
      for (size_t j = begin; j < first; ++j) {
        if (Tells(begin, first, tokens_[j].clause)) is_asked[j] = false;
      }
      return;
    }
  }

  bool Tells(size_t begin, size_t end, size_t clause) const {
    for (size_t i = begin; i < end; ++i) {
      if (tokens_[i].clause != clause) continue;
      const bool starts = i == begin || tokens_[i - 1].clause != clause;
      if (starts && LengthOf(i, FormHead::kCondition) > 0) return false;
      if (LengthOf(i, FormHead::kTells) > 0) return true;
    }
    return false;
  }

  void ReadWord(size_t at) {
    const FormToken& token = tokens_[at];
    QuestionForm::Word& word = form_.words[at];
    word.text = token.text;
    word.key = token.kind == FormToken::Kind::kWord ? stemmer_.Stem(token.text) : token.text;
    word.is_content = token.kind != FormToken::Kind::kNumber;
    word.is_name = token.is_name_like && has_names_;
    if (const std::string_view color = FindColor(token.text); !color.empty()) {
      form_.facts.push_back({"colour", std::string(color), "", token.text, word.asked});
      word.is_content = word.is_name = false;
    }
  }

  /// The longest phrases of each head that begin here and overlap no earlier one of that head. Of
  /// types and opposites several may be as long.
  void ReadPhrases(size_t at) {
    std::array<size_t, kFormHeadCount> longest{};
    std::vector<Found> found;
    FormLexicon::Default().ForEachAt(tokens_, at, [&](const FormSense& sense, size_t length) {
      const auto head = static_cast<size_t>(sense.head);
      if (at < covered_[head]) return;
      longest[head] = std::max(longest[head], length);
      found.push_back({&sense, length});
    });
    for (const Found& each : found) {
      const auto head = static_cast<size_t>(each.sense->head);
      if (each.length != longest[head]) continue;
      covered_[head] = at + each.length;
      if (each.sense->head == FormHead::kType) {
        TakeType(at, each);
      } else {
        Take(at, each);
      }
    }
  }

  void TakeType(size_t at, const Found& found) {
    if (!form_.words[at].asked) return;
    const bool is_strong = found.sense->detail == "strong";
    AddOnce(is_strong ? form_.strong_types : form_.weak_types, found.sense->name);
    for (size_t i = at; i < at + found.length; ++i) {
      form_.words[i].type = found.sense->name;
      if (is_strong) form_.words[i].is_content = false;
    }
  }

  void Take(size_t at, const Found& found) {
    const FormSense& sense = *found.sense;
    const bool asked = form_.words[at].asked;
    bool explains = true;  // the words are compared as what they say, not as words
    switch (sense.head) {
      case FormHead::kNumber:
        numbers_.push_back(
            {{sense.value, "", fmt::format("{}", sense.value), asked}, at, at + found.length});
        break;
      case FormHead::kNegation:
        if (at >= affirmed_ && asked) form_.is_negated = true;
        break;
      case FormHead::kAffirmed:
        affirmed_ = at + found.length;
        break;
      case FormHead::kOpposite:
        if (asked) AddOnce(form_.sides, sense.name + "/" + sense.detail);
        explains = false;
        break;
      case FormHead::kOwn:
        form_.is_own = true;
        explains = false;
        break;
      case FormHead::kSame:
        for (size_t i = at; i < at + found.length; ++i) form_.words[i].key = "=" + sense.name;
        explains = false;
        break;
      case FormHead::kLight:
        break;
      case FormHead::kParty:
      case FormHead::kScope:
      case FormHead::kMeans:
      case FormHead::kSize:
      case FormHead::kPlace:
        TakeFact(at, found);
        break;
      default:
        explains = false;
    }
    if (!explains) return;
    for (size_t i = at; i < at + found.length; ++i) {
      form_.words[i].is_content = form_.words[i].is_name = false;
    }
  }

  void TakeFact(size_t at, const Found& found) {
    const FormSense& sense = *found.sense;
    QuestionForm::Fact fact{std::string(KindOf(sense.head)), sense.name, sense.detail,
                            found.length == 1 ? tokens_[at].text : "", form_.words[at].asked};
    constexpr size_t kLongestWay = 2;
    for (size_t back = 1; back <= std::min(at, kLongestWay); ++back) {
      if (LengthOf(at - back, FormHead::kFrom) == back) fact.way = FormHead::kFrom;
      if (LengthOf(at - back, FormHead::kTo) == back) fact.way = FormHead::kTo;
    }
    form_.facts.push_back(std::move(fact));
  }

  /// A number token with its unit, or the unit behind a number word.
  void ReadNumber(size_t at) {
    for (PlacedNumber& each : numbers_) {
      const bool is_word = tokens_[at - 1].kind != FormToken::Kind::kNumber;
      if (each.end == at && is_word && each.number.unit.empty()) TakeUnit(at, each);
    }
    const bool is_number = tokens_[at].kind == FormToken::Kind::kNumber;
    if (!is_number || IsPartOfPhrase(at)) return;
    PlacedNumber placed{{}, at, at + 1};
    placed.number.value = std::strtod(tokens_[at].text.c_str(), nullptr);
    placed.number.text = tokens_[at].text;
    placed.number.asked = form_.words[at].asked;
    if (at + 1 < tokens_.size()) TakeUnit(at + 1, placed);
    numbers_.push_back(std::move(placed));
  }

  /// "b2b" and "b4" are no numbers.
  bool IsPartOfPhrase(size_t at) const {
    constexpr size_t kLongest = 3;
    for (size_t back = 1; back <= std::min(at, kLongest); ++back) {
      bool covers = false;
      FormLexicon::Default().ForEachAt(tokens_, at - back, [&](const FormSense&, size_t length) {
        covers = covers || length > back;
      });
      if (covers) return true;
    }
    return false;
  }

  void TakeUnit(size_t at, PlacedNumber& placed) {
    size_t length = 0;
    double factor = 1;
    QuestionForm::Number& number = placed.number;
    FormLexicon::Default().ForEachAt(tokens_, at, [&](const FormSense& sense, size_t words) {
      if (sense.head != FormHead::kUnit || words <= length) return;
      length = words;
      factor = sense.value;
      number.unit = sense.name;
    });
    const auto scale = FindUnit(tokens_[at].text);
    if (length == 0 && scale && !IsOtherThanUnit(at)) {
      length = 1;
      factor = scale->factor;
      number.unit = scale->base;
    }
    if (length == 0) return;
    placed.end = at + length;
    number.text += " " + tokens_[at].text;
    number.value *= factor;
    for (size_t i = at; i < at + length; ++i) form_.words[i].is_content = false;
  }

  /// "W32 L34": the letter belongs to the number behind it; "42 in Nike": a preposition.
  bool IsOtherThanUnit(size_t at) const {
    const bool is_letter = tokens_[at].text.size() == 1;
    const bool before_number =
        at + 1 < tokens_.size() && tokens_[at + 1].kind == FormToken::Kind::kNumber;
    return is_letter ? before_number : LengthOf(at, FormHead::kLight) > 0;
  }

  /// "200 x 300 cm": the first is in cm, too.
  void ShareUnits() {
    std::sort(numbers_.begin(), numbers_.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (size_t i = numbers_.size(); i-- > 1;) {
      QuestionForm::Number& first = numbers_[i - 1].number;
      const PlacedNumber& second = numbers_[i];
      const bool joined = second.begin == numbers_[i - 1].end + 1 &&
                          LengthOf(numbers_[i - 1].end, FormHead::kJoint) == 1;
      if (!joined || !first.unit.empty() || second.number.unit.empty()) continue;
      const std::string& text = second.number.text;
      const double plain = std::strtod(text.c_str(), nullptr);
      first.unit = second.number.unit;
      if (plain > 0) first.value *= second.number.value / plain;
    }
  }

  FormTokens read_;
  const std::vector<FormToken>& tokens_;
  Language language_;
  Stemmer stemmer_;
  QuestionForm form_;
  std::array<size_t, kFormHeadCount> covered_{};  // up to which token, by head
  bool has_names_ = false;                        // a capital letter makes a name
  size_t affirmed_ = 0;
  std::vector<PlacedNumber> numbers_;
};

}  // namespace

QuestionForm ReadQuestionForm(std::string_view question, std::string_view locale) {
  return FormReader(question.substr(0, kMaxQuestionBytes), locale).Run();
}

size_t ByteCount(const QuestionForm& form) {
  size_t bytes = ByteCount(form.strong_types) + ByteCount(form.weak_types) + ByteCount(form.sides);
  bytes += form.numbers.capacity() * sizeof(QuestionForm::Number);
  bytes += form.facts.capacity() * sizeof(QuestionForm::Fact);
  bytes += form.words.capacity() * sizeof(QuestionForm::Word);
  for (const auto& word : form.words) bytes += ByteCount(word.text) + ByteCount(word.key);
  return bytes;
}

}  // namespace emptor::retrieval
