// Template text to tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::engine::jinja {

enum class TokenKind : uint8_t {
  kText,         // between the tags, white space already taken off
  kOutputBegin,  // {{
  kOutputEnd,
  kBlockBegin,  // {%
  kBlockEnd,
  kName,
  kString,  // decoded
  kInteger,
  kReal,
  kSymbol,  // an operator, a bracket, a separator
  kEnd
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int line = 1;
  std::string text;
};

/// Comments are gone, raw blocks are text. White space as with trim_blocks and lstrip_blocks, the
/// settings of transformers' apply_chat_template: a tag alone on its line removes the line.
/// Errors: kInvalidArgument, `line 3: what is wrong`.
absl::StatusOr<std::vector<Token>> Tokenize(std::string_view source);

}  // namespace emptor::engine::jinja
