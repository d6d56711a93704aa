// Limits, and the grammars used last.
#include "engine/structure/grammar_compiler.h"

#include "engine/structure/json_rules.h"
#include "engine/structure/json_schema.h"
#include "engine/structure/regex.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxStates = 1 << 17;
constexpr size_t kMaxLocals = 1 << 15;
constexpr size_t kMaxWork = 4'000'000;
constexpr size_t kKept = 16;

std::string_view NameOf(GrammarCompiler::Kind kind) {
  switch (kind) {
    case GrammarCompiler::Kind::kJsonObject:
      return "json_object";
    case GrammarCompiler::Kind::kJsonSchema:
      return "json_schema";
    case GrammarCompiler::Kind::kRegex:
      return "regex";
  }
  return "";
}

absl::Status BuildRegex(std::string_view pattern, NfaBuilder& builder) {
  const absl::StatusOr<Regex> regex = Regex::Parse(pattern);
  if (!regex.ok()) return regex.status();
  const NfaRuleId rule = builder.AddRule();
  builder.SetRule(rule, regex->BuildInto(builder, Regex::Spelling::kPlain, builder.End()));
  return absl::OkStatus();
}

absl::Status BuildInto(GrammarCompiler::Kind kind, std::string_view definition,
                       NfaBuilder& builder) {
  switch (kind) {
    case GrammarCompiler::Kind::kJsonObject:
      JsonRules(builder).Object();
      return absl::OkStatus();
    case GrammarCompiler::Kind::kJsonSchema:
      return BuildJsonSchema(definition, builder);
    case GrammarCompiler::Kind::kRegex:
      return BuildRegex(definition, builder);
  }
  return absl::InvalidArgumentError("unknown kind");
}

}  // namespace

absl::StatusOr<Pushdown> CompilePushdown(GrammarCompiler::Kind kind, std::string_view definition) {
  const auto error = [kind](std::string_view what) {
    return absl::InvalidArgumentError(fmt::format("format: {}: {}", NameOf(kind), what));
  };
  if (definition.size() > GrammarCompiler::kMaxDefinitionBytes) {
    return error(fmt::format("expected at most {} bytes, found {}",
                             GrammarCompiler::kMaxDefinitionBytes, definition.size()));
  }
  NfaBuilder builder(kMaxStates);
  const absl::Status built = BuildInto(kind, definition, builder);
  if (!built.ok()) return error({built.message().data(), built.message().size()});
  if (builder.full()) return error(fmt::format("expected at most {} states", kMaxStates));
  absl::StatusOr<Pushdown> pushdown = Pushdown::Create(builder.Take(), kMaxLocals, kMaxWork);
  if (!pushdown.ok()) {
    const auto what = pushdown.status().message();
    return error({what.data(), what.size()});
  }
  return pushdown;
}

GrammarCompiler::GrammarCompiler(std::vector<std::string> token_bytes)
    : token_bytes_(std::move(token_bytes)) {}

std::shared_ptr<const VocabularyTrie> GrammarCompiler::Trie() {
  const std::lock_guard lock(mutex_);
  if (!trie_) trie_ = std::make_shared<const VocabularyTrie>(std::move(token_bytes_));
  return trie_;
}

std::shared_ptr<const OutputGrammar> GrammarCompiler::Find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return entries_.front().second;
}

void GrammarCompiler::Keep(const std::string& key,
                           const std::shared_ptr<const OutputGrammar>& grammar) {
  const std::lock_guard lock(mutex_);
  if (places_.contains(key)) return;
  entries_.emplace_front(key, grammar);
  places_.emplace(entries_.front().first, entries_.begin());
  if (entries_.size() <= kKept) return;
  places_.erase(entries_.back().first);
  entries_.pop_back();
}

absl::StatusOr<std::shared_ptr<const OutputGrammar>> GrammarCompiler::Compile(
    Kind kind, std::string_view definition) {
  // The text of the definition is unused for a JSON object.
  const std::string_view text = kind == Kind::kJsonObject ? std::string_view() : definition;
  const std::string key = fmt::format("{}:{}", NameOf(kind), text);
  if (std::shared_ptr<const OutputGrammar> known = Find(key)) return known;
  absl::StatusOr<Pushdown> pushdown = CompilePushdown(kind, text);
  if (!pushdown.ok()) return pushdown.status();
  auto grammar = std::make_shared<const OutputGrammar>(Trie(), std::move(*pushdown));
  Keep(key, grammar);
  return grammar;
}

}  // namespace emptor::engine
