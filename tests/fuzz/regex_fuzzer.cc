// Fuzz target of output formats that are regular expressions: parsed, compiled, walked.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/structure/grammar_compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace emptor::engine;
  const std::string_view pattern(reinterpret_cast<const char*>(data), std::min<size_t>(size, 512));
  auto pushdown = CompilePushdown(GrammarCompiler::Kind::kRegex, pattern);
  if (!pushdown.ok()) return 0;
  // The pattern read as a text of its own, and bytes that patterns often want.
  Pushdown::Position position = pushdown->Start();
  int accepted = 0;
  for (size_t i = 0; i < 64; ++i) {
    const uint8_t bytes[] = {i < size ? data[i] : uint8_t{'a'}, 'a', '0', 0xc3, 0xa9};
    for (const uint8_t byte : bytes) {
      Pushdown::Position next = position;
      if (!pushdown->Advance(next, byte)) continue;
      position = next;
      accepted += pushdown->accepts(position) ? 1 : 0;
      break;
    }
  }
  return accepted > 64 ? -1 : 0;
}
