// A small state machine that takes one character at a time.
#include "services/grounding/answer_lexer.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "catalog/encoding/utf8.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxWord = 96;
constexpr size_t kMaxReference = 80;
constexpr size_t kMaxTag = 256;

constexpr std::array<std::string_view, kDropRules> kRuleNames = {
    "none", "money", "stock", "rating", "number", "name", "reference", "link", "markup"};

constexpr std::array<std::string_view, 11> kSchemes = {"http",     "https", "javascript", "data",
                                                       "mailto",   "ftp",   "file",       "tel",
                                                       "vbscript", "blob",  "ws"};

constexpr std::array<std::string_view, 34> kTopDomains = {
    "com", "net", "org",  "io",      "shop", "store",  "biz",  "info", "dev",
    "app", "xyz", "site", "top",     "club", "online", "live", "ai",   "uk",
    "de",  "cn",  "ru",   "fr",      "jp",   "eu",     "tk",   "gg",   "ly",
    "cc",  "tv",  "evil", "example", "test", "local",  "onion"};

bool IsIdeograph(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
}

bool IsWordCharacter(char32_t c) {
  if (c < 0x80) return std::isalnum(static_cast<int>(c)) != 0;
  const auto category = u_charType(static_cast<UChar32>(c));
  const bool is_mark = category == U_NON_SPACING_MARK || category == U_COMBINING_SPACING_MARK;
  return (is_mark || u_isalnum(static_cast<UChar32>(c))) && !IsIdeograph(c);
}

bool IsDigit(char32_t c) { return c >= '0' && c <= '9'; }

bool HasDigit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

void AppendUtf8(char32_t c, std::string& out) {
  icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(out);
}

std::string Utf8(char32_t c) {
  std::string text;
  AppendUtf8(c, text);
  return text;
}

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <size_t N>
bool Contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool IsTerminal(char32_t c) {
  return c == '.' || c == '!' || c == '?' || c == 0x3002 || c == 0xFF01 || c == 0xFF1F ||
         c == 0x2026;
}

bool IsStar(char32_t c) { return (c >= 0x2605 && c <= 0x2606) || c == 0x2B50 || c == 0x1F31F; }

/// "evil.com", "shop.example's": a name with a known ending counts as an address.
bool LooksLikeDomain(const std::string& word) {
  const std::string lower = Lower(word);
  if (lower.rfind("www.", 0) == 0) return true;
  for (size_t dot = lower.find('.'); dot != std::string::npos; dot = lower.find('.', dot + 1)) {
    size_t end = dot + 1;
    while (end < lower.size() && std::isalpha(static_cast<unsigned char>(lower[end])) != 0) ++end;
    const std::string_view label = std::string_view(lower).substr(dot + 1, end - dot - 1);
    if (dot > 0 && Contains(kTopDomains, label)) return true;
  }
  return false;
}

/// Invisible, private or unassigned: never shown, ignored in decisions.
bool IsInvisible(char32_t c) {
  if (c == 0x2122 || c == 0xAE || c == 0xA9) return true;  // trade marks: never part of a name
  const auto category = u_charType(static_cast<UChar32>(c));
  return category == U_CONTROL_CHAR || category == U_FORMAT_CHAR || category == U_SURROGATE ||
         category == U_UNASSIGNED || category == U_PRIVATE_USE_CHAR ||
         u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

/// True for characters whose plain form matters to a decision: digits and letters in compatibility
/// forms, currency signs, wide brackets.
bool WearsCostume(char32_t c) {
  const auto category = u_charType(static_cast<UChar32>(c));
  if (category == U_OTHER_NUMBER || category == U_LETTER_NUMBER || category == U_CURRENCY_SYMBOL ||
      category == U_OTHER_SYMBOL) {
    return true;
  }
  const bool is_wide_mark = c == 0xFF3B || c == 0xFF3D || c == 0xFF1C || c == 0xFF1E ||
                            c == 0xFF05 || c == 0xFF0F || c == 0xFF20 || c == 0xFE6A;
  return is_wide_mark || (u_isalpha(static_cast<UChar32>(c)) && !IsIdeograph(c));
}

std::u32string Plain(char32_t c) {
  const int digit = u_charDigitValue(static_cast<UChar32>(c));
  if (digit >= 0) return {static_cast<char32_t>('0' + digit)};
  if (!WearsCostume(c)) return {c};
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(error);
  if (U_FAILURE(error)) return {c};
  const auto text = nfkc->normalize(icu::UnicodeString(static_cast<UChar32>(c)), error);
  std::u32string result;
  for (int32_t i = 0; U_SUCCESS(error) && i < text.length(); i = text.moveIndex32(i, 1)) {
    result += static_cast<char32_t>(text.char32At(i));
  }
  return result.empty() ? std::u32string{c} : result;
}

/// True if `text`, the inside of a bracket so far, can still become a reference.
bool MayBeReference(std::string_view text) {
  if (text.size() > kMaxReference) return false;
  if (text[0] == 'q' || text[0] == 'b') {
    constexpr std::array<std::string_view, 3> kWhole = {"q:budget", "best:price", "best:rating"};
    return std::any_of(kWhole.begin(), kWhole.end(), [&](std::string_view whole) {
      return whole.substr(0, text.size()) == text;
    });
  }
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 2) return false;
  if (digits == text.size()) return true;
  if (text[digits] == ',') return text.find_first_not_of("0123456789, ") == std::string_view::npos;
  if (text[digits] != ':') return false;
  const std::string_view field = text.substr(digits + 1);
  if (field.substr(0, 5) == "attr.") return true;
  return field.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.") == std::string_view::npos &&
         field.size() <= 16;
}

}  // namespace

std::string_view ToString(DropRule rule) { return kRuleNames[static_cast<size_t>(rule)]; }

std::vector<Span> AnswerLexer::Push(std::string_view text) {
  const std::string joined = partial_ + std::string(text);
  partial_.clear();
  size_t i = 0;
  while (i < joined.size()) {
    const std::string_view rest = std::string_view(joined).substr(i);
    const auto point = catalog::DecodeUtf8(rest);
    if (point.bytes == 0) {
      const auto lead = static_cast<unsigned char>(rest[0]);
      const size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
      if (rest.size() < want) {
        partial_ = std::string(rest);
        break;
      }
      ++i;
      continue;
    }
    Feed(point.value);
    i += point.bytes;
  }
  return std::exchange(spans_, {});
}

std::vector<Span> AnswerLexer::Finish() {
  partial_.clear();
  switch (state_) {
    case State::kJoint:
      EndWord();
      InText(joint_);
      break;
    case State::kWord:
    case State::kLineNumber:
      EndWord();
      break;
    case State::kReference:
      Drop(DropRule::kReference);
      break;
    case State::kAddress:
      Drop(DropRule::kLink);
      break;
    case State::kText:
    case State::kAngle:
    case State::kTag:
    case State::kLineMark:
      break;
  }
  state_ = State::kText;
  held_.clear();
  return std::exchange(spans_, {});
}

void AnswerLexer::Feed(char32_t c) {
  if (c == '\r') return;
  if (c == '\t' || (c != '\n' && u_isUWhiteSpace(static_cast<UChar32>(c)))) c = ' ';
  if (c != '\n' && IsInvisible(c)) return;
  if (c < 0x80) return FeedPlain(c);
  for (const char32_t plain : Plain(c)) FeedPlain(plain);
}

void AnswerLexer::FeedPlain(char32_t c) {
  switch (state_) {
    case State::kText:
      return InText(c);
    case State::kWord:
      return InWord(c);
    case State::kJoint:
      return InJoint(c);
    case State::kReference:
      return InReference(c);
    case State::kLineNumber:
      return InLineNumber(c);
    case State::kLineMark:
      return InLineMark(c);
    case State::kAngle:
    case State::kTag:
      return InTag(c);
    case State::kAddress:
      if (c != ' ' && c != '\n') return;
      Drop(DropRule::kLink);
      state_ = State::kText;
      return InText(c);
  }
}

void AnswerLexer::InText(char32_t c) {
  const char32_t before = std::exchange(previous_, c);
  if (c == '[') {
    held_.clear();
    state_ = State::kReference;
  } else if (c == '<') {
    held_.clear();
    state_ = State::kAngle;
  } else if (c == '/' && before == '/') {
    state_ = State::kAddress;
  } else if (c == '\n') {
    Emit(SpanKind::kNewline, "\n");
  } else if (c == ' ') {
    const bool was_line_start = line_start_;
    Emit(SpanKind::kSpace, " ");
    line_start_ = was_line_start;
  } else if (line_start_ && (c == '-' || c == '*' || c == 0x2022)) {
    joint_ = c;
    state_ = State::kLineMark;
  } else if (c == '*' || c == '`' || c == '#' || c == '\\' || c == '>' || c == ']') {
    if (c == ']' || c == '>') Drop(DropRule::kMarkup);
  } else if (u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL) {
    Emit(SpanKind::kCurrency, Utf8(c));
  } else if (IsStar(c)) {
    Emit(SpanKind::kStar, Utf8(c));
  } else if (IsIdeograph(c)) {
    Emit(SpanKind::kIdeograph, Utf8(c));
  } else if (IsWordCharacter(c)) {
    held_.clear();
    state_ = line_start_ && IsDigit(c) ? State::kLineNumber : State::kWord;
    AppendUtf8(c, held_);
  } else {
    Emit(IsTerminal(c) ? SpanKind::kTerminal : SpanKind::kPunctuation, Utf8(c));
  }
}

/// A dash or star at the beginning of a line is a list mark when a blank follows.
void AnswerLexer::InLineMark(char32_t c) {
  state_ = State::kText;
  if (c == ' ') return Emit(SpanKind::kBullet, "- ");
  if (joint_ != '*') Emit(SpanKind::kPunctuation, Utf8(joint_));
  InText(c);
}

/// Digits at the beginning of a line are a list number when ". " or ") " follows.
void AnswerLexer::InLineNumber(char32_t c) {
  const bool has_mark = held_.back() == '.' || held_.back() == ')';
  if (!has_mark && held_.size() < 3 && (IsDigit(c) || c == '.' || c == ')')) {
    AppendUtf8(c, held_);
  } else if (has_mark && c == ' ') {
    state_ = State::kText;
    Emit(SpanKind::kBullet, std::exchange(held_, {}) + " ");
  } else {
    const std::string held = std::exchange(held_, {});
    line_start_ = false;
    state_ = State::kText;
    for (const char digit : held) FeedPlain(static_cast<char32_t>(digit));
    FeedPlain(c);
  }
}

void AnswerLexer::InWord(char32_t c) {
  const char last = held_.back();
  if (held_.size() < kMaxWord && IsWordCharacter(c)) {
    AppendUtf8(c, held_);
  } else if (c == '%' && last >= '0' && last <= '9') {
    held_ += '%';
  } else if (c == '@') {
    held_.clear();
    state_ = State::kAddress;
  } else if (c == '-' || c == '\'' || c == 0x2019 || c == '.' || c == ',' || c == ':' || c == '/' ||
             c == '_' || c == '&' || c == 0x2010 || c == 0x2011) {
    joint_ = c;
    state_ = State::kJoint;
  } else {
    EndWord();
    InText(c);
  }
}

void AnswerLexer::InJoint(char32_t c) {
  const bool between_digits = IsDigit(static_cast<unsigned char>(held_.back())) && IsDigit(c);
  const bool in_word = IsWordCharacter(c);
  bool joins = in_word;
  if (joint_ == ',' || joint_ == ':' || joint_ == '/') joins = between_digits;
  const bool is_scheme = joint_ == ':' && c != ' ' && c != '\n' && Contains(kSchemes, Lower(held_));
  const bool is_path = joint_ == '/' && LooksLikeDomain(held_);
  if (is_scheme || is_path || c == '@') {
    held_.clear();
    state_ = State::kAddress;
  } else if (joins && held_.size() < kMaxWord) {
    AppendUtf8(joint_, held_);
    AppendUtf8(c, held_);
    state_ = State::kWord;
  } else {
    EndWord();
    InText(joint_);
    FeedPlain(c);
  }
}

void AnswerLexer::InReference(char32_t c) {
  if (c == ']') {
    state_ = State::kText;
    if (!EmitReferences()) Drop(DropRule::kReference);
    return;
  }
  if (c == '[') {
    Drop(DropRule::kReference);
    held_.clear();
    return;
  }
  if (c != '\n') {
    AppendUtf8(c, held_);
    if (MayBeReference(held_)) return;
    held_.resize(held_.size() - Utf8(c).size());
  }
  state_ = State::kText;
  Drop(DropRule::kReference);
  InText(c);
}

/// Returns well-formed references even if no such fact exists: the hydrator checks.
bool AnswerLexer::EmitReferences() {
  const std::string text = std::exchange(held_, {});
  const size_t colon = text.find(':');
  Reference reference;
  if (colon != std::string::npos) reference.field = text.substr(colon + 1);
  if (reference.field.rfind("attr.", 0) == 0) {
    reference.attribute = reference.field.substr(5);
    reference.field = "attr";
  }
  if (colon != std::string::npos && reference.field.empty()) return false;
  if (text[0] == 'q' || text[0] == 'b') {
    if (text[0] == 'b') reference.field = "best";
    EmitReference(reference);
    return true;
  }
  bool any = false;
  for (size_t i = 0; i < std::min(colon, text.size());) {
    const size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
    if (end > i && end - i <= 2) {
      reference.source = std::stoi(text.substr(i, end - i));
      EmitReference(reference);
      any = true;
    }
    i = end + 1;
  }
  return any;
}

void AnswerLexer::EmitReference(const Reference& reference) {
  Emit(SpanKind::kReference, "");
  spans_.back().reference = reference;
}

/// `<` is never shown. A tag is dropped with its content; one that does not end, up to the limit.
void AnswerLexer::InTag(char32_t c) {
  if (state_ == State::kAngle) {
    const bool is_tag = c == '/' || c == '!' || c == '?' || c == '|' ||
                        (c < 0x80 && std::isalpha(static_cast<int>(c)) != 0);
    state_ = is_tag ? State::kTag : State::kText;
    Drop(DropRule::kMarkup);
    if (!is_tag) InText(c);
    return;
  }
  AppendUtf8(c, held_);
  if (c != '>' && c != '\n' && held_.size() < kMaxTag) return;
  state_ = State::kText;
  held_.clear();
  if (c == '\n') InText(c);
}

void AnswerLexer::EndWord() {
  state_ = State::kText;
  std::string word = std::exchange(held_, {});
  if (LooksLikeDomain(word)) return Drop(DropRule::kLink);
  const SpanKind kind = HasDigit(word) ? SpanKind::kNumber : SpanKind::kWord;
  Emit(kind, std::move(word));
}

void AnswerLexer::Emit(SpanKind kind, std::string text) {
  line_start_ = kind == SpanKind::kNewline;
  spans_.push_back({kind, std::move(text), {}, DropRule::kNone});
}

void AnswerLexer::Drop(DropRule rule) { spans_.push_back({SpanKind::kDropped, "", {}, rule}); }

}  // namespace emptor::services
