// Compiles output formats to grammars over one model's vocabulary.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/structure/output_grammar.h"

namespace emptor::engine {

/// Compiles on the caller's thread, within bounds of size and work that do not depend on the clock,
/// and keeps the grammars used last. Thread-safety: all methods, from any thread.
class GrammarCompiler {
 public:
  static constexpr size_t kMaxDefinitionBytes = 64 << 10;

  enum class Kind { kJsonObject, kJsonSchema, kRegex };

  /// `token_bytes` by token id; empty for tokens that add no text.
  explicit GrammarCompiler(std::vector<std::string> token_bytes);

  /// Errors: kInvalidArgument: `format: json_schema: #/properties/a: ...`.
  absl::StatusOr<std::shared_ptr<const OutputGrammar>> Compile(Kind kind,
                                                               std::string_view definition);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const OutputGrammar>>;

  std::shared_ptr<const VocabularyTrie> Trie();
  std::shared_ptr<const OutputGrammar> Find(const std::string& key);
  void Keep(const std::string& key, const std::shared_ptr<const OutputGrammar>& grammar);

  std::mutex mutex_;
  std::vector<std::string> token_bytes_;        // guarded by mutex_; moved into the trie
  std::shared_ptr<const VocabularyTrie> trie_;  // guarded by mutex_; made at first use
  std::list<Entry> entries_;                    // guarded by mutex_; used last in front
  std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;  // guarded by mutex_
};

/// The automaton of a format, as the compiler makes it. Errors: as Compile's.
absl::StatusOr<Pushdown> CompilePushdown(GrammarCompiler::Kind kind, std::string_view definition);

}  // namespace emptor::engine
