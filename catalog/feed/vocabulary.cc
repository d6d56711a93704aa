// Tables of words; times are brought into RFC 3339 and read by its parser.
#include "catalog/feed/vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/encoding/hash64.h"
#include "catalog/encoding/timestamp.h"
#include "catalog/encoding/utf8.h"
#include "catalog/feed/amount.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kMaxIdBytes = 512;
constexpr size_t kReadableIdBytes = 51;  // 64 less "-" and twelve digits
constexpr int64_t kSecondsPerDay = 86400;

template <typename Value>
using Word = std::pair<View, Value>;

constexpr std::array<Word<Availability>, 32> kAvailabilities = {{
    {"instock", Availability::kInStock},
    {"available", Availability::kInStock},
    {"yes", Availability::kInStock},
    {"true", Availability::kInStock},
    {"limitedavailability", Availability::kInStock},
    {"limitedstock", Availability::kInStock},
    {"lowstock", Availability::kInStock},
    {"onlineonly", Availability::kInStock},
    {"instoreonly", Availability::kInStock},
    {"ilager", Availability::kInStock},
    {"auflager", Availability::kInStock},
    {"lieferbar", Availability::kInStock},
    {"enstock", Availability::kInStock},
    {"outofstock", Availability::kOutOfStock},
    {"notinstock", Availability::kOutOfStock},
    {"notavailable", Availability::kOutOfStock},
    {"unavailable", Availability::kOutOfStock},
    {"no", Availability::kOutOfStock},
    {"false", Availability::kOutOfStock},
    {"soldout", Availability::kOutOfStock},
    {"discontinued", Availability::kOutOfStock},
    {"reserved", Availability::kOutOfStock},
    {"slutilager", Availability::kOutOfStock},
    {"ausverkauft", Availability::kOutOfStock},
    {"nichtlieferbar", Availability::kOutOfStock},
    {"preorder", Availability::kPreorder},
    {"presale", Availability::kPreorder},
    {"comingsoon", Availability::kPreorder},
    {"backorder", Availability::kBackorder},
    {"backordered", Availability::kBackorder},
    {"availablefororder", Availability::kBackorder},
    {"madetoorder", Availability::kBackorder},
}};

constexpr std::array<Word<Condition>, 15> kConditions = {{
    {"new", Condition::kNew},
    {"newcondition", Condition::kNew},
    {"brandnew", Condition::kNew},
    {"neu", Condition::kNew},
    {"ny", Condition::kNew},
    {"refurbished", Condition::kRefurbished},
    {"refurbishedcondition", Condition::kRefurbished},
    {"reconditioned", Condition::kRefurbished},
    {"renewed", Condition::kRefurbished},
    {"used", Condition::kUsed},
    {"usedcondition", Condition::kUsed},
    {"secondhand", Condition::kUsed},
    {"preowned", Condition::kUsed},
    {"damagedcondition", Condition::kUsed},
    {"gebraucht", Condition::kUsed},
}};

// Lower case without blanks, "-", "_" and the address of schema.org.
std::string Key(View text) {
  text = Trimmed(text);
  for (View address : {"http://schema.org/", "https://schema.org/", "schema:"}) {
    if (text.starts_with(address)) text.remove_prefix(address.size());
  }
  std::string key;
  for (char c : text) {
    if (c == ' ' || c == '-' || c == '_') continue;
    key += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return key;
}

template <typename Value, size_t n>
std::optional<Value> Look(const std::array<Word<Value>, n>& words, View text) {
  if (text.size() > 64) return std::nullopt;
  const std::string key = Key(text);
  for (const auto& [word, value] : words) {
    if (word == key) return value;
  }
  return std::nullopt;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsIdCharacter(char c) {
  return IsDigit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_';
}

// "2026-11-20T12:00:00+01:00" of a time that leaves out seconds, offset or its colon.
std::string WithAllParts(View text) {
  std::string full(text);
  const size_t sign = full.find_first_of("+-Zz", 11);
  std::string offset = sign == std::string::npos ? "Z" : full.substr(sign);
  std::string clock = full.substr(0, sign);
  if (offset.size() == 5) offset.insert(3, 1, ':');
  if (offset.size() == 3) offset += ":00";
  if (clock.size() == 16) clock += ":00";
  return clock + offset;
}

}  // namespace

std::optional<Availability> ReadAvailability(View text) { return Look(kAvailabilities, text); }
std::optional<Condition> ReadCondition(View text) { return Look(kConditions, text); }

bool IsNotStocked(View text) { return text.size() <= 64 && Key(text) == "notstocked"; }

std::optional<bool> ReadBool(View text) {
  if (text.size() > 16) return std::nullopt;
  const std::string key = Key(text);
  if (key == "true" || key == "yes" || key == "1") return true;
  if (key == "false" || key == "no" || key == "0") return false;
  return std::nullopt;
}

std::optional<int64_t> ReadTime(View text, bool end_of_day) {
  text = Trimmed(text);
  if (text.size() < 10 || text.size() > 40) return std::nullopt;
  if (text.size() > 10) return ParseRfc3339(WithAllParts(text));
  const auto day = ParseRfc3339(fmt::format("{}T00:00:00Z", text));
  return day && end_of_day ? std::optional(*day + kSecondsPerDay) : day;
}

std::optional<TimeRange> ReadInterval(View text) {
  const size_t slash = text.find('/');
  if (slash == View::npos) return std::nullopt;
  const View first = Trimmed(text.substr(0, slash));
  const View last = Trimmed(text.substr(slash + 1));
  TimeRange range;
  if (!first.empty()) range.start = ReadTime(first);
  if (!last.empty()) range.end = ReadTime(last, true);
  const bool read = (first.empty() || range.start) && (last.empty() || range.end);
  if (!read || (!range.start && !range.end)) return std::nullopt;
  if (range.start && range.end && *range.start >= *range.end) return std::nullopt;
  return range;
}

std::optional<std::string> MapId(View id) {
  id = Trimmed(id);
  if (IsValidId(id)) return std::string(id);
  if (id.empty() || id.size() > kMaxIdBytes || !IsValidUtf8(id)) return std::nullopt;
  std::string readable;
  for (char c : id) {
    if (readable.size() == kReadableIdBytes) break;
    if (IsIdCharacter(c) && !(readable.empty() && (c == '.' || c == '_'))) {
      readable += c;
    } else if (!readable.empty() && readable.back() != '-') {
      readable += '-';
    }
  }
  while (!readable.empty() && readable.back() == '-') readable.pop_back();
  if (readable.empty()) readable = "id";
  return fmt::format("{}-{:012x}", readable, Hash64(id) >> 16);
}

}  // namespace emptor::catalog
