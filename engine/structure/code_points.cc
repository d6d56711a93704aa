// Interval arithmetic, and the cutting of intervals at the borders of UTF-8.
#include "engine/structure/code_points.h"

#include <algorithm>
#include <array>
#include <string>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr uint32_t kFirstSurrogate = 0xd800;
constexpr uint32_t kLastSurrogate = 0xdfff;

/// The UTF-8 bytes of a code point; gives their number.
int Encode(uint32_t point, std::array<uint8_t, 4>& bytes) {
  const auto tail = [point](int shift) {
    return static_cast<uint8_t>(0x80 | ((point >> shift) & 0x3f));
  };
  if (point < 0x80) {
    bytes[0] = static_cast<uint8_t>(point);
    return 1;
  }
  if (point < 0x800) {
    bytes = {static_cast<uint8_t>(0xc0 | point >> 6), tail(0)};
    return 2;
  }
  if (point < 0x10000) {
    bytes = {static_cast<uint8_t>(0xe0 | point >> 12), tail(6), tail(0)};
    return 3;
  }
  bytes = {static_cast<uint8_t>(0xf0 | point >> 18), tail(12), tail(6), tail(0)};
  return 4;
}

/// A range within one length, cut until its bytes vary independently of one another.
NfaStateId AddRange(NfaBuilder& builder, uint32_t low, uint32_t high, NfaStateId next) {
  for (const uint32_t last : {0x7fu, 0x7ffu, 0xffffu}) {
    if (low <= last && high > last) {
      const NfaStateId front = AddRange(builder, low, last, next);
      return builder.Either(front, AddRange(builder, last + 1, high, next));
    }
  }
  std::array<uint8_t, 4> from{}, to{};
  const int length = Encode(low, from);
  Encode(high, to);
  for (int i = 1; i < length; ++i) {
    const uint32_t mask = (uint32_t{1} << (6 * i)) - 1;
    if ((low & ~mask) == (high & ~mask)) continue;
    uint32_t cut = 0;
    if ((low & mask) != 0) {
      cut = low | mask;
    } else if ((high & mask) != mask) {
      cut = (high & ~mask) - 1;
    } else {
      continue;
    }
    const NfaStateId front = AddRange(builder, low, cut, next);
    return builder.Either(front, AddRange(builder, cut + 1, high, next));
  }
  for (int i = length; i-- > 0;) {
    const auto at = static_cast<size_t>(i);
    next = builder.Range(from[at], to[at], next);
  }
  return next;
}

std::string JsonEscape(uint32_t point) {
  switch (point) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return fmt::format("\\u{:04x}", point);
  }
}

}  // namespace

void CodePointSet::Add(uint32_t low, uint32_t high) {
  if (low > high) return;
  if (low < kFirstSurrogate && high > kLastSurrogate) {
    Add(low, kFirstSurrogate - 1);
    Add(kLastSurrogate + 1, high);
    return;
  }
  if (low >= kFirstSurrogate && low <= kLastSurrogate) low = kLastSurrogate + 1;
  if (high >= kFirstSurrogate && high <= kLastSurrogate) high = kFirstSurrogate - 1;
  if (low > high) return;
  ranges_.emplace_back(low, high);
  std::sort(ranges_.begin(), ranges_.end());
  std::vector<std::pair<uint32_t, uint32_t>> merged;
  for (const auto& [from, to] : ranges_) {
    if (!merged.empty() && from <= merged.back().second + 1) {
      merged.back().second = std::max(merged.back().second, to);
    } else {
      merged.emplace_back(from, to);
    }
  }
  ranges_ = std::move(merged);
}

void CodePointSet::Add(const CodePointSet& other) {
  for (const auto& [low, high] : other.ranges_) Add(low, high);
}

CodePointSet CodePointSet::Complement() const {
  CodePointSet rest;
  uint32_t from = 0;
  for (const auto& [low, high] : ranges_) {
    if (low > from) rest.Add(from, low - 1);
    from = high + 1;
  }
  if (from <= kLast) rest.Add(from, kLast);
  return rest;
}

CodePointSet CodePointSet::Without(uint32_t low, uint32_t high) const {
  CodePointSet rest;
  for (const auto& [from, to] : ranges_) {
    if (from < low) rest.Add(from, std::min(to, low - 1));
    if (to > high) rest.Add(std::max(from, high + 1), to);
  }
  return rest;
}

bool CodePointSet::Contains(uint32_t point) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [point](const auto& range) {
    return range.first <= point && point <= range.second;
  });
}

NfaStateId AddUtf8(NfaBuilder& builder, const CodePointSet& set, NfaStateId next) {
  NfaStateId any = -1;
  for (const auto& [low, high] : set.ranges()) {
    any = builder.Either(any, AddRange(builder, low, high, next));
  }
  return any;
}

NfaStateId AddJsonEscaped(NfaBuilder& builder, const CodePointSet& set, NfaStateId next) {
  const CodePointSet plain = set.Without(0, 0x1f).Without('"', '"').Without('\\', '\\');
  NfaStateId any = AddUtf8(builder, plain, next);
  const auto add = [&](uint32_t point) {
    if (set.Contains(point)) {
      any = builder.Either(any, builder.Literal(JsonEscape(point), next));
    }
  };
  for (uint32_t point = 0; point < 0x20; ++point) add(point);
  add('"');
  add('\\');
  return any;
}

}  // namespace emptor::engine
