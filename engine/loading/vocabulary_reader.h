// The vocabulary and chat template of a GGUF file or of a Hugging Face directory.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/loading/gguf_file.h"
#include "engine/model/model_config.h"
#include "engine/tokenizer/chat_template.h"
#include "engine/tokenizer/tokenizer.h"

namespace emptor::engine {

/// The tokenizer that the file's tokenizer.ggml.* keys describe: model "gpt2" with a pre that
/// FindPreTokenizer knows, "llama" (SentencePiece BPE), "t5" (unigram) or "bert" (WordPiece).
/// Errors: kInvalidArgument (names the key), kUnimplemented (another tokenizer).
absl::StatusOr<std::unique_ptr<const Tokenizer>> ReadTokenizer(const GgufFile& file);

/// The template under tokenizer.chat_template; the plain layout without that key. What cannot be
/// used gives a template that refuses chats and says why.
ChatTemplate ReadChatTemplate(const GgufFile& file);

/// The tokenizer of the directory's tokenizer.json. The model's special tokens are those that it
/// begins and ends with; ids up to the model's vocabulary that no token has are unused.
/// Errors: as ReadTokenizerDirectory and Tokenizer::Create.
absl::StatusOr<std::unique_ptr<const Tokenizer>> ReadDirectoryTokenizer(
    const std::string& directory, const ModelConfig& config);

/// The template of chat_template.jinja, else of tokenizer_config.json; the plain layout without
/// either. Errors: as ReadJsonFile.
absl::StatusOr<ChatTemplate> ReadDirectoryChatTemplate(const std::string& directory);

}  // namespace emptor::engine
