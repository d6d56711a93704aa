// Tokenizers of Hugging Face directories: tokenizer.json, and BERT's vocab.txt.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/tokenizer/text_normalizer.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// What a tokenizer.json says, for Tokenizer::Create; a caller that knows more of the model (its
/// end token, the size of its vocabulary) fills that in before. Models BPE (byte-level, or
/// SentencePiece's as Llama 2 and Mistral have it), Unigram and WordPiece. Special tokens become
/// control tokens, so that text never finds them; other added tokens are found as the file says.
/// The single-sequence template gives bos, eos and whether they are added. Ids without a token are
/// unused.
///
/// A part that is not known exactly is refused, since a tokenizer that is nearly right gives a
/// model that is nearly right. Errors, naming `file` and the field: kInvalidArgument (malformed),
/// kUnimplemented (a normalizer, pre-tokenizer, expression, template or decoder beyond these).
absl::StatusOr<VocabularySpec> ParseTokenizerJson(std::string_view text, const std::string& file);

/// BERT's vocab.txt: one token a line, its number is its id; [PAD], [UNK], [CLS], [SEP] and [MASK]
/// are special. Errors: kInvalidArgument (no [UNK], [CLS] or [SEP], a token twice).
absl::StatusOr<VocabularySpec> ParseWordPieceVocabulary(std::string_view text,
                                                        const BertTextRules& rules,
                                                        const std::string& file);

}  // namespace emptor::engine
