// Examines every '<' and '&' once; all other text passes unchanged.
#include "catalog/feed/xml_references.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "catalog/text_safety/html_text.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr std::array<std::pair<View, View>, 3> kSections = {
    {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}}};
constexpr std::array<View, 5> kPredefined = {"amp", "lt", "gt", "quot", "apos"};

bool IsAlphanumeric(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// The code point of "#8364" or "#x20AC"; nothing for other text.
std::optional<uint32_t> NumericReference(View name) {
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const int base = name.starts_with('x') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, base);
  if (name.empty() || end != name.data() + name.size()) return std::nullopt;
  return error == std::errc() ? code : UINT32_MAX;
}

// Production [2] Char of XML 1.0.
bool IsXmlCharacter(uint32_t code) {
  return code == 0x9 || code == 0xA || code == 0xD || (code >= 0x20 && code <= 0xD7FF) ||
         (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

// Line ends as the parser counts them.
uint64_t CountLines(View text, char before) {
  uint64_t lines = 0;
  for (const char c : text) {
    lines += c == '\r' || (c == '\n' && before != '\r') ? 1 : 0;
    before = c;
  }
  return lines;
}

}  // namespace

uint64_t XmlReferences::LineAt(View text, size_t at) const {
  return lines_ + CountLines(text.substr(0, at), before_) + 1;
}

void XmlReferences::Replace(View text, size_t begin, size_t end, View by, Repairs& why) {
  if (why.count++ == 0) {
    why.first_line = LineAt(text, begin);
    why.first = text.substr(begin, end - begin);
  }
  out_ += text.substr(copied_, begin - copied_);
  out_ += by;
  copied_ = end;
}

// The parser judges a section that is open at the end of the text.
XmlReferences::Next XmlReferences::PassSection(View text, bool at_end, size_t& at) {
  const size_t close = text.find(inside_, at);
  if (close == View::npos) {
    at = at_end ? text.size()
                : std::max(at, text.size() - std::min(text.size(), inside_.size() - 1));
    return Next::kWait;
  }
  at = close + inside_.size();
  inside_ = {};
  return Next::kGoOn;
}

XmlReferences::Next XmlReferences::PassTag(View text, bool at_end, size_t& at) {
  const View rest = text.substr(at);
  for (const auto& [open, close] : kSections) {
    if (rest.starts_with(open)) {
      inside_ = close;
      at += open.size();
      return Next::kGoOn;
    }
    if (!at_end && open.starts_with(rest)) return Next::kWait;
  }
  ++at;
  return Next::kGoOn;
}

XmlReferences::Next XmlReferences::PassReference(View text, bool at_end, size_t& at) {
  const View rest = text.substr(at + 1, kMaxReference);
  size_t length = rest.starts_with('#') ? 1 : 0;
  while (length < rest.size() && IsAlphanumeric(rest[length])) ++length;
  if (length == rest.size() && length < kMaxReference && !at_end) return Next::kWait;
  const View name = rest.substr(0, length);
  const size_t begin = std::exchange(at, at + 1);
  const bool is_whole = length > 0 && length < rest.size() && rest[length] == ';';
  const size_t end = begin + 1 + length + 1;
  const auto code = NumericReference(name);
  if (!is_whole || (name.starts_with('#') && !code)) {
    Replace(text, begin, begin + 1, "&amp;", ampersands_);
    return Next::kGoOn;
  }
  at = end;
  if (std::find(kPredefined.begin(), kPredefined.end(), name) != kPredefined.end()) {
    return Next::kGoOn;
  }
  if (code) {
    if (!IsXmlCharacter(*code)) Replace(text, begin, end, "", characters_);
    return Next::kGoOn;
  }
  const std::string character = HtmlEntity(name);
  const std::string as_text = fmt::format("&amp;{};", name);
  Replace(text, begin, end, character.empty() ? as_text : character, entities_);
  return Next::kGoOn;
}

absl::Status XmlReferences::Filter(View bytes, bool at_end) {
  std::string joined;
  View text = bytes;
  if (!held_.empty()) {
    joined = std::move(held_);
    held_.clear();
    joined += bytes;
    text = joined;
  }
  out_.clear();
  copied_ = 0;
  size_t at = 0;
  for (Next next = Next::kGoOn; next == Next::kGoOn && at < text.size();) {
    if (!inside_.empty()) {
      next = PassSection(text, at_end, at);
      continue;
    }
    at = std::min(text.find_first_of("<&", at), text.size());
    if (at == text.size()) break;
    next = text[at] == '<' ? PassTag(text, at_end, at) : PassReference(text, at_end, at);
  }
  const View done = text.substr(0, at);
  held_ = text.substr(at);
  const bool is_changed = copied_ > 0 || !out_.empty();
  if (is_changed) out_ += done.substr(copied_);
  lines_ += CountLines(done, before_);
  if (!done.empty()) before_ = done.back();
  return done.empty() ? absl::OkStatus() : sink_(is_changed ? View(out_) : done);
}

std::vector<std::string> XmlReferences::notes() const {
  std::vector<std::string> notes;
  const auto note = [&](const Repairs& repairs, View what) {
    if (repairs.count == 0) return;
    notes.push_back(fmt::format("line {}: \"{}\" {} ({} in the feed)", repairs.first_line,
                                repairs.first, what, repairs.count));
  };
  note(ampersands_, "begins no reference and is read as text: write &amp;");
  note(entities_, "is no entity of XML: read as the character of HTML, or as text");
  note(characters_, "refers to a character that XML forbids: removed");
  return notes;
}

}  // namespace emptor::catalog
