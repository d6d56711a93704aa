// Random texts of a grammar, token by token, with every mask held against single steps.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/structure/output_grammar.h"

namespace emptor::testing {

/// All bytes, some that JSON is often cut into, and last a token without bytes: the end.
inline std::vector<std::string> JsonTokens() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  for (const char* text :
       {"{\"",  "\":", "\": ",  "\",\"", "\", \"", "\"}",    "}}",   "}]",    "]}",   "],[",
        "[[",   "},{", "true",  "false", "null",   "tru",    "12",   "-1",    "0.",   "1e",
        ", ",   ",\n", "\n  ",  "  ",    "a",      "ab",     "abc",  "é",     "\xc3", "\xa9\"",
        "日本", "\\n", "\\\"",  "\\u00", "a\":",   "b\": [", "}, ",  "\"a\"", "\"]",  "1]",
        "2}",   "3,",  "2024-", "-0",    ":0",     "null}",  "\"\"", "[]",    "{}",   "]]]"}) {
    tokens.emplace_back(text);
  }
  tokens.emplace_back();
  return tokens;
}

class GrammarWalk {
 public:
  GrammarWalk(const engine::OutputGrammar& grammar, const std::vector<std::string>& tokens,
              uint64_t seed)
      : grammar_(grammar), tokens_(tokens), random_(seed), position_(grammar.Start()) {}

  /// A whole text, or nothing when `max_steps` tokens were not enough. `check_every`: how often the
  /// mask is held against Accept for every token.
  std::optional<std::string> Run(int max_steps, int check_every) {
    std::string text;
    const auto end = static_cast<int32_t>(tokens_.size() - 1);
    for (int step = 0; step < max_steps; ++step) {
      const std::vector<int32_t> allowed = Allowed();
      if (allowed.empty()) {
        ADD_FAILURE() << "a dead end behind " << text;
        return std::nullopt;
      }
      if (step % check_every == 0) CheckAgainstSteps(allowed, text);
      const int32_t token = Choose(allowed);
      if (token == end) return text;
      EXPECT_TRUE(grammar_.Accept(position_, token));
      text += tokens_[static_cast<size_t>(token)];
      if (grammar_.complete(position_)) return text;
    }
    return std::nullopt;
  }

 private:
  std::vector<int32_t> Allowed() const {
    std::vector<float> logits(tokens_.size(), 0.0f);
    const auto end = static_cast<int32_t>(tokens_.size() - 1);
    grammar_.MaskInto(position_, std::span(&end, 1), logits);
    std::vector<int32_t> allowed;
    for (size_t i = 0; i < logits.size(); ++i) {
      if (!std::isinf(logits[i])) allowed.push_back(static_cast<int32_t>(i));
    }
    return allowed;
  }

  void CheckAgainstSteps(const std::vector<int32_t>& allowed, const std::string& text) const {
    std::vector<int32_t> stepped;
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
      engine::OutputGrammar::Position copy = position_;
      if (grammar_.Accept(copy, static_cast<int32_t>(i))) {
        stepped.push_back(static_cast<int32_t>(i));
      }
    }
    if (grammar_.accepts(position_)) stepped.push_back(static_cast<int32_t>(tokens_.size() - 1));
    ASSERT_EQ(allowed, stepped) << "behind " << text;
  }

  /// Closing tokens are preferred, so that texts come to an end.
  int32_t Choose(const std::vector<int32_t>& allowed) {
    if (random_() % 2 == 0) {
      std::vector<int32_t> closing;
      for (const int32_t token : allowed) {
        const std::string& bytes = tokens_[static_cast<size_t>(token)];
        if (bytes.empty() || bytes == "\"" || bytes == "}" || bytes == "]") {
          closing.push_back(token);
        }
      }
      if (!closing.empty()) return closing[random_() % closing.size()];
    }
    return allowed[random_() % allowed.size()];
  }

  const engine::OutputGrammar& grammar_;
  const std::vector<std::string>& tokens_;
  std::mt19937_64 random_;
  engine::OutputGrammar::Position position_;
};

}  // namespace emptor::testing
