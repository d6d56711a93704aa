// Writes the prompt: one line a fact, as docs/formats/prompt.md says.
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
  /// True for a model that was trained on the notation; others get an explanation in front.
  bool speaks_references = true;
  /// Room for the lines, in tokens. Details go first, then whole sources from the end.
  int max_tokens = 640;
};

struct Prompt {
  std::vector<GeneratorMessage> messages;  // system (the lines), user (the question)
  std::vector<std::string> references;     // all that the lines can fill: "[1]", "[1:price]"
  size_t sources = 0;                      // how many of the sources are in it
  int estimated_tokens = 0;
  std::string hash;  // 16 hex digits over version and messages: which prompt made an answer
};

/// Pure: equal inputs give equal prompts.
Prompt BuildPrompt(const PromptInput& input);

/// The passage lines alone, with at most `max_attributes` attributes a product.
std::string BuildPassageLines(const PromptInput& input, size_t sources, size_t max_attributes,
                              bool with_about);

/// Every reference that the lines can fill, in their order.
std::vector<std::string> ReferencesOf(std::string_view lines);

/// An upper estimate of the tokens of a text under a byte-level BPE of a few thousand entries.
int EstimateTokens(std::string_view text);

}  // namespace emptor::services
