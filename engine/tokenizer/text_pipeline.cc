// Sorts the user-defined tokens into those of raw and those of normalised text.
#include "engine/tokenizer/text_pipeline.h"

#include <unordered_map>
#include <utility>

namespace emptor::engine {

absl::StatusOr<TextPipeline> TextPipeline::Create(const Vocabulary& vocabulary) {
  TextPipeline pipeline;
  const VocabularySpec& spec = vocabulary.spec();
  std::vector<NormalizerStep> steps;
  if (spec.text_rules) {
    steps = spec.text_rules->normalizer;
  } else if (spec.pre_tokenizer.nfc) {
    steps.push_back({NormalizerStep::Kind::kNfc, "", ""});
  }
  absl::StatusOr<TextNormalizer> normalizer = TextNormalizer::Create(std::move(steps));
  if (!normalizer.ok()) return normalizer.status();
  pipeline.normalizer_ = std::move(*normalizer);
  if (!spec.text_rules) {
    pipeline.raw_tokens_ = UserTokenMatcher(vocabulary);
    return pipeline;
  }
  std::unordered_map<TokenId, AddedTokenRule> rules;
  for (const AddedTokenRule& rule : spec.text_rules->added_tokens) rules[rule.id] = rule;
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.type(id) != TokenType::kUserDefined) continue;
    const AddedTokenRule rule = rules[id];
    const UserTokenMatcher::Blanks blanks = {rule.takes_blanks_before, rule.takes_blanks_behind};
    const std::string& text = spec.tokens[static_cast<size_t>(id)];
    if (!rule.normalized) {
      pipeline.raw_tokens_.Add(text, id, blanks);
      continue;
    }
    const std::string normal = pipeline.normalizer_.Normalize(text);
    if (!normal.empty()) pipeline.normalized_tokens_.Add(normal, id, blanks);
  }
  return pipeline;
}

std::string MarkBlanks(std::string_view text, bool in_front) {
  constexpr std::string_view kMark = "\xe2\x96\x81";
  std::string out;
  out.reserve(text.size() + text.size() / 2);
  if (in_front && !text.starts_with(kMark) && !text.starts_with(' ')) out += kMark;
  for (const char c : text) {
    if (c == ' ') {
      out += kMark;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace emptor::engine
