// Strings, numbers and free values.
#include "engine/structure/json_rules.h"

#include <algorithm>
#include <cassert>

#include "engine/structure/code_points.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int64_t kLargest = 999'999'999'999'999'999;  // 18 digits
constexpr int kMaxIndent = 32;
constexpr int kMaxFraction = 15;

CodePointSet RawCharacters() {
  CodePointSet set;
  set.Add(0x20, CodePointSet::kLast);
  return set.Without('"', '"').Without('\\', '\\');
}

}  // namespace

std::string QuoteJson(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20) {
      const size_t known = std::string_view("\b\f\n\r\t").find(c);
      quoted += known == std::string_view::npos ? fmt::format("\\u{:04x}", byte)
                                                : fmt::format("\\{}", "bfnrt"[known]);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

NfaStateId JsonRules::Whitespace(NfaStateId next) {
  NfaStateId indent = next;
  for (int i = 0; i < kMaxIndent; ++i) {
    indent = builder_.Either(builder_.Byte(' ', indent), next);
  }
  const NfaStateId lines = builder_.Byte('\n', indent);
  return builder_.Either(next, builder_.Either(builder_.Byte(' ', next), lines));
}

NfaStateId JsonRules::OptionalBlank(NfaStateId next) {
  return builder_.Either(next, builder_.Byte(' ', next));
}

NfaStateId JsonRules::Character(bool every_escape, NfaStateId next) {
  const NfaStateId raw = AddUtf8(builder_, RawCharacters(), next);
  NfaStateId escape = -1;
  for (const char c : std::string_view("\"\\/bfnrt")) {
    escape = builder_.Either(escape, builder_.Byte(c, next));
  }
  if (every_escape) {
    const auto hex = [this](NfaStateId behind) {
      return builder_.Either(
          builder_.Range('0', '9', behind),
          builder_.Either(builder_.Range('a', 'f', behind), builder_.Range('A', 'F', behind)));
    };
    const NfaStateId two = hex(hex(next));
    const NfaStateId three = hex(two);
    // No surrogates: \ud800 to \udfff name no character.
    NfaStateId any = builder_.Either(
        builder_.Range('0', '9', three),
        builder_.Either(builder_.Range('a', 'c', three), builder_.Range('A', 'C', three)));
    any = builder_.Either(
        any, builder_.Either(builder_.Range('e', 'f', three), builder_.Range('E', 'F', three)));
    const NfaStateId low = builder_.Range('0', '7', two);
    any = builder_.Either(any, builder_.Either(builder_.Byte('d', low), builder_.Byte('D', low)));
    escape = builder_.Either(escape, builder_.Byte('u', any));
  }
  return builder_.Either(raw, builder_.Byte('\\', escape));
}

NfaStateId JsonRules::CountedString(int64_t low, std::optional<int64_t> high, NfaStateId next) {
  const NfaStateId close = builder_.Byte('"', next);
  NfaStateId at = close;
  if (!high) {
    const NfaStateId loop = builder_.OpenSplit();
    builder_.SetSplit(loop, Character(low == 0, loop), close);
    at = loop;
  }
  for (int64_t i = low; high && i < *high && !builder_.full(); ++i) {
    at = builder_.Either(Character(false, at), close);
  }
  for (int64_t i = 0; i < low && !builder_.full(); ++i) at = Character(false, at);
  return builder_.Byte('"', at);
}

/// Sorted names of begin..end share their first `depth` bytes, which have been written. What
/// follows leaves the tree of names for `loop`, or ends where none of them ends.
NfaStateId JsonRules::NameWithout(const std::vector<std::string>& names, size_t begin, size_t end,
                                  size_t depth, NfaStateId loop, NfaStateId close) {
  const CodePointSet raw = RawCharacters();
  NfaStateId any = names[begin].size() == depth ? -1 : close;
  CodePointSet rest = raw;
  for (size_t from = begin; from < end;) {
    if (names[from].size() == depth) {
      ++from;
      continue;
    }
    const auto byte = static_cast<uint8_t>(names[from][depth]);
    size_t to = from;
    while (to < end && static_cast<uint8_t>(names[to][depth]) == byte) ++to;
    if (byte >= 0x80) {
      // A name that continues with a non-ASCII byte: no other name does so here.
      rest = rest.Without(0x80, CodePointSet::kLast);
    } else {
      rest = rest.Without(byte, byte);
      if (raw.Contains(byte) && !builder_.full()) {
        const NfaStateId inner = NameWithout(names, from, to, depth + 1, loop, close);
        any = builder_.Either(any, builder_.Byte(static_cast<char>(byte), inner));
      }
    }
    from = to;
  }
  return builder_.Either(any, AddUtf8(builder_, rest, loop));
}

NfaStateId JsonRules::OtherName(std::vector<std::string> names, NfaStateId next) {
  if (names.empty()) return builder_.Call(String(), next);
  std::sort(names.begin(), names.end());
  const NfaStateId close = builder_.Byte('"', next);
  const NfaStateId loop = builder_.OpenSplit();
  builder_.SetSplit(loop, AddUtf8(builder_, RawCharacters(), loop), close);
  return builder_.Byte('"', NameWithout(names, 0, names.size(), 0, loop, close));
}

NfaStateId JsonRules::OneOfSorted(const std::vector<std::string>& texts, size_t begin, size_t end,
                                  size_t depth, NfaStateId next) {
  const std::string& first = texts[begin];
  const std::string& last = texts[end - 1];
  size_t common = depth;
  while (common < first.size() && common < last.size() && first[common] == last[common]) ++common;
  NfaStateId any = -1;
  size_t from = begin;
  if (first.size() == common) {
    any = next;
    while (from < end && texts[from].size() == common) ++from;
  }
  while (from < end && !builder_.full()) {
    size_t to = from;
    while (to < end && texts[to][common] == texts[from][common]) ++to;
    const NfaStateId inner = OneOfSorted(texts, from, to, common + 1, next);
    any = builder_.Either(any, builder_.Byte(texts[from][common], inner));
    from = to;
  }
  return builder_.Literal(std::string_view(first).substr(depth, common - depth), any);
}

NfaStateId JsonRules::OneOf(std::vector<std::string> texts, NfaStateId next) {
  if (texts.empty()) return -1;
  std::sort(texts.begin(), texts.end());
  return OneOfSorted(texts, 0, texts.size(), 0, next);
}

NfaStateId JsonRules::Digits(int low, int high, NfaStateId next) {
  NfaStateId at = next;
  for (int i = low; i < high; ++i) at = builder_.Either(builder_.Range('0', '9', at), next);
  for (int i = 0; i < low; ++i) at = builder_.Range('0', '9', at);
  return at;
}

/// Numbers of as many digits as both bounds have.
NfaStateId JsonRules::DigitRange(std::string_view low, std::string_view high, NfaStateId next) {
  assert(low.size() == high.size());
  const auto count = static_cast<int>(low.size());
  NfaStateId above = next, below = next, within = next;  // on low's edge, on high's, on both
  for (int i = count; i-- > 0;) {
    const auto at = static_cast<size_t>(i);
    const NfaStateId free = Digits(count - i - 1, count - i - 1, next);
    const auto edge = [&](char from, char to, NfaStateId on_low, NfaStateId on_high) {
      // Digits from..to: the first goes on along low's edge, the last along high's.
      NfaStateId any = builder_.Either(builder_.Byte(from, on_low), builder_.Byte(to, on_high));
      if (from + 1 < to) {
        any = builder_.Either(any, builder_.Range(static_cast<uint8_t>(from + 1),
                                                  static_cast<uint8_t>(to - 1), free));
      }
      return any;
    };
    const NfaStateId both = low[at] == high[at] ? builder_.Byte(low[at], within)
                                                : edge(low[at], high[at], above, below);
    above = low[at] == '9' ? builder_.Byte('9', above) : edge(low[at], '9', above, free);
    below = high[at] == '0' ? builder_.Byte('0', below) : edge('0', high[at], free, below);
    within = both;
  }
  return within;
}

NfaStateId JsonRules::NaturalRange(int64_t low, int64_t high, NfaStateId next) {
  NfaStateId any = -1;
  int64_t from = 0, to = 9;  // of the numbers of one length
  while (true) {
    const int64_t first = std::max(low, from), last = std::min(high, to);
    if (first <= last) {
      any =
          builder_.Either(any, DigitRange(fmt::format("{}", first), fmt::format("{}", last), next));
    }
    if (to >= kLargest) return any;
    from = to + 1;
    to = from * 10 - 1;
  }
}

NfaStateId JsonRules::Integer(std::optional<JsonBound> low, std::optional<JsonBound> high,
                              NfaStateId next) {
  int64_t from = std::max(low ? low->value : -kLargest, -kLargest);
  int64_t to = std::min(high ? high->value : kLargest, kLargest);
  if (low && low->exclusive && from == low->value) ++from;
  if (high && high->exclusive && to == high->value) --to;
  if (from > to) return -1;
  NfaStateId any = -1;
  if (to >= 0) any = NaturalRange(std::max<int64_t>(from, 0), to, next);
  if (from < 0) {
    const NfaStateId magnitude = NaturalRange(to < 0 ? -to : 1, -from, next);
    if (magnitude >= 0) any = builder_.Either(any, builder_.Byte('-', magnitude));
  }
  return any;
}

/// Numbers from low to high, both at least 0: an integer, or one with a fraction.
NfaStateId JsonRules::MagnitudeRange(JsonBound low, JsonBound high, NfaStateId next) {
  const NfaStateId fraction =
      builder_.Either(builder_.Byte('.', Digits(1, kMaxFraction, next)), next);
  NfaStateId any = -1;
  const int64_t first = low.value + (low.exclusive ? 1 : 0);
  if (first < high.value) any = NaturalRange(first, high.value - 1, fraction);
  if (low.exclusive && low.value < high.value) {
    // Its digits with a fraction other than zero.
    NfaStateId tail = builder_.Range('1', '9', next);
    for (int i = 1; i < kMaxFraction; ++i) {
      tail = builder_.Either(builder_.Range('1', '9', next), builder_.Range('0', '9', tail));
    }
    any = builder_.Either(any, NaturalRange(low.value, low.value, builder_.Byte('.', tail)));
  }
  const bool has_high = !high.exclusive && (low.value < high.value || !low.exclusive);
  if (has_high && low.value <= high.value) {
    any = builder_.Either(any, NaturalRange(high.value, high.value, next));
  }
  return any;
}

NfaStateId JsonRules::Number(std::optional<JsonBound> low, std::optional<JsonBound> high,
                             NfaStateId next) {
  if (!low && !high) {
    const NfaStateId digits = Digits(1, 2, next);
    const NfaStateId sign = builder_.Either(
        digits, builder_.Either(builder_.Byte('+', digits), builder_.Byte('-', digits)));
    const NfaStateId exponent =
        builder_.Either(next, builder_.Either(builder_.Byte('e', sign), builder_.Byte('E', sign)));
    const NfaStateId fraction =
        builder_.Either(exponent, builder_.Byte('.', Digits(1, kMaxFraction, exponent)));
    const NfaStateId whole =
        builder_.Either(builder_.Byte('0', fraction),
                        builder_.Range('1', '9', Digits(0, kMaxFraction - 1, fraction)));
    return builder_.Either(whole, builder_.Byte('-', whole));
  }
  constexpr int64_t kWhole = 999'999'999'999'999;
  const JsonBound from = low.value_or(JsonBound{-kWhole, false});
  const JsonBound to = high.value_or(JsonBound{kWhole, false});
  NfaStateId any = -1;
  if (to.value >= 0) any = MagnitudeRange(from.value >= 0 ? from : JsonBound{}, to, next);
  if (from.value < 0) {
    // Zero has no sign here.
    const JsonBound least = to.value < 0 ? JsonBound{-to.value, to.exclusive} : JsonBound{0, true};
    const NfaStateId magnitude = MagnitudeRange(least, {-from.value, from.exclusive}, next);
    if (magnitude >= 0) any = builder_.Either(any, builder_.Byte('-', magnitude));
  }
  return any;
}

NfaRuleId JsonRules::String() {
  if (!string_) {
    string_ = builder_.AddRule();
    builder_.SetRule(*string_, CountedString(0, std::nullopt, builder_.End()));
  }
  return *string_;
}

NfaStateId JsonRules::ObjectText(NfaStateId next) {
  const NfaStateId close = builder_.Byte('}', next);
  const NfaStateId more = builder_.OpenSplit();
  const NfaStateId value = builder_.Call(Value(), more);
  const NfaStateId name = builder_.Call(String(), builder_.Byte(':', OptionalBlank(value)));
  builder_.SetSplit(more, builder_.Byte(',', Whitespace(name)), Whitespace(close));
  return builder_.Byte('{', Whitespace(builder_.Either(name, close)));
}

NfaStateId JsonRules::ArrayText(NfaStateId next) {
  const NfaStateId close = builder_.Byte(']', next);
  const NfaStateId more = builder_.OpenSplit();
  const NfaStateId value = builder_.Call(Value(), more);
  builder_.SetSplit(more, builder_.Byte(',', Whitespace(value)), Whitespace(close));
  return builder_.Byte('[', Whitespace(builder_.Either(value, close)));
}

NfaRuleId JsonRules::Value() {
  if (!value_) {
    value_ = builder_.AddRule();
    const NfaStateId end = builder_.End();
    NfaStateId any = builder_.Call(Object(), end);
    any = builder_.Either(any, ArrayText(end));
    any = builder_.Either(any, builder_.Call(String(), end));
    any = builder_.Either(any, Number(std::nullopt, std::nullopt, end));
    any = builder_.Either(any, OneOf({"true", "false", "null"}, end));
    builder_.SetRule(*value_, any);
  }
  return *value_;
}

NfaRuleId JsonRules::Object() {
  if (!object_) {
    object_ = builder_.AddRule();
    builder_.SetRule(*object_, ObjectText(builder_.End()));
  }
  return *object_;
}

}  // namespace emptor::engine
