// The tokenizer of a Hugging Face directory.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// What tokenizer.json says, or without one vocab.txt with tokenizer_config.json (lower case,
/// accents, ideographs; BERT's usual rules where that is absent). A caller that knows more of the
/// model fills it in before Tokenizer::Create. Errors: as ReadFileImage, ParseTokenizerJson and
/// ParseWordPieceVocabulary; kNotFound when there is neither file.
absl::StatusOr<VocabularySpec> ReadTokenizerDirectory(const std::string& directory);

/// The tokenizer made of it.
absl::StatusOr<std::unique_ptr<const Tokenizer>> LoadTokenizer(const std::string& directory);

}  // namespace emptor::engine
