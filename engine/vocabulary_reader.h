// The vocabulary and chat template of a GGUF file.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "engine/model/gguf_file.h"
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

}  // namespace emptor::engine
