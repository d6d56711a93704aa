// Any bytes as a tokenizer.json, up to the first zero byte; what follows is text. A file that is
// taken encodes that text, and one of its own, to ids in range and never a control token; what
// comes back is UTF-8.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/detokenizer.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/tokenizer/tokenizer_json.h"

namespace {

using namespace emptor::engine;

void Require(bool holds) {
  if (!holds) std::abort();
}

void RequireUtf8(std::string_view text) {
  while (!text.empty()) {
    const int length = Utf8Prefix(text);
    Require(length > 0);
    text.remove_prefix(static_cast<size_t>(length));
  }
}

void Check(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<TokenId> tokens;
  tokenizer.EncodeInto(text, tokens);
  const Vocabulary& vocabulary = tokenizer.vocabulary();
  for (const TokenId token : tokens) {
    Require(vocabulary.Contains(token));
    Require(vocabulary.type(token) != TokenType::kControl || token == vocabulary.spec().unknown);
  }
  RequireUtf8(tokenizer.Decode(tokens));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t end = input.find('\0');
  auto spec = ParseTokenizerJson(input.substr(0, end), "fuzz");
  if (!spec.ok()) return 0;
  const auto tokenizer = Tokenizer::Create(*std::move(spec));
  if (!tokenizer.ok()) return 0;
  if (end != input.npos) Check(**tokenizer, input.substr(end + 1));
  Check(**tokenizer, "Which caf\xc3\xa9 \xe4\xb8\xad<x> [U]  ab\r\n 12\xff");
  for (const TokenId id : (*tokenizer)->EncodePrompt("")) {
    Require((*tokenizer)->vocabulary().Contains(id));
  }
  return 0;
}
