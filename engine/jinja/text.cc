// Provenance, characters, white space and letter case.
#include "engine/jinja/text.h"

#include <string.h>

#include <algorithm>
#include <set>

#include "unicode/locid.h"
#include "unicode/uchar.h"
#include "unicode/unistr.h"

namespace emptor::engine::jinja {
namespace {

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xc0) == 0x80; }

/// Bytes of the last character of a text that is not empty.
size_t LastCharacterBytes(std::string_view text) {
  for (size_t bytes = 2; bytes <= std::min<size_t>(4, text.size()); ++bytes) {
    const std::string_view tail = text.substr(text.size() - bytes);
    if (!IsContinuation(tail.front())) return CharacterBytes(tail) == bytes ? bytes : 1;
  }
  return 1;
}

/// The piece in another case; `word` says whether a letter went before, and then whether one does
/// at the end.
std::string Convert(std::string_view piece, LetterCase letter_case, bool& word) {
  std::string out;
  while (!piece.empty()) {
    const std::string_view character = piece.substr(0, CharacterBytes(piece));
    piece.remove_prefix(character.size());
    const char32_t code = CodePoint(character);
    const bool title = letter_case == LetterCase::kTitle || letter_case == LetterCase::kCapital;
    const bool first = title && !word;
    word = letter_case == LetterCase::kCapital ||
           u_hasBinaryProperty(static_cast<UChar32>(code), UCHAR_CASED) != 0;
    if (code == 0xfffd) {
      out += character;
      continue;
    }
    icu::UnicodeString changed(static_cast<UChar32>(code));
    const icu::Locale& root = icu::Locale::getRoot();
    if (first) {
      changed.toTitle(nullptr, root);
    } else if (letter_case == LetterCase::kUpper) {
      changed.toUpper(root);
    } else {
      changed.toLower(root);
    }
    changed.toUTF8String(out);
  }
  return out;
}

}  // namespace

Text::Text(std::string bytes, Origin origin) : bytes_(std::move(bytes)) {
  if (!bytes_.empty()) runs_.push_back({bytes_.size(), origin});
}

void Text::Append(std::string_view bytes, Origin origin) {
  if (bytes.empty()) return;
  bytes_ += bytes;
  if (runs_.empty() || runs_.back().origin != origin) runs_.push_back({bytes_.size(), origin});
  runs_.back().end = bytes_.size();
}

void Text::Append(const Text& other, size_t begin, size_t end) {
  auto run = std::upper_bound(other.runs_.begin(), other.runs_.end(), begin,
                              [](size_t at, const Run& r) { return at < r.end; });
  for (; begin < end; ++run) {
    const size_t stop = std::min(end, run->end);
    Append(std::string_view(other.bytes_).substr(begin, stop - begin), run->origin);
    begin = stop;
  }
}

Text Text::Slice(size_t begin, size_t end) const {
  Text slice;
  slice.Append(*this, begin, end);
  return slice;
}

size_t CharacterBytes(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text.front());
  const size_t bytes = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (bytes <= 1 || lead > 0xf4 || text.size() < bytes) return 1;
  for (size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) return 1;
  }
  const auto second = static_cast<uint8_t>(text[1]);
  const bool bad = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                   (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return bad ? 1 : bytes;
}

char32_t CodePoint(std::string_view character) {
  const auto lead = static_cast<uint8_t>(character.front());
  if (character.size() == 1) return lead < 0x80 ? lead : 0xfffd;
  char32_t code = lead & (0xffu >> (character.size() + 1));
  for (const char c : character.substr(1)) code = code << 6 | (static_cast<uint8_t>(c) & 0x3fu);
  return code;
}

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(CharacterBytes(text));
  return count;
}

std::vector<size_t> CharacterOffsets(std::string_view text) {
  std::vector<size_t> offsets = {0};
  while (offsets.back() < text.size()) {
    offsets.push_back(offsets.back() + CharacterBytes(text.substr(offsets.back())));
  }
  return offsets;
}

bool IsSpace(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

std::pair<size_t, size_t> Strip(std::string_view text, const std::string* characters, Ends ends) {
  std::set<std::string_view> set;
  for (std::string_view left = characters == nullptr ? std::string_view() : *characters;
       !left.empty(); left.remove_prefix(CharacterBytes(left))) {
    set.insert(left.substr(0, CharacterBytes(left)));
  }
  const auto goes = [&](std::string_view character) {
    return characters == nullptr ? IsSpace(CodePoint(character)) : set.contains(character);
  };
  size_t begin = 0;
  size_t end = text.size();
  while (ends.left && begin < end) {
    const size_t bytes = CharacterBytes(text.substr(begin));
    if (!goes(text.substr(begin, bytes))) break;
    begin += bytes;
  }
  while (ends.right && begin < end) {
    const size_t bytes = LastCharacterBytes(text.substr(begin, end - begin));
    if (!goes(text.substr(end - bytes, bytes))) break;
    end -= bytes;
  }
  return {begin, end};
}

size_t Find(std::string_view text, std::string_view part, size_t from) {
  if (from > text.size()) return std::string_view::npos;
  // memmem of glibc is the two-way algorithm: no pair of texts makes it quadratic.
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (found == nullptr) return part.empty() ? from : std::string_view::npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

Text ChangeCase(const Text& text, LetterCase letter_case) {
  Text out;
  bool word = false;
  text.ForEachRun([&](std::string_view piece, Origin origin) {
    out.Append(Convert(piece, letter_case, word), origin);
  });
  return out;
}

}  // namespace emptor::engine::jinja
