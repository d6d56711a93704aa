// Words that no record mentions.
#include "services/assistant/reading/unsold.h"

#include <algorithm>
#include <array>

#include "retrieval/text/fold.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/schema/attribute_binding.h"
#include "services/assistant/words/cues.h"
#include "services/assistant/words/message_language.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMinBytes = 4;  // a shorter word is rarely the name of goods

bool Mentions(const retrieval::QueryVocabulary& vocabulary, const std::string& word) {
  if (vocabulary.mentions(word) > 0) return true;
  return word.ends_with('s') && vocabulary.mentions(word.substr(0, word.size() - 1)) > 0;
}

/// "Asdfgh": neighbours on a keyboard, or no vowel at all.
bool IsMashed(const std::string& word) {
  constexpr std::array<std::string_view, 3> kRows = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  constexpr size_t kMinLetters = 4;
  if (word.size() < kMinLetters) return false;
  size_t neighbours = 0;
  for (size_t i = 0; i + 1 < word.size(); ++i) {
    const std::string pair = word.substr(i, 2), back = {word[i + 1], word[i]};
    neighbours += std::any_of(kRows.begin(), kRows.end(), [&](std::string_view row) {
      return row.find(pair) != row.npos || row.find(back) != row.npos;
    });
  }
  const bool is_plain =
      std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return is_plain &&
         (neighbours + 2 >= word.size() || word.find_first_of("aeiouy") == std::string::npos);
}

bool IsMashed(const std::vector<retrieval::QueryToken>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const retrieval::QueryToken& token) {
    return token.kind == retrieval::QueryToken::Kind::kWord &&
           IsMashed(retrieval::FoldWords(token.text));
  });
}

}  // namespace

std::string FindUnsoldName(const std::vector<retrieval::QueryToken>& tokens,
                           const retrieval::QueryVocabulary& vocabulary, const TypeSchema* schema,
                           std::string_view language) {
  std::string unknown;
  if (!vocabulary.mentions) return unknown;
  for (const retrieval::QueryToken& token : tokens) {
    if (token.kind != retrieval::QueryToken::Kind::kWord) continue;
    const FoldedMessage word(token.text);
    if (HasCue(word, Cue::kPurpose)) break;
    // "Avez-vous" is two words.
    const std::vector<std::string> parts = SplitWords(word.text());
    const bool is_cue = std::all_of(parts.begin(), parts.end(), IsCueWord);
    const bool is_small = token.text.size() < kMinBytes || retrieval::IsStopWord(token.text) ||
                          retrieval::IsRequestWord(token.text) || is_cue;
    if (is_small) continue;
    const bool is_known = Mentions(vocabulary, token.text) ||
                          (schema != nullptr && !ResolveAttributes(word, *schema).empty()) ||
                          !FindNamedValues(word, language).empty();
    // "Des robots qui lavent": behind the goods come words that English records have in English.
    if (language != "en") return is_known ? "" : token.text;
    if (!is_known) unknown = token.text;
  }
  return unknown;
}

std::string FindUnsoldMaker(const FoldedMessage& message, const TypeSchema& schema) {
  constexpr std::array<std::string_view, 5> kOf = {"from", "by", "von", "de", "par"};
  const std::vector<std::string> words = SplitWords(message.text());
  if (words.size() < 3 || schema.product_count() == 0) return "";
  const std::string &of = words[words.size() - 2], &maker = words.back();
  // "Any from apple": names of goods may be those of makers as well.
  const bool is_named = (of == "from" || of == "by") && !IsOrdinaryWord(maker) &&
                        maker.size() >= kMinBytes && !HasDigit(maker);
  const bool is_maker =
      std::find(kOf.begin(), kOf.end(), of) != kOf.end() && (IsLineName(maker) || is_named);
  return is_maker && !schema.words().Knows(DemandOf(maker)) ? maker : "";
}

bool IsGibberish(const std::vector<retrieval::QueryToken>& tokens,
                 const retrieval::QueryVocabulary& vocabulary) {
  size_t words = 0;
  for (const retrieval::QueryToken& token : tokens) {
    if (token.kind == retrieval::QueryToken::Kind::kPunctuation) continue;
    const bool is_known = token.kind != retrieval::QueryToken::Kind::kWord ||
                          IsWideText(token.text) || retrieval::IsStopWord(token.text) ||
                          retrieval::IsRequestWord(token.text) || IsCueWord(token.text) ||
                          IsLexiconWord(retrieval::FoldWords(token.text)) || !vocabulary.mentions ||
                          Mentions(vocabulary, token.text);
    if (is_known) return false;
    ++words;
  }
  return words > 1 || (words == 1 && IsMashed(tokens));
}

}  // namespace emptor::services
