// Writes the prompt, one line for each fact (docs/formats/prompt.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/product.h"
#include "services/grounding/source.h"
#include "services/models/text_generator.h"

namespace emptor::services {

inline constexpr std::string_view kPromptVersion = "catalog-lines/1";
inline constexpr size_t kMaxPromptSources = 6;
inline constexpr size_t kMaxExcerptBytes = 240;  // of a document

struct PromptInput {
  std::vector<Source> sources;  // products in rank order, then documents; at most six
  std::string question;
  std::optional<catalog::Money> budget;
  int64_t now_unix = 0;
  catalog::Market market = {};
  PromptStyle style = PromptStyle::kReferences;  // others explain the notation first
  /// Token budget of the lines. Details are left out first, then whole sources from the end.
  int max_tokens = 640;
};

struct Prompt {
  /// System (the lines), user (the question). With examples: system (the explanation), then user
  /// (lines and question) and assistant for each of them, then user (the lines, the question).
  std::vector<GeneratorMessage> messages;
  std::vector<std::string> references;  // all references to the lines: "[1]", "[1:price]"
  size_t sources = 0;                   // how many of the sources are in it
  std::string hash;  // 16 hex digits over version and messages: identifies the prompt
};

/// Pure: equal inputs give equal prompts.
Prompt BuildPrompt(const PromptInput& input);

/// The passage lines alone, with at most `max_attributes` attributes a product.
std::string BuildPassageLines(const PromptInput& input, size_t sources, size_t max_attributes,
                              bool with_about);

/// Every reference to the lines, in their order.
std::vector<std::string> ReferencesOf(std::string_view lines);

/// An upper estimate of the tokens of a text under a byte-level BPE of a few thousand entries.
int EstimateTokens(std::string_view text);

}  // namespace emptor::services
