// Fuzz target of output formats that are JSON schemas: whatever compiles has no dead end, and the
// text that its masks lead to is JSON.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_tree.h"
#include "engine/structure/grammar_compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::engine;
  static const std::vector<std::string> bytes = [] {
    std::vector<std::string> tokens;
    for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
    return tokens;
  }();
  if (size > 4096) return 0;
  const std::string_view schema(reinterpret_cast<const char*>(data), size);
  auto pushdown = CompilePushdown(GrammarCompiler::Kind::kJsonSchema, schema);
  if (!pushdown.ok()) return 0;
  const OutputGrammar grammar(std::make_shared<const VocabularyTrie>(bytes), std::move(*pushdown));
  OutputGrammar::Position position = grammar.Start();
  std::string text;
  for (size_t step = 0; step < 256 && !grammar.accepts(position); ++step) {
    std::vector<float> logits(bytes.size(), 0.0f);
    grammar.MaskInto(position, {}, logits);
    // Bytes that close come first, then the one that the input picks.
    int32_t chosen = -1;
    for (const char byte : std::string_view("\"}]")) {
      if (chosen < 0 && !std::isinf(logits[static_cast<uint8_t>(byte)])) chosen = byte;
    }
    for (size_t i = 0; i < 256 && chosen < 0; ++i) {
      const size_t byte = (data[step % size] + i) % 256;
      if (!std::isinf(logits[byte])) chosen = static_cast<int32_t>(byte);
    }
    if (chosen < 0 || !grammar.Accept(position, chosen)) std::abort();
    text += static_cast<char>(chosen);
  }
  if (grammar.accepts(position)) {
    const auto value = JsonTree::Parse(text, {.max_depth = 256});
    const bool repeats = value.status().ToString().find("uplicate") != std::string::npos;
    if (!value.ok() && !repeats) std::abort();
  }
  return 0;
}
