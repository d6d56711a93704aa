// The parts of a tokenizer.json; use tokenizer_json.h.
#pragma once

#include "engine/tokenizer/json_fields.h"
#include "engine/tokenizer/vocabulary.h"

namespace emptor::engine {

/// Each part fills its fields of the spec; what is wrong goes to the reader.

/// "model": tokens, scores, merges, the unknown token.
void ReadModel(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec);
/// "added_tokens". REQUIRES: the model was read.
void ReadAddedTokens(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec);
/// "normalizer" and "pre_tokenizer"; decides between byte-level and SentencePiece's BPE.
void ReadTextRules(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec);
/// "post_processor": the tokens in front of and behind a text.
void ReadTemplate(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec);
/// "decoder".
void ReadDecoder(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec);

/// The leaves of a part that may be a Sequence (whose list is called `list_name`), in order; none
/// for an absent part.
std::vector<JsonField> Leaves(JsonFieldReader& reader, const JsonField& root, std::string_view part,
                              std::string_view list_name);

}  // namespace emptor::engine
