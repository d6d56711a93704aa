// Words that no record mentions.
#include "services/assistant/unsold.h"

#include "retrieval/text/fold.h"
#include "retrieval/text/stop_words.h"
#include "services/assistant/attribute_binding.h"
#include "services/assistant/cues.h"
#include "services/assistant/message_language.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr size_t kMinBytes = 4;  // a shorter word is rarely the name of goods

bool Mentions(const retrieval::QueryVocabulary& vocabulary, const std::string& word) {
  if (vocabulary.mentions(word) > 0) return true;
  return word.ends_with('s') && vocabulary.mentions(word.substr(0, word.size() - 1)) > 0;
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
    const bool is_small = token.text.size() < kMinBytes || retrieval::IsStopWord(token.text) ||
                          retrieval::IsRequestWord(token.text) || IsCueWord(token.text);
    if (is_small) continue;
    const bool is_known = Mentions(vocabulary, token.text) ||
                          (schema != nullptr && !ResolveAttributes(word, *schema).empty()) ||
                          !FindNamedValues(word, language).empty();
    if (!is_known) unknown = token.text;
  }
  return unknown;
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
  return words > 1;
}

}  // namespace emptor::services
