// The regular expressions of published pre-tokenizers as hand-written matchers.
#include "engine/tokenizer/pre_tokenizer.h"

#include <algorithm>
#include <array>

#include "engine/tokenizer/cased_letters.h"
#include "engine/tokenizer/word_splitter.h"

namespace emptor::engine {
namespace {

/// No word begins with this character.
std::ptrdiff_t Skip(const Character& c) { return -static_cast<std::ptrdiff_t>(c.bytes); }
std::ptrdiff_t Take(size_t length) { return static_cast<std::ptrdiff_t>(length); }

bool IsNewline(const Character& c) { return c.code_point == '\n' || c.code_point == '\r'; }
/// [^\s\p{L}\p{N}]
bool IsMark(const Character& c) { return c.Is(CharClass::kPunctuation) || c.Is(CharClass::kOther); }
bool IsLetter(const Character& c) { return c.Is(CharClass::kLetter); }
bool IsNumber(const Character& c) { return c.Is(CharClass::kNumber); }
bool IsSpace(const Character& c) { return c.Is(CharClass::kSpace); }

/// End of the run of characters that `belongs` to, from `begin` on, of at most `most` characters.
template <typename Belongs>
size_t RunEnd(std::string_view text, size_t begin, Belongs belongs, size_t most = SIZE_MAX) {
  size_t end = begin;
  for (; end < text.size() && most > 0; --most) {
    const Character c = CharacterAt(text, end);
    if (!belongs(c)) break;
    end += c.bytes;
  }
  return end;
}

/// Length of 's 't 're 've 'm 'll 'd at the front; 0: none.
template <bool kAnyCase>
size_t ContractionLength(std::string_view text) {
  if (text.size() < 2 || text[0] != '\'') return 0;
  const auto letter = [&](size_t at) {
    const char c = at < text.size() ? text[at] : '\0';
    return kAnyCase && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  switch (letter(1)) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return letter(2) == 'e' ? 3 : 0;
    case 'l':
      return letter(2) == 'l' ? 3 : 0;
    default:
      // U+017F, the long s, is an s to a case-insensitive rule.
      return kAnyCase && text.substr(1).starts_with("\xc5\xbf") ? 3 : 0;
  }
}

/// A run of blanks and what its parts are.
struct Blanks {
  size_t end = 0;       // of the run
  size_t last = 0;      // begin of its last character
  size_t newlines = 0;  // end of its last newline; 0: none
};

Blanks ReadBlanks(std::string_view text) {
  Blanks blanks;
  while (blanks.end < text.size()) {
    const Character c = CharacterAt(text, blanks.end);
    if (!IsSpace(c)) break;
    blanks.last = blanks.end;
    blanks.end += c.bytes;
    if (IsNewline(c)) blanks.newlines = blanks.end;
  }
  return blanks;
}

/// \s+(?!\S)|\s+ : a run of blanks leaves its last one to the next word.
size_t BlankLength(const Blanks& blanks, size_t text_size) {
  return blanks.end < text_size && blanks.last > 0 ? blanks.last : blanks.end;
}

std::ptrdiff_t Gpt2Word(std::string_view text) {
  const size_t contraction = ContractionLength<false>(text);
  if (contraction > 0) return Take(contraction);
  size_t begin = 0;
  Character first = CharacterAt(text, 0);
  if (text[0] == ' ' && text.size() > 1) {
    begin = 1;
    first = CharacterAt(text, 1);
  }
  if (IsLetter(first)) return Take(RunEnd(text, begin, IsLetter));
  if (IsNumber(first)) return Take(RunEnd(text, begin, IsNumber));
  if (IsMark(first)) return Take(RunEnd(text, begin, IsMark));
  return Take(BlankLength(ReadBlanks(text), text.size()));
}

template <size_t kMaxDigits>
std::ptrdiff_t Llama3Word(std::string_view text) {
  const size_t contraction = ContractionLength<true>(text);
  if (contraction > 0) return Take(contraction);
  const Character first = CharacterAt(text, 0);
  if (IsLetter(first)) return Take(RunEnd(text, 0, IsLetter));
  if (IsNumber(first)) return Take(RunEnd(text, 0, IsNumber, kMaxDigits));
  const bool more = first.bytes < text.size();
  const Character second = more ? CharacterAt(text, first.bytes) : Character{-1, {}, 0};
  if (more && !IsNewline(first) && IsLetter(second)) {
    return Take(RunEnd(text, first.bytes, IsLetter));
  }
  if (IsMark(first) || (first.code_point == ' ' && more && IsMark(second))) {
    const size_t marks = RunEnd(text, IsMark(first) ? 0 : 1, IsMark);
    return Take(RunEnd(text, marks, IsNewline));
  }
  const Blanks blanks = ReadBlanks(text);
  return Take(blanks.newlines > 0 ? blanks.newlines : BlankLength(blanks, text.size()));
}

/// \p{N}
std::ptrdiff_t OneNumber(std::string_view text) {
  const Character c = CharacterAt(text, 0);
  return IsNumber(c) ? Take(c.bytes) : Skip(c);
}

/// [\r\n]
std::ptrdiff_t OneNewline(std::string_view text) {
  const Character c = CharacterAt(text, 0);
  return IsNewline(c) ? Take(c.bytes) : Skip(c);
}

/// \s?[class]+
template <typename Belongs>
std::ptrdiff_t RunBehindBlank(std::string_view text, Belongs belongs) {
  const Character first = CharacterAt(text, 0);
  if (IsSpace(first) && first.bytes < text.size()) {
    const size_t end = RunEnd(text, first.bytes, belongs);
    if (end > first.bytes) return Take(end);
  }
  return belongs(first) ? Take(RunEnd(text, 0, belongs)) : Skip(first);
}

std::ptrdiff_t LettersBehindBlank(std::string_view text) { return RunBehindBlank(text, IsLetter); }

std::ptrdiff_t CasedLettersBehindBlank(std::string_view text) {
  return RunBehindBlank(text, [](const Character& c) { return IsCasedLetter(c.code_point); });
}

std::ptrdiff_t PunctuationBehindBlank(std::string_view text) {
  return RunBehindBlank(text, [](const Character& c) { return c.Is(CharClass::kPunctuation); });
}

/// [!-/:-~ U+FF01-U+FF0F U+FF1A-U+FF5E U+2018-U+201F U+3000-U+3002]: the second range holds the
/// Latin letters too.
bool IsDeepSeekMark(const Character& c) {
  const int32_t p = c.code_point;
  return (p >= '!' && p <= '/') || (p >= ':' && p <= '~') || (p >= 0xff01 && p <= 0xff0f) ||
         (p >= 0xff1a && p <= 0xff5e) || (p >= 0x2018 && p <= 0x201f) ||
         (p >= 0x3000 && p <= 0x3002);
}

std::ptrdiff_t DeepSeekMarksBehindBlank(std::string_view text) {
  return RunBehindBlank(text, IsDeepSeekMark);
}

/// \s+$
std::ptrdiff_t BlanksAtTheEnd(std::string_view text) {
  const size_t end = RunEnd(text, 0, IsSpace);
  if (end == 0) return Skip(CharacterAt(text, 0));
  return end == text.size() ? Take(end) : -Take(end);
}

std::ptrdiff_t EastAsianRun(std::string_view text) {
  const auto belongs = [](const Character& c) {
    return (c.code_point >= 0x0800 && c.code_point <= 0x9fa5) ||
           (c.code_point >= 0xac00 && c.code_point <= 0xd7ff);
  };
  const Character first = CharacterAt(text, 0);
  return belongs(first) ? Take(RunEnd(text, 0, belongs)) : Skip(first);
}

/// [\p{P}$+<=>^~|`]+
std::ptrdiff_t FalconMarks(std::string_view text) {
  const auto belongs = [](const Character& c) {
    constexpr std::string_view kSymbols = "$+<=>^~|`";
    return c.Is(CharClass::kPunctuation) ||
           (c.code_point > 0 && c.code_point < 128 &&
            kSymbols.find(static_cast<char>(c.code_point)) != std::string_view::npos);
  };
  const Character first = CharacterAt(text, 0);
  return belongs(first) ? Take(RunEnd(text, 0, belongs)) : Skip(first);
}

bool IsPunctuation(const Character& c) {
  return c.code_point >= 0 && IsBertPunctuation(c.code_point);
}

std::ptrdiff_t OnePunctuation(std::string_view text) {
  const Character first = CharacterAt(text, 0);
  return IsPunctuation(first) ? Take(first.bytes) : Skip(first);
}

std::ptrdiff_t PunctuationRun(std::string_view text) {
  const Character first = CharacterAt(text, 0);
  return IsPunctuation(first) ? Take(RunEnd(text, 0, IsPunctuation)) : Skip(first);
}

/// \p{N}+
std::ptrdiff_t NumberRun(std::string_view text) {
  const Character first = CharacterAt(text, 0);
  return IsNumber(first) ? Take(RunEnd(text, 0, IsNumber)) : Skip(first);
}

/// The bytes whose character in the byte alphabet is of category N: U+00B2, B3, B9, BC to BE stand
/// for themselves.
std::ptrdiff_t NumberRunOfBytes(std::string_view text) {
  constexpr std::string_view kNumbers = "0123456789\xb2\xb3\xb9\xbc\xbd\xbe";
  const size_t end = std::min(text.find_first_not_of(kNumbers), text.size());
  return end > 0 ? Take(end) : -1;
}

/// [0-9][0-9][0-9]
std::ptrdiff_t ThreeDigits(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return text.size() >= 3 && std::all_of(text.begin(), text.begin() + 3, digit) ? 3 : -1;
}

constexpr std::array<SplitRule, 1> kGpt2Rules = {Gpt2Word};
constexpr std::array<SplitRule, 2> kStarcoderRules = {OneNumber, Gpt2Word};
constexpr std::array<SplitRule, 3> kFalconRules = {FalconMarks, Gpt2Word, ThreeDigits};
constexpr std::array<SplitRule, 1> kLlama3Rules = {Llama3Word<3>};
constexpr std::array<SplitRule, 1> kQwen2Rules = {Llama3Word<1>};
constexpr std::array<SplitRule, 6> kDeepSeekLlmRules = {
    OneNewline, CasedLettersBehindBlank, DeepSeekMarksBehindBlank, BlanksAtTheEnd, EastAsianRun,
    OneNumber};
constexpr std::array<SplitRule, 5> kDeepSeekCoderRules = {
    OneNewline, LettersBehindBlank, PunctuationBehindBlank, EastAsianRun, OneNumber};

struct Name {
  std::string_view name;
  PreTokenizerTraits traits;
};
constexpr std::array<Name, 16> kNames = {{
    {"gpt-2", {PreTokenizer::kGpt2}},
    {"phi-2", {PreTokenizer::kGpt2}},
    {"mpt", {.rules = PreTokenizer::kGpt2, .nfc = true}},
    {"olmo", {.rules = PreTokenizer::kGpt2, .nfc = true}},
    {"starcoder", {PreTokenizer::kStarcoder}},
    {"refact", {PreTokenizer::kStarcoder}},
    {"smollm", {PreTokenizer::kStarcoder}},
    {"command-r", {.rules = PreTokenizer::kStarcoder, .nfc = true}},
    {"falcon", {PreTokenizer::kFalcon}},
    {"llama-bpe", {.rules = PreTokenizer::kLlama3, .whole_words_first = true, .adds_bos = true}},
    {"llama3", {.rules = PreTokenizer::kLlama3, .whole_words_first = true, .adds_bos = true}},
    {"smaug-bpe", {PreTokenizer::kLlama3}},
    {"qwen2", {.rules = PreTokenizer::kQwen2, .nfc = true}},
    {"deepseek-r1-qwen", {.rules = PreTokenizer::kQwen2, .nfc = true}},
    {"deepseek-llm", {PreTokenizer::kDeepSeekLlm}},
    {"deepseek-coder", {PreTokenizer::kDeepSeekCoder}},
}};

}  // namespace

std::optional<PreTokenizerTraits> FindPreTokenizer(std::string_view name) {
  for (const Name& known : kNames) {
    if (known.name == name) return known.traits;
  }
  return std::nullopt;
}

std::optional<std::string_view> FindPreTokenizerName(std::span<const SplitRule> rules, bool nfc,
                                                     bool whole_words_first) {
  for (const auto& [name, traits] : kNames) {
    if (traits.nfc == nfc && traits.whole_words_first == whole_words_first &&
        std::ranges::equal(SplitRules(traits.rules), rules)) {
      return name;
    }
  }
  return std::nullopt;
}

std::string PreTokenizerNames() {
  std::string names;
  for (const Name& known : kNames) {
    if (!names.empty()) names += ", ";
    names += known.name;
  }
  return names;
}

std::optional<SplitRegex> FindSplitRegex(std::string_view regex) {
  struct Known {
    std::string_view regex;
    SplitRegex found;
  };
  static constexpr std::array<Known, 11> kKnown = {{
      {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
       {Gpt2Word, true}},
      {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
       {Llama3Word<3>, true}},
      {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
       {Llama3Word<1>, true}},
      {"[\r\n]", {OneNewline, false}},
      {R"([\r\n])", {OneNewline, false}},
      {R"(\s?\p{L}+)", {LettersBehindBlank, false}},
      {R"(\s?\p{P}+)", {PunctuationBehindBlank, false}},
      {R"(\s+$)", {BlanksAtTheEnd, false}},
      {R"(\p{N})", {OneNumber, false}},
      {"[一-龥ࠀ-一가-퟿]+", {EastAsianRun, false}},
      {"[0-9][0-9][0-9]", {ThreeDigits, false}},
  }};
  for (const Known& known : kKnown) {
    if (known.regex == regex) return known.found;
  }
  return std::nullopt;
}

SplitRule NumbersRule(bool individually) { return individually ? OneNumber : NumberRun; }
SplitRule PunctuationRule(bool individually) {
  return individually ? OnePunctuation : PunctuationRun;
}
SplitRule NumbersOfByteAlphabetRule() { return NumberRunOfBytes; }

std::span<const SplitRule> SplitRules(PreTokenizer pre_tokenizer) {
  switch (pre_tokenizer) {
    case PreTokenizer::kGpt2:
      return kGpt2Rules;
    case PreTokenizer::kStarcoder:
      return kStarcoderRules;
    case PreTokenizer::kFalcon:
      return kFalconRules;
    case PreTokenizer::kLlama3:
      return kLlama3Rules;
    case PreTokenizer::kQwen2:
      return kQwen2Rules;
    case PreTokenizer::kDeepSeekLlm:
      return kDeepSeekLlmRules;
    case PreTokenizer::kDeepSeekCoder:
      return kDeepSeekCoderRules;
  }
  return {};
}

}  // namespace emptor::engine
