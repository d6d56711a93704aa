// Parsing of the lexicon's lines, and phrase search.
#include "services/grounding/lexicon_text.h"

#include <algorithm>
#include <utility>

#include "retrieval/text/fold.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxGapWords = 3;  // that "..." stands for

/// Folded; "d'avis" and "d avis" are the same words.
std::string FoldParted(std::string_view text) {
  constexpr std::string_view kElided = "cdjlmnstCDJLMNST";
  std::string parted(text);
  for (const std::string_view mark : {"'", "’"}) {
    for (size_t at = parted.find(mark); at != std::string::npos; at = parted.find(mark, at + 1)) {
      const bool is_letter = at > 0 && kElided.find(parted[at - 1]) != kElided.npos &&
                             (at == 1 || parted[at - 2] == ' ');
      const bool is_que = at > 1 && (parted[at - 1] == 'u' || parted[at - 1] == 'U') &&
                          (parted[at - 2] == 'q' || parted[at - 2] == 'Q');
      if (is_letter || is_que) parted.replace(at, mark.size(), " ");
    }
  }
  return retrieval::FoldWords(parted);
}

/// Folded, with "..." kept between its parts.
std::string FoldPhrase(std::string_view text) {
  std::string folded;
  while (!text.empty()) {
    const size_t gap = text.find("...");
    if (const std::string part = FoldParted(text.substr(0, gap)); !part.empty()) {
      folded += (folded.empty() ? "" : "...") + part;
    }
    if (gap == std::string_view::npos) break;
    text.remove_prefix(gap + 3);
  }
  return folded;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

bool IsWideText(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text[0]) >= 0xE0;
}

std::vector<LexiconGroup> ParsePhraseGroups(std::string_view text) {
  std::vector<LexiconGroup> groups(1);
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("|;"), text.size());
    std::string_view part = text.substr(0, end);
    const bool ends_group = end < text.size() && text[end] == ';';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const size_t tag = part.find(':'); tag != std::string_view::npos) {
      groups.back().tag = retrieval::FoldWords(part.substr(0, tag));
      part.remove_prefix(tag + 1);
    }
    if (std::string phrase = FoldPhrase(part); !phrase.empty()) {
      groups.back().phrases.push_back(std::move(phrase));
    }
    if (ends_group) groups.emplace_back();
  }
  return groups;
}

std::vector<std::string> AllPhrases(const std::vector<LexiconGroup>& groups) {
  std::vector<std::string> phrases;
  for (const LexiconGroup& group : groups) {
    phrases.insert(phrases.end(), group.phrases.begin(), group.phrases.end());
  }
  return phrases;
}

std::map<std::string, std::string, std::less<>> FirstPhrases(std::string_view text) {
  std::map<std::string, std::string, std::less<>> first;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view group = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t tag = group.find(':');
    if (tag == std::string_view::npos) continue;
    const std::string_view phrases = group.substr(tag + 1);
    first.emplace(Trimmed(group.substr(0, tag)), Trimmed(phrases.substr(0, phrases.find('|'))));
  }
  return first;
}

void ForEachLexiconLine(std::string_view text, std::string_view separator,
                        const std::function<void(std::string_view, std::string_view)>& line) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view each = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t mark = each.find(separator);
    if (each.empty() || each[0] == '#' || mark == std::string_view::npos) continue;
    line(each.substr(0, mark), each.substr(mark + separator.size()));
  }
}

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t at = std::min(text.find(mark), text.size());
    parts.push_back(text.substr(0, at));
    text.remove_prefix(std::min(at + mark.size(), text.size()));
  }
  return parts;
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  ForEachWord(text, [&](std::string word) { words.push_back(std::move(word)); });
  return words;
}

PhraseTable ParsePhraseTable(std::string_view text, std::string_view separator) {
  PhraseTable table;
  ForEachLexiconLine(text, separator, [&](std::string_view head, std::string_view rest) {
    std::vector<std::string>& phrases = table[std::string(head)];
    for (std::string& phrase : AllPhrases(ParsePhraseGroups(rest))) {
      phrases.push_back(std::move(phrase));
    }
  });
  return table;
}

FoldedMessage::FoldedMessage(std::string_view message) : padded_(" " + FoldParted(message) + " ") {
  NoteBeginnings();
}

FoldedMessage FoldedMessage::FromFolded(std::string folded) {
  FoldedMessage message;
  message.padded_ = " " + std::move(folded) + " ";
  message.NoteBeginnings();
  return message;
}

void FoldedMessage::NoteBeginnings() {
  const auto is_wide = [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; };
  for (size_t i = 1; i + 1 < padded_.size(); ++i) {
    const bool begins = padded_[i - 1] == ' ' || is_wide(padded_[i - 1]) || is_wide(padded_[i]);
    if (begins) beginnings_.set(Beginning(&padded_[i]));
  }
}

FoldedMessage FoldedMessage::Without(const Span& span) const {
  std::string struck(text());
  if (span.found()) struck.replace(span.begin, span.size(), span.size(), 'x');
  return FromFolded(std::move(struck));
}

FoldedMessage::Span FoldedMessage::FindPart(std::string_view part, size_t from) const {
  if (part.empty() || !MayHold(part)) return {};
  if (IsWideText(part)) {
    const size_t at = padded_.find(part, from);
    return at == std::string::npos ? Span{} : Span{at - 1, at - 1 + part.size()};
  }
  for (size_t at = padded_.find(part, from); at != std::string::npos;
       at = padded_.find(part, at + 1)) {
    size_t end = at + part.size();
    const bool begins =
        at > 0 && (padded_[at - 1] == ' ' || static_cast<unsigned char>(padded_[at - 1]) >= 0x80);
    if (!begins || end >= padded_.size()) continue;
    // "Höchstens" bounds, and is no plural of "höchsten".
    const bool may_be_plural = !part.ends_with("sten");
    if (may_be_plural && padded_[end] == 's' && padded_[end + 1] == ' ') ++end;
    const bool ends = padded_[end] == ' ' || IsWideText(std::string_view(padded_).substr(end));
    if (ends) return {at - 1, end - 1};
  }
  return {};
}

FoldedMessage::Span FoldedMessage::Find(std::string_view phrase) const {
  const size_t gap = phrase.find("...");
  Span found = FindPart(phrase.substr(0, gap), 0);
  if (gap == std::string_view::npos || !found.found()) return found;
  std::string_view rest = phrase.substr(gap + 3);
  while (!rest.empty()) {
    const size_t next = rest.find("...");
    const Span part = FindPart(rest.substr(0, next), found.end + 1);
    if (!part.found()) return {};
    const std::string_view between = text().substr(found.end, part.begin - found.end);
    const auto blanks = static_cast<size_t>(std::count(between.begin(), between.end(), ' '));
    if (blanks > kMaxGapWords + 1) return {};
    found.end = part.end;
    if (next == std::string_view::npos) break;
    rest.remove_prefix(next + 3);
  }
  return found;
}

FoldedMessage::Span FoldedMessage::FindLongest(const std::vector<std::string>& phrases) const {
  Span longest;
  for (const std::string& phrase : phrases) {
    if (longest.found() && phrase.size() <= longest.size()) continue;
    const Span span = Find(phrase);
    if (span.found() && (!longest.found() || span.size() > longest.size())) longest = span;
  }
  return longest;
}

size_t FoldedMessage::word_count() const {
  if (text().empty()) return 0;
  return static_cast<size_t>(std::count(text().begin(), text().end(), ' ')) + 1;
}

}  // namespace emptor::services
