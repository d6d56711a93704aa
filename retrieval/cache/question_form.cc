// One pass over the tokens, one over the phrases of the lexicon.
#include "retrieval/cache/question_form.h"

#include <algorithm>
#include <array>
#include <cstdlib>
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

class FormReader {
 public:
  FormReader(std::string_view question, std::string_view locale)
      : read_(TokenizeForm(question)),
        tokens_(read_.tokens),
        language_(LanguageOfQuestion(question, locale)),
        stemmer_(language_ == Language::kOther ? Language::kEnglish : language_) {
    form_.language = LanguageTag(language_);
  }

  QuestionForm Run() {
    form_.words.resize(tokens_.size());
    for (size_t i = 0; i < tokens_.size(); ++i) ReadWord(i);
    for (size_t i = 0; i < tokens_.size(); ++i) ReadPhrases(i);
    for (size_t i = 0; i < tokens_.size(); ++i) ReadNumber(i);
    return std::move(form_);
  }

 private:
  struct Found {
    const FormSense* sense = nullptr;
    size_t length = 0;
  };

  bool IsAsked(size_t at) const { return read_.IsAsked(tokens_[at]); }

  void ReadWord(size_t at) {
    const FormToken& token = tokens_[at];
    QuestionForm::Word& word = form_.words[at];
    word.text = token.text;
    word.key = token.kind == FormToken::Kind::kWord ? stemmer_.Stem(token.text) : token.text;
    word.is_content = token.kind != FormToken::Kind::kNumber;
    word.asked = IsAsked(at);
    // Every German noun has a capital.
    word.is_name = token.is_name_like && language_ != Language::kGerman;
    if (const std::string_view color = FindColor(token.text); !color.empty()) {
      form_.facts.push_back({"colour", std::string(color), "", word.asked});
      word.is_content = word.is_name = false;
    }
  }

  /// The longest phrase of each head that begins here and overlaps no earlier one of that head.
  void ReadPhrases(size_t at) {
    std::array<Found, kFormHeadCount> longest;
    std::vector<Found> types;  // of equal length, several may hold
    FormLexicon::Default().ForEachAt(tokens_, at, [&](const FormSense& sense, size_t length) {
      Found& best = longest[static_cast<size_t>(sense.head)];
      if (at >= covered_[static_cast<size_t>(sense.head)] && length > best.length) {
        best = {&sense, length};
      }
      if (sense.head == FormHead::kType) types.push_back({&sense, length});
    });
    const size_t type_length = longest[static_cast<size_t>(FormHead::kType)].length;
    for (const Found& each : types) {
      if (type_length > 0 && each.length == type_length) TakeType(at, each);
    }
    for (size_t head = 0; head < kFormHeadCount; ++head) {
      if (longest[head].sense == nullptr) continue;
      covered_[head] = at + longest[head].length;
      Take(at, longest[head]);
    }
  }

  void TakeType(size_t at, const Found& found) {
    if (!IsAsked(at)) return;
    const bool is_strong = found.sense->detail == "strong";
    AddOnce(is_strong ? form_.strong_types : form_.weak_types, found.sense->name);
    for (size_t i = at; i < at + found.length; ++i) {
      form_.words[i].type = found.sense->name;
      if (is_strong) form_.words[i].is_content = false;
    }
  }

  void Take(size_t at, const Found& found) {
    const FormSense& sense = *found.sense;
    bool explains = true;  // the words are compared as what they say, not as words
    switch (sense.head) {
      case FormHead::kNumber:
        form_.numbers.push_back({sense.value, "", fmt::format("{}", sense.value), IsAsked(at)});
        number_at_.push_back(at + found.length);
        break;
      case FormHead::kNegation:
        if (at >= affirmed_ && IsAsked(at)) form_.is_negated = true;
        break;
      case FormHead::kAffirmed:
        affirmed_ = at + found.length;
        break;
      case FormHead::kOpposite:
        if (IsAsked(at)) AddOnce(form_.sides, sense.name + "/" + sense.detail);
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
      case FormHead::kUnit:
      case FormHead::kType:
        explains = false;
        break;
      case FormHead::kLight:
        break;
      default:
        form_.facts.push_back(
            {std::string(KindOf(sense.head)), sense.name, sense.detail, IsAsked(at)});
    }
    if (!explains) return;
    for (size_t i = at; i < at + found.length; ++i) {
      form_.words[i].is_content = false;
      if (sense.head != FormHead::kLight || found.length > 1) form_.words[i].is_name = false;
    }
  }

  /// A number token, or the unit behind a number word.
  void ReadNumber(size_t at) {
    const auto word = std::find(number_at_.begin(), number_at_.end(), at);
    if (word != number_at_.end()) {
      // The numbers so far are those of words, in order.
      TakeUnit(at, form_.numbers[static_cast<size_t>(word - number_at_.begin())]);
    }
    if (tokens_[at].kind != FormToken::Kind::kNumber) return;
    QuestionForm::Number number;
    number.value = std::strtod(tokens_[at].text.c_str(), nullptr);
    number.text = tokens_[at].text;
    number.asked = IsAsked(at);
    if (at + 1 < tokens_.size()) TakeUnit(at + 1, number);
    form_.numbers.push_back(std::move(number));
  }

  void TakeUnit(size_t at, QuestionForm::Number& number) {
    size_t length = 0;
    double factor = 1;
    FormLexicon::Default().ForEachAt(tokens_, at, [&](const FormSense& sense, size_t words) {
      if (sense.head != FormHead::kUnit || words <= length) return;
      length = words;
      factor = sense.value;
      number.unit = sense.name;
    });
    // "W32 L34": the letter belongs to the number behind it.
    const bool is_label = tokens_[at].text.size() == 1 && at + 1 < tokens_.size() &&
                          tokens_[at + 1].kind == FormToken::Kind::kNumber;
    const auto scale = FindUnit(tokens_[at].text);
    if (length == 0 && scale && !is_label) {
      length = 1;
      factor = scale->factor;
      number.unit = scale->base;
    }
    if (length == 0) return;
    number.text += " " + tokens_[at].text;
    number.value *= factor;
    for (size_t i = at; i < at + length; ++i) form_.words[i].is_content = false;
  }

  FormTokens read_;
  const std::vector<FormToken>& tokens_;
  Language language_;
  Stemmer stemmer_;
  QuestionForm form_;
  std::array<size_t, kFormHeadCount> covered_{};  // up to which token, by head
  size_t affirmed_ = 0;
  std::vector<size_t> number_at_;  // the tokens behind number words
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
