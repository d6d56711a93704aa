// Questions with their passage lines and good answers, for models that were not trained on
// references.
#pragma once

#include <span>
#include <string_view>

namespace emptor::services {

struct PromptExample {
  std::string_view lines, question, answer;
};

/// Few and short: each question is sent with all of them. Their goods exist in no shop.
std::span<const PromptExample> PromptExamples();

}  // namespace emptor::services
