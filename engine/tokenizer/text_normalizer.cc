// The steps, each a pass over the text.
#include "engine/tokenizer/text_normalizer.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "engine/tokenizer/unicode_class.h"
#include "unicode/brkiter.h"
#include "unicode/uchar.h"
#include "unicode/utext.h"

namespace emptor::engine {
namespace {

using Kind = NormalizerStep::Kind;

/// Longer graphemes are looked up character by character, as the reference does.
constexpr size_t kMaxGraphemeBytes = 5;

/// Calls on_character(code point or -1, its bytes, out) for each character.
template <typename OnCharacter>
std::string MapCharacters(std::string_view text, OnCharacter on_character) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = CodePointAt(text, at);
    on_character(c.value, text.substr(at, c.bytes), out);
    at += c.bytes;
  }
  return out;
}

/// The text without the characters that `drops` takes.
template <typename Drops>
std::string DropCharacters(std::string_view text, Drops drops) {
  if (IsAscii(text)) return std::string(text);
  return MapCharacters(text, [&](int32_t c, std::string_view bytes, std::string& out) {
    if (c < 128 || !drops(c)) out += bytes;
  });
}

bool IsNonspacing(int32_t c) {
  // Characters that are marks now but were letters then, and one that is spacing now.
  if (c == 0x1734) return true;
  if (c == 0x1885 || c == 0x1886 || c == 0xa9bd || c == 0x111c9) return false;
  return (U_MASK(u_charType(c)) & U_GC_MN_MASK) != 0 && IsOfUnicode(c, 8);
}

bool IsMark(int32_t c) { return (U_MASK(u_charType(c)) & U_GC_M_MASK) != 0 && IsOfUnicode(c, 9); }

/// What BERT's cleaning drops.
bool IsDropped(int32_t c) {
  if (c == 0 || c == 0xfffd) return true;
  if (c < 0 || c == '\t' || c == '\n' || c == '\r') return false;
  const uint32_t category = U_MASK(u_charType(c));
  if ((category & (U_GC_CC_MASK | U_GC_CO_MASK)) != 0) return true;
  return (category & U_GC_CF_MASK) != 0 && IsOfUnicode(c, 8);
}

bool IsBlank(int32_t c) { return c >= 0 && u_isUWhiteSpace(c) != 0; }

void CleanCharacter(int32_t c, std::string_view bytes, std::string& out) {
  if (c >= ' ' && c < 127) {
    out += static_cast<char>(c);
  } else if (!IsDropped(c)) {
    out += IsBlank(c) ? std::string_view(" ") : bytes;
  }
}

bool IsIdeograph(int32_t c) {
  constexpr std::array<std::pair<int32_t, int32_t>, 7> kRanges = {{{0x3400, 0x4dbf},
                                                                   {0x4e00, 0x9fff},
                                                                   {0xf900, 0xfaff},
                                                                   {0x20000, 0x2a6df},
                                                                   {0x2a700, 0x2b81f},
                                                                   {0x2b920, 0x2ceaf},
                                                                   {0x2f800, 0x2fa1f}}};
  for (const auto& [first, last] : kRanges) {
    if (c >= first && c <= last) return true;
  }
  return false;
}

std::string SpaceIdeographs(std::string_view text) {
  if (IsAscii(text)) return std::string(text);
  return MapCharacters(text, [](int32_t c, std::string_view bytes, std::string& out) {
    const bool ideograph = IsIdeograph(c);
    if (ideograph) out += ' ';
    out += bytes;
    if (ideograph) out += ' ';
  });
}

std::string Lowercase(std::string_view text) {
  return MapCharacters(text, [](int32_t c, std::string_view bytes, std::string& out) {
    if (c < 0) {
      out += bytes;
    } else if (c < 128) {
      out += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    } else if (c == 0x130) {
      out += "i\xcc\x87";  // the one letter whose small form is two characters
    } else {
      AppendUtf8(u_tolower(c), out);
    }
  });
}

std::string_view StripLeft(std::string_view text) {
  while (!text.empty()) {
    const CodePoint c = CodePointAt(text, 0);
    if (!IsBlank(c.value)) break;
    text.remove_prefix(c.bytes);
  }
  return text;
}

std::string_view StripRight(std::string_view text) {
  size_t end = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint c = CodePointAt(text, at);
    at += c.bytes;
    if (!IsBlank(c.value)) end = at;
  }
  return text.substr(0, end);
}

std::string Replace(std::string_view text, std::string_view what, std::string_view with) {
  std::string out;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
    out += text.substr(0, at);
    out += with;
    text.remove_prefix(at + what.size());
  }
  out += text;
  return out;
}

std::string ReplaceBlankRuns(std::string_view text, std::string_view with) {
  std::string out;
  while (!text.empty()) {
    const size_t run = std::min(text.find_first_not_of(' '), text.size());
    if (run >= 2) out += with;
    if (run == 1) out += ' ';
    text.remove_prefix(run);
    const size_t word = std::min(text.find(' '), text.size());
    out += text.substr(0, word);
    text.remove_prefix(word);
  }
  return out;
}

/// Whether a grapheme surely ends between two bytes.
bool SurelyEnds(char left, char right) {
  return static_cast<uint8_t>(left) < 128 && static_cast<uint8_t>(right) < 128 &&
         !(left == '\r' && right == '\n');
}

void MapGrapheme(const Charsmap& map, std::string_view grapheme, std::string& out) {
  if (grapheme.size() <= kMaxGraphemeBytes) {
    if (const auto match = map.FindShortest(grapheme)) {
      out += match->replacement;
      return;
    }
  }
  for (size_t at = 0; at < grapheme.size();) {
    const CodePoint c = CodePointAt(grapheme, at);
    const std::string_view character = grapheme.substr(at, c.bytes);
    const auto match = map.FindShortest(character);
    out += match ? match->replacement : character;
    at += c.bytes;
  }
}

/// Cuts text into graphemes; one object for a text, since it is costly to make.
class GraphemeCutter {
 public:
  template <typename OnGrapheme>
  void ForEach(std::string_view text, OnGrapheme on_grapheme) {
    UErrorCode error = U_ZERO_ERROR;
    if (!breaks_) {
      breaks_.reset(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), error));
    }
    UText* opened = utext_openUTF8(nullptr, text.data(), static_cast<int64_t>(text.size()), &error);
    if (U_SUCCESS(error)) breaks_->setText(opened, error);
    if (U_FAILURE(error)) {
      on_grapheme(text);
    } else {
      int32_t begin = breaks_->first();
      for (int32_t end = breaks_->next(); end != icu::BreakIterator::DONE; end = breaks_->next()) {
        on_grapheme(text.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin)));
        begin = end;
      }
    }
    utext_close(opened);
  }

 private:
  std::unique_ptr<icu::BreakIterator> breaks_;
};

/// The reference looks up graphemes, by the shortest source text that each begins with.
std::string ApplyCharsmap(const Charsmap& map, std::string_view text) {
  // ICU counts in 32 bits; a stretch of this length is no language's text.
  constexpr size_t kMaxStretch = size_t{1} << 30;
  std::string out;
  out.reserve(text.size());
  GraphemeCutter cutter;
  while (!text.empty()) {
    size_t end = 1;
    while (end < text.size() && !SurelyEnds(text[end - 1], text[end])) ++end;
    const std::string_view stretch = text.substr(0, end);
    if (end == 1 || end > kMaxStretch) {
      MapGrapheme(map, stretch, out);
    } else {
      cutter.ForEach(stretch, [&](std::string_view one) { MapGrapheme(map, one, out); });
    }
    text.remove_prefix(end);
  }
  return out;
}

/// How many times as long a step may make a text, Unicode's own forms aside.
double Growth(const NormalizerStep& rule, const Charsmap& map) {
  const auto with = static_cast<double>(rule.with.size());
  switch (rule.kind) {
    case Kind::kSpaceIdeographs:
      return 2;
    case Kind::kPrepend:
      return 1 + with;
    case Kind::kReplace:
      return std::max(1.0, with / static_cast<double>(rule.what.size()));
    case Kind::kReplaceBlanks:
      return std::max(1.0, with / 2);
    case Kind::kPrecompiledCharsmap:
      return std::max(1.0, static_cast<double>(map.longest_replacement()));
    default:
      return 1;
  }
}

}  // namespace

absl::StatusOr<TextNormalizer> TextNormalizer::Create(std::vector<NormalizerStep> steps) {
  // The steps of real models come to a hundred or less.
  constexpr double kMaxGrowth = 1000;
  TextNormalizer normalizer;
  double growth = 1;
  for (NormalizerStep& rule : steps) {
    if (rule.kind == Kind::kReplace && rule.what.empty()) {
      return absl::InvalidArgumentError("normalizer: replaces an empty text");
    }
    Step& step = normalizer.steps_.emplace_back();
    if (rule.kind == Kind::kPrecompiledCharsmap && !rule.what.empty()) {
      absl::StatusOr<Charsmap> map = Charsmap::Create(rule.what);
      if (!map.ok()) {
        return absl::InvalidArgumentError("normalizer: precompiled_charsmap: " +
                                          std::string(map.status().message()));
      }
      step.map = std::move(*map);
      rule.what.clear();
    }
    growth *= Growth(rule, step.map);
    if (growth > kMaxGrowth) {
      return absl::InvalidArgumentError(
          "normalizer: its steps may make a text more than 1000 times as long");
    }
    step.rule = std::move(rule);
  }
  return normalizer;
}

std::string TextNormalizer::Apply(const Step& step, std::string_view text) {
  const NormalizerStep& rule = step.rule;
  switch (rule.kind) {
    case Kind::kNfc:
      return NormalizeUnicode(UnicodeForm::kNfc, text);
    case Kind::kNfd:
      return NormalizeUnicode(UnicodeForm::kNfd, text);
    case Kind::kNfkc:
      return NormalizeUnicode(UnicodeForm::kNfkc, text);
    case Kind::kNfkd:
      return NormalizeUnicode(UnicodeForm::kNfkd, text);
    case Kind::kLowercase:
      return Lowercase(text);
    case Kind::kClean:
      return MapCharacters(text, CleanCharacter);
    case Kind::kSpaceIdeographs:
      return SpaceIdeographs(text);
    case Kind::kStripNonspacing:
      return DropCharacters(text, IsNonspacing);
    case Kind::kStripMarks:
      return DropCharacters(text, IsMark);
    case Kind::kStripLeft:
      return std::string(StripLeft(text));
    case Kind::kStripRight:
      return std::string(StripRight(text));
    case Kind::kPrepend:
      return text.empty() ? std::string() : rule.with + std::string(text);
    case Kind::kReplace:
      return Replace(text, rule.what, rule.with);
    case Kind::kReplaceBlanks:
      return ReplaceBlankRuns(text, rule.with);
    case Kind::kPrecompiledCharsmap:
      return ApplyCharsmap(step.map, text);
  }
  return std::string(text);
}

std::string TextNormalizer::Normalize(std::string_view text) const {
  std::string out(text);
  for (const Step& step : steps_) out = Apply(step, out);
  return out;
}

std::vector<NormalizerStep> BertNormalizerSteps(const BertTextRules& rules) {
  std::vector<NormalizerStep> steps;
  if (rules.clean) steps.push_back({.kind = Kind::kClean});
  if (rules.space_ideographs) steps.push_back({.kind = Kind::kSpaceIdeographs});
  if (rules.strip_accents) {
    steps.push_back({.kind = Kind::kNfd});
    steps.push_back({.kind = Kind::kStripNonspacing});
  }
  if (rules.lowercase) steps.push_back({.kind = Kind::kLowercase});
  return steps;
}

}  // namespace emptor::engine
