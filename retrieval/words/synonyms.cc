// Reading the synonyms file line by line, and matching phrases.
#include "retrieval/words/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "retrieval/text/english.h"
#include "retrieval/text/fold.h"
#include "retrieval/words/default_synonyms.h"

namespace emptor::retrieval {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// The form in which phrases are compared: plurals as singulars.
std::string KeyOf(std::string_view word) {
  std::string key(word);
  if (IsPlainWord(key)) FoldEnglish(key);
  return key;
}

std::string KeyOfPhrase(std::string_view phrase) {
  std::string key;
  while (true) {
    const size_t blank = phrase.find(' ');
    key += KeyOf(phrase.substr(0, blank));
    if (blank == std::string_view::npos) return key;
    key += ' ';
    phrase.remove_prefix(blank + 1);
  }
}

/// "a, b" as folded phrases. Errors: kInvalidArgument without place.
absl::StatusOr<std::vector<std::string>> ParsePhrases(std::string_view list) {
  std::vector<std::string> phrases;
  while (true) {
    const size_t comma = list.find(',');
    const std::string_view raw = Trim(list.substr(0, comma));
    std::string phrase = FoldWords(raw);
    if (phrase.empty()) {
      return absl::InvalidArgumentError(
          fmt::format("expected a word between commas, found \"{}\"", raw));
    }
    const auto blanks = static_cast<size_t>(std::count(phrase.begin(), phrase.end(), ' '));
    if (blanks >= Synonyms::kMaxWords) {
      return absl::InvalidArgumentError(fmt::format(
          "expected at most {} words in a phrase, found {}", Synonyms::kMaxWords, blanks + 1));
    }
    phrases.push_back(std::move(phrase));
    if (phrases.size() > Synonyms::kMaxPhrases) {
      return absl::InvalidArgumentError(
          fmt::format("expected at most {} phrases, found more", Synonyms::kMaxPhrases));
    }
    if (comma == std::string_view::npos) return phrases;
    list.remove_prefix(comma + 1);
  }
}

/// The language of "[de]" or "[*]".
struct Section {
  Language language = Language::kOther;
  bool any_language = true;
};

absl::StatusOr<Section> ParseSection(std::string_view line) {
  if (line == "[*]") return Section{};
  for (const Language language : kStemmedLanguages) {
    if (line == fmt::format("[{}]", LanguageTag(language))) return Section{language, false};
  }
  return absl::InvalidArgumentError(
      fmt::format("expected [en], [de], [fr], [es] or [*], found \"{}\"", line));
}

}  // namespace

absl::StatusOr<Synonyms> Synonyms::Parse(std::string_view name, std::string_view text) {
  const auto refuse = [name](size_t line, const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}:{}: {}", name, line, what));
  };
  if (text.size() > kMaxFileBytes) {
    return refuse(1,
                  fmt::format("expected at most {} bytes, found {}", kMaxFileBytes, text.size()));
  }
  if (!IsValidUtf8(text)) return refuse(1, "expected UTF-8, found ill-formed bytes");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Synonyms synonyms;
  Section section;
  size_t said = 0;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view raw = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (raw.size() > kMaxLineBytes) {
      return refuse(number,
                    fmt::format("expected at most {} bytes, found {}", kMaxLineBytes, raw.size()));
    }
    const std::string_view line = Trim(raw);
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '[') {
      const auto parsed = ParseSection(line);
      if (!parsed.ok()) return refuse(number, std::string(parsed.status().message()));
      section = *parsed;
      continue;
    }
    if (++said > kMaxLines) {
      return refuse(number, fmt::format("expected at most {} lines, found more", kMaxLines));
    }
    const size_t arrow = line.find("=>");
    if (arrow != std::string_view::npos && line.find("=>", arrow + 2) != std::string_view::npos) {
      return refuse(number, fmt::format("expected one \"=>\", found \"{}\"", line));
    }
    const auto left = ParsePhrases(line.substr(0, arrow));
    if (!left.ok()) return refuse(number, std::string(left.status().message()));
    if (arrow == std::string_view::npos && left->size() < 2) {
      return refuse(number, fmt::format("expected \"a, b\" or \"a => b\", found \"{}\"", line));
    }
    const auto right =
        arrow == std::string_view::npos ? left : ParsePhrases(line.substr(arrow + 2));
    if (!right.ok()) return refuse(number, std::string(right.status().message()));
    for (const std::string& from : *left) {
      for (const std::string& to : *right) {
        synonyms.AddEntry(from, {section.language, section.any_language, to});
      }
    }
  }
  return synonyms;
}

void Synonyms::AddEntry(const std::string& from, const Alternative& to) {
  if (KeyOfPhrase(from) == KeyOfPhrase(to.phrase)) return;
  std::vector<Alternative>& known = entries_[KeyOfPhrase(from)];
  const bool repeated = std::any_of(known.begin(), known.end(), [&](const Alternative& other) {
    return other.phrase == to.phrase && other.language == to.language &&
           other.any_language == to.any_language;
  });
  if (!repeated && known.size() < kMaxPhrases) known.push_back(to);
}

void Synonyms::Add(const Synonyms& other) {
  for (const auto& [from, alternatives] : other.entries_) {
    for (const Alternative& to : alternatives) AddEntry(from, to);
  }
}

void Synonyms::ForEachMatch(
    std::span<const std::string> words, Language language,
    const std::function<void(size_t, size_t, const std::string&)>& sink) const {
  if (entries_.empty()) return;
  for (size_t first = 0; first < words.size();) {
    size_t taken = 0;
    for (size_t count = std::min(kMaxWords, words.size() - first); count > 0 && taken == 0;
         --count) {
      std::string phrase = KeyOf(words[first]);
      for (size_t i = 1; i < count; ++i) phrase.append(1, ' ').append(KeyOf(words[first + i]));
      const auto entry = entries_.find(phrase);
      if (entry == entries_.end()) continue;
      for (const Alternative& to : entry->second) {
        if (!to.any_language && to.language != language) continue;
        sink(first, count, to.phrase);
        taken = count;
      }
    }
    first += std::max<size_t>(taken, 1);
  }
}

const Synonyms& DefaultSynonyms() {
  static const Synonyms* const synonyms = [] {
    auto parsed = Synonyms::Parse("default_synonyms.txt", kDefaultSynonymsText);
    assert(parsed.ok());
    return new Synonyms(*std::move(parsed));
  }();
  return *synonyms;
}

}  // namespace emptor::retrieval
