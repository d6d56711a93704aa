// Texts go through the model one token at a step, several texts side by side.
#include "engine/quality/perplexity.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/json/json_tree.h"
#include "engine/loading/model_loader.h"
#include "engine/model/transformer.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr int kBlockTokens = 16;
constexpr int kSideBySide = 16;

/// Tokens that are read together, and the text that they are of.
struct Window {
  std::vector<int32_t> tokens;
  size_t text = 0;
};

absl::StatusOr<std::vector<int32_t>> TokensOf(const QualityText& text, const Tokenizer& tokenizer,
                                              const ChatTemplate& layout) {
  if (text.messages.empty()) return tokenizer.EncodePrompt(text.text);
  std::vector<ChatTurn> turns;
  for (const ChatMessage& message : text.messages) turns.push_back({message.role, message.content});
  turns.pop_back();
  auto tokens = layout.Encode(tokenizer, turns);
  if (!tokens.ok()) return tokens;
  tokenizer.EncodeInto(text.messages.back().content, *tokens);
  return tokens;
}

double LogProbability(std::span<const float> logits, int32_t token) {
  const float most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit - most));
  return static_cast<double>(logits[static_cast<size_t>(token)] - most) - std::log(sum);
}

/// Runs windows in the slots of a batch; a slot takes the next window when its own has ended.
class Predictor {
 public:
  Predictor(Transformer& model, std::span<const Window> windows, int blocks_of_slot)
      : model_(model), windows_(windows) {
    for (int i = 0; i < kSideBySide; ++i) {
      Slot& slot = slots_.emplace_back();
      for (int b = 0; b < blocks_of_slot; ++b)
        slot.blocks.push_back(BlockId{i * blocks_of_slot + b});
    }
    logits_.resize(static_cast<size_t>(model.vocabulary_size()) * kSideBySide);
  }

  void RunInto(Perplexity& result) {
    while (true) {
      std::vector<Slot*> taken;
      std::vector<SequenceStep> steps;
      for (Slot& slot : slots_) {
        if (slot.window == nullptr && next_ < windows_.size()) {
          slot.window = &windows_[next_++];
          slot.position = 0;
        }
        if (slot.window == nullptr) continue;
        taken.push_back(&slot);
        const auto at = static_cast<size_t>(slot.position);
        steps.push_back({std::span(slot.window->tokens).subspan(at, 1), slot.position, slot.blocks,
                         /*logit_rows=*/1});
      }
      if (taken.empty()) return;
      const auto row = static_cast<size_t>(model_.vocabulary_size());
      model_.ComputeInto(steps, std::span(logits_).first(row * taken.size()));
      for (size_t i = 0; i < taken.size(); ++i) {
        Take(*taken[i], std::span(logits_).subspan(row * i, row), result);
      }
    }
  }

 private:
  struct Slot {
    const Window* window = nullptr;
    int position = 0;
    std::vector<BlockId> blocks;
  };

  static void Take(Slot& slot, std::span<const float> logits, Perplexity& result) {
    const std::vector<int32_t>& tokens = slot.window->tokens;
    const double log = LogProbability(logits, tokens[static_cast<size_t>(++slot.position)]);
    result.log_likelihood += log;
    result.of_text[slot.window->text] += log;
    ++result.tokens;
    if (slot.position + 1 == std::ssize(tokens)) slot.window = nullptr;
  }

  Transformer& model_;
  std::span<const Window> windows_;
  std::vector<Slot> slots_;
  std::vector<float> logits_;
  size_t next_ = 0;
};

absl::StatusOr<QualityText> ParseLine(std::string_view line) {
  const auto tree = JsonTree::Parse(line);
  if (!tree.ok()) return tree.status();
  const auto refuse = [](std::string_view what) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: expected {{\"text\"}} or {{\"messages\": [{{\"role\", \"content\"}}]}}", what));
  };
  QualityText text;
  if (const auto plain = tree->root().Find("text"); plain && plain->is_string()) {
    text.text = plain->as_string();
    return text;
  }
  const auto messages = tree->root().Find("messages");
  if (!messages || !messages->is_array()) return refuse("messages");
  for (const JsonView& message : messages->Items()) {
    const auto role = message.Find("role");
    const auto content = message.Find("content");
    if (!role || !role->is_string() || !content || !content->is_string()) return refuse("messages");
    text.messages.push_back({std::string(role->as_string()), std::string(content->as_string())});
  }
  if (text.messages.size() < 2 || text.messages.back().role != "assistant") {
    return absl::InvalidArgumentError(
        "messages: expected an assistant's message as the last of two");
  }
  return text;
}

absl::StatusOr<std::vector<Window>> WindowsOf(std::span<const QualityText> texts,
                                              const ModelSource& source, int window) {
  const auto tokenizer = ReadModelTokenizer(source);
  if (!tokenizer.ok()) return tokenizer.status();
  const auto layout = ReadModelChatTemplate(source);
  if (!layout.ok()) return layout.status();
  std::vector<Window> windows;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto tokens = TokensOf(texts[i], **tokenizer, *layout);
    if (!tokens.ok()) return tokens.status();
    for (size_t at = 0; at + 1 < tokens->size(); at += static_cast<size_t>(window)) {
      const size_t end = std::min(tokens->size(), at + static_cast<size_t>(window));
      if (end - at < 2) break;
      windows.push_back({{tokens->begin() + static_cast<ptrdiff_t>(at),
                          tokens->begin() + static_cast<ptrdiff_t>(end)},
                         i});
    }
  }
  if (windows.empty()) return absl::InvalidArgumentError("perplexity: nothing to predict");
  return windows;
}

}  // namespace

absl::StatusOr<std::vector<QualityText>> ParseQualityTexts(std::string_view jsonl) {
  std::vector<QualityText> texts;
  for (int number = 1; !jsonl.empty(); ++number) {
    const size_t end = std::min(jsonl.find('\n'), jsonl.size());
    const std::string_view line = jsonl.substr(0, end);
    jsonl.remove_prefix(std::min(end + 1, jsonl.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto text = ParseLine(line);
    if (!text.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("line {}: {}", number, std::string(text.status().message())));
    }
    texts.push_back(*std::move(text));
  }
  return texts;
}

absl::StatusOr<Perplexity> MeasurePerplexity(const std::string& model_path,
                                             std::span<const QualityText> texts,
                                             const PerplexityOptions& options) {
  if (options.window < 2) {
    return absl::InvalidArgumentError(
        fmt::format("perplexity: window: expected at least 2, found {}", options.window));
  }
  const auto source = LoadModelSource(model_path);
  if (!source.ok()) return source.status();
  const auto config = (*source)->Config();
  if (!config.ok()) return config.status();
  const int window = std::min(options.window, config->context);
  const auto windows = WindowsOf(texts, **source, window);
  if (!windows.ok()) return windows.status();
  const int blocks = (window + kBlockTokens - 1) / kBlockTokens;
  const auto model = Transformer::Create(*source, {.blocks = blocks * kSideBySide,
                                                   .block_tokens = kBlockTokens,
                                                   .max_step_tokens = kSideBySide,
                                                   .threads = options.threads,
                                                   .kv_type = options.kv_type,
                                                   .isa = options.isa});
  if (!model.ok()) return model.status();
  Perplexity result;
  result.of_text.resize(texts.size());
  Predictor(**model, *windows, blocks).RunInto(result);
  return result;
}

}  // namespace emptor::engine
