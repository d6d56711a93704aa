// Model numbers, then the tokenizer; whatever GGUF has no key for is refused.
#include "engine/conversion/gguf_keys.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/tokenizer/byte_alphabet.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

absl::Status NoKey(std::string_view what) {
  return absl::UnimplementedError(fmt::format("{}: GGUF has no key for it", what));
}

absl::Status AddRope(const RopeConfig& rope, const std::string& prefix, GgufHead& head) {
  head.AddUint32(prefix + "dimension_count", static_cast<uint32_t>(rope.dims));
  head.AddFloat(prefix + "freq_base", rope.base);
  if (rope.scaling == RopeConfig::Scaling::kLinear) {
    head.AddString(prefix + "scaling.type", "linear");
    head.AddFloat(prefix + "scaling.factor", rope.factor);
  } else if (rope.scaling == RopeConfig::Scaling::kYarn) {
    if (!rope.whole_turns) return NoKey("YaRN with \"truncate\" off");
    head.AddString(prefix + "scaling.type", "yarn");
    head.AddFloat(prefix + "scaling.factor", rope.factor);
    head.AddUint32(prefix + "scaling.original_context_length",
                   static_cast<uint32_t>(rope.original_context));
    head.AddFloat(prefix + "scaling.yarn_beta_fast", rope.fast_turns);
    head.AddFloat(prefix + "scaling.yarn_beta_slow", rope.slow_turns);
    head.AddFloat(prefix + "scaling.attn_factor",
                  rope.attention_factor / YarnAttentionFactor(rope.factor));
  }
  return absl::OkStatus();
}

/// Whether GGUF's rules find all added tokens alike: in raw text, longest first, without the blanks
/// around them.
bool FindsAddedTokensRaw(const TextRules& rules) {
  const auto raw = [&](const AddedTokenRule& rule) {
    const bool takes_blanks = rule.takes_blanks_before || rule.takes_blanks_behind;
    return !takes_blanks && (!rule.normalized || rules.normalizer.empty());
  };
  const auto normalized = [](const AddedTokenRule& rule) { return rule.normalized; };
  const auto& tokens = rules.added_tokens;
  const bool alike = std::all_of(tokens.begin(), tokens.end(), normalized) ||
                     std::none_of(tokens.begin(), tokens.end(), normalized);
  return alike && std::all_of(tokens.begin(), tokens.end(), raw);
}

bool HasEveryByte(const VocabularySpec& spec) {
  const std::unordered_set<std::string_view> tokens(spec.tokens.begin(), spec.tokens.end());
  for (int byte = 0; byte < 256; ++byte) {
    if (!tokens.contains(ByteAlphabet::Get().Encode(static_cast<uint8_t>(byte)))) return false;
  }
  return true;
}

absl::Status AddByteLevel(const VocabularySpec& spec, GgufHead& head) {
  PreTokenizerTraits traits = spec.pre_tokenizer;
  std::optional<std::string_view> name;
  if (!spec.text_rules) {
    name = FindPreTokenizerName(SplitRules(traits.rules), traits.nfc, traits.whole_words_first);
  } else {
    const TextRules& rules = *spec.text_rules;
    const bool nfc =
        rules.normalizer.size() == 1 && rules.normalizer[0].kind == NormalizerStep::Kind::kNfc;
    if (!rules.normalizer.empty() && !nfc) return NoKey("tokenizer.json: normalizer");
    if (rules.blank_in_front) return NoKey("tokenizer.json: add_prefix_space");
    if (!FindsAddedTokensRaw(rules)) return NoKey("tokenizer.json: the rules of added_tokens");
    if (spec.unknown && !HasEveryByte(spec)) {
      return NoKey("tokenizer.json: unk_token for bytes that are no tokens");
    }
    name = FindPreTokenizerName(rules.stages, nfc, traits.whole_words_first);
  }
  if (!name) return NoKey("tokenizer.json: pre_tokenizer with this normalizer and ignore_merges");
  head.AddString("tokenizer.ggml.model", "gpt2");
  head.AddString("tokenizer.ggml.pre", *name);
  return absl::OkStatus();
}

/// A blank in front of the text and U+2581 for blanks, as normalizers; nothing else.
bool IsLlama2(const TextRules& rules) {
  using Kind = NormalizerStep::Kind;
  constexpr std::string_view kMark = "\xe2\x96\x81";
  const auto& steps = rules.normalizer;
  return steps.size() == 2 && steps[0].kind == Kind::kPrepend && steps[0].with == kMark &&
         steps[1].kind == Kind::kReplace && steps[1].what == " " && steps[1].with == kMark &&
         rules.words == WordSplit::kNone && rules.blanks == TextRules::BlankMarks::kNone &&
         rules.added_tokens.empty();
}

/// Readers that rank by scores merge as the list says: a token's score is the place of the first
/// merge that makes it.
std::vector<float> ScoresOfMerges(const VocabularySpec& spec) {
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < spec.merges.size(); ++i) {
    std::string made = spec.merges[i];
    made.erase(std::min(made.find(' '), made.size() - 1), 1);
    places.emplace(std::move(made), i);
  }
  std::vector<float> scores;
  for (const std::string& token : spec.tokens) {
    const auto place = places.find(token);
    const size_t rank = place == places.end() ? spec.merges.size() : place->second;
    scores.push_back(-static_cast<float>(rank));
  }
  return scores;
}

absl::Status AddSentencePiece(const VocabularySpec& spec, GgufHead& head) {
  if (spec.text_rules && !(IsLlama2(*spec.text_rules) && spec.add_space_prefix)) {
    return NoKey("tokenizer.json: normalizer and pre_tokenizer of this BPE without ByteLevel");
  }
  const bool unknowns_alone = spec.text_rules && !spec.fuse_unknown;
  if (unknowns_alone && std::count(spec.types.begin(), spec.types.end(), TokenType::kByte) < 256) {
    return NoKey("tokenizer.json: fuse_unk false");
  }
  head.AddString("tokenizer.ggml.model", "llama");
  head.AddBool("tokenizer.ggml.add_space_prefix", true);
  head.AddFloats("tokenizer.ggml.scores", ScoresOfMerges(spec));
  return absl::OkStatus();
}

absl::Status AddSpecialTokens(const VocabularySpec& spec, GgufHead& head) {
  const auto add = [&](const char* name, std::optional<TokenId> id) {
    if (id) {
      head.AddUint32(fmt::format("tokenizer.ggml.{}_token_id", name), static_cast<uint32_t>(*id));
    }
  };
  std::vector<TokenId> ends = spec.more_ends;
  if (spec.eot) ends.insert(ends.begin(), *spec.eot);
  if (ends.size() > 2) {
    return NoKey(fmt::format("{} end tokens: three are the most", ends.size() + 1));
  }
  add("bos", spec.bos);
  add("eos", spec.eos);
  add("unknown", spec.unknown);
  if (!ends.empty()) add("eot", ends[0]);
  if (ends.size() > 1) add("eom", ends[1]);
  head.AddBool("tokenizer.ggml.add_bos_token", spec.add_bos);
  return absl::OkStatus();
}

}  // namespace

absl::Status AddModelKeys(const ModelConfig& c, GgufHead& head) {
  const std::string prefix = std::string(GgufArchitecture(c)) + '.';
  const auto number = [&](const char* name, int value) {
    head.AddUint32(prefix + name, static_cast<uint32_t>(value));
  };
  const auto other = [&](int window) { return window != c.windows.front(); };
  if (std::any_of(c.windows.begin(), c.windows.end(), other)) {
    return NoKey("config.json: a window of some layers alone");
  }
  head.AddString("general.architecture", GgufArchitecture(c));
  number("context_length", c.context);
  number("embedding_length", c.hidden_size);
  number("block_count", c.layers);
  number("feed_forward_length", c.intermediate_size);
  number("attention.head_count", c.heads);
  number("attention.head_count_kv", c.kv_heads);
  number("attention.key_length", c.head_dim);
  number("attention.value_length", c.head_dim);
  head.AddFloat(prefix + "attention.layer_norm_rms_epsilon", c.norm_epsilon);
  number("vocab_size", c.vocabulary);
  if (!c.windows.empty() && c.windows.front() > 0) {
    number("attention.sliding_window", c.windows.front());
  }
  if (c.experts > 0) {
    number("expert_count", c.experts);
    number("expert_used_count", c.experts_used);
  }
  return AddRope(c.rope, prefix + "rope.", head);
}

absl::Status AddTokenizerKeys(const VocabularySpec& spec, GgufHead& head) {
  absl::Status status = NoKey("tokenizer.json: a model that is not BPE");
  if (spec.kind == TokenizerKind::kByteLevelBpe) status = AddByteLevel(spec, head);
  if (spec.kind == TokenizerKind::kSentencePiece) status = AddSentencePiece(spec, head);
  if (!status.ok()) return status;
  std::vector<int32_t> types;
  for (const TokenType type : spec.types) types.push_back(static_cast<int32_t>(type));
  types.resize(spec.tokens.size(), static_cast<int32_t>(TokenType::kNormal));
  head.AddStrings("tokenizer.ggml.tokens", spec.tokens);
  head.AddInts("tokenizer.ggml.token_type", types);
  if (!spec.merges.empty()) head.AddStrings("tokenizer.ggml.merges", spec.merges);
  return AddSpecialTokens(spec, head);
}

}  // namespace emptor::engine
