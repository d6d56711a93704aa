// Words, pairs and runs of letters.
#include "services/assistant/reading/message_features.h"

#include <vector>

#include "retrieval/text/fold.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxWords = 60;
constexpr size_t kMaxWideLetters = 3;                    // of a feature
constexpr size_t kMinLetters = 4, kMaxLetters = 5;       // of a feature within a word
constexpr std::string_view kFirstWide = "\xE2\xBA\x80";  // U+2E80
constexpr std::string_view kBegin = "^", kEnd = "$", kInWord = "~";

using Features = std::unordered_set<std::string>;
using Letters = std::vector<std::string_view>;

Letters LettersOf(std::string_view text) {
  Letters letters;
  while (!text.empty()) {
    size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) ++size;
    letters.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return letters;
}

bool IsWide(std::string_view letter) { return letter.size() == 3 && letter >= kFirstWide; }

/// A run of digits is one "0".
std::string WithoutDigits(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit) plain += c;
    if (is_digit && (plain.empty() || plain.back() != '0')) plain += '0';
  }
  return plain;
}

/// Runs of letters [begin, begin + n) for each n.
void AddRuns(std::string_view text, size_t least, size_t most, std::string_view mark,
             Features& features) {
  const Letters letters = LettersOf(text);
  for (size_t n = least; n <= most; ++n) {
    for (size_t begin = 0; begin + n <= letters.size(); ++begin) {
      const char* const first = letters[begin].data();
      const std::string_view last = letters[begin + n - 1];
      features.insert(std::string(mark) +
                      std::string(first, static_cast<size_t>(last.data() - first) + last.size()));
    }
  }
}

/// Words, parted where Chinese begins or ends.
std::vector<std::string> WordsOf(std::string_view message) {
  std::vector<std::string> words;
  ForEachWord(retrieval::FoldWords(message), [&](const std::string& word) {
    bool was_wide = false;
    for (const std::string_view letter : LettersOf(word)) {
      const bool is_wide = IsWide(letter);
      if (letter.data() == word.data() || is_wide != was_wide) words.emplace_back();
      words.back() += letter;
      was_wide = is_wide;
    }
  });
  if (words.size() > kMaxWords) words.resize(kMaxWords);
  return words;
}

}  // namespace

Features MessageFeatures(std::string_view message) {
  Features features = WordFeatures(message);
  for (const std::string& each : WordsOf(message)) {
    if (IsWideWord(each)) continue;
    AddRuns("_" + WithoutDigits(each) + "_", kMinLetters, kMaxLetters, kInWord, features);
  }
  return features;
}

Features WordFeatures(std::string_view message) {
  Features features;
  std::string before(kBegin);
  for (const std::string& each : WordsOf(message)) {
    if (IsWideWord(each)) {
      AddRuns(each, 1, kMaxWideLetters, "", features);
      before = kBegin;
      continue;
    }
    const std::string word = WithoutDigits(each);
    features.insert(word);
    features.insert(before + " " + word);
    before = word;
  }
  features.insert(before + " " + std::string(kEnd));
  return features;
}

std::vector<std::string> MatchedWords(std::string_view text) {
  constexpr size_t kTogether = 2;
  std::vector<std::string> words;
  for (std::string& each : WordsOf(text)) {
    const Letters letters = LettersOf(each);
    if (!IsWideWord(each) || letters.size() <= kTogether) {
      words.push_back(std::move(each));
      continue;
    }
    for (size_t i = 0; i + 1 < letters.size(); ++i) {
      words.push_back(std::string(letters[i]) + std::string(letters[i + 1]));
    }
  }
  return words;
}

bool IsWideWord(std::string_view word) {
  const Letters letters = LettersOf(word);
  return !letters.empty() && IsWide(letters.front());
}

}  // namespace emptor::services
