// The rules of an answer together: log-probabilities, ends, seeds and constraints.
#include "engine/choice_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/json/json_tree.h"
#include "engine/structure/grammar_compiler.h"

namespace emptor::engine {
namespace {

constexpr int32_t kEnd = 256;

std::vector<std::string> ByteTokens() {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  tokens.emplace_back();
  return tokens;
}

class ChoiceSamplerTest : public ::testing::Test {
 protected:
  static std::vector<float> Row(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal(0, 3);
    std::vector<float> logits(257);
    for (float& logit : logits) logit = normal(random);
    return logits;
  }
  static std::vector<float> Only(int32_t token) {
    std::vector<float> logits(257, -10.0f);
    logits[static_cast<size_t>(token)] = 10;
    return logits;
  }
  std::shared_ptr<const OutputGrammar> Grammar(const std::string& schema) {
    auto grammar = compiler_.Compile(GrammarCompiler::Kind::kJsonSchema, schema);
    EXPECT_TRUE(grammar.ok()) << grammar.status();
    return *grammar;
  }

  const TokenTable table_{ByteTokens(), {kEnd}};
  GrammarCompiler compiler_{ByteTokens()};
  SamplingParams sampling_;
};

TEST_F(ChoiceSamplerTest, LogprobsAreThoseOfTheUntouchedLogits) {
  sampling_ = {};
  sampling_.temperature = 0.5f;
  sampling_.top_k = 3;
  sampling_.logit_bias = {{7, 50.0f}};
  sampling_.logprobs = 20;
  ChoiceSampler sampler(table_, {.sampling = sampling_});
  const std::vector<float> raw = Row(1);
  std::vector<float> logits = raw;
  const auto token = sampler.Next(logits);
  ASSERT_TRUE(token);
  EXPECT_EQ(token->id, 7);
  double sum = 0;
  for (const float logit : raw) sum += std::exp(static_cast<double>(logit));
  EXPECT_NEAR(token->logprob, static_cast<double>(raw[7]) - std::log(sum), 1e-5);
  ASSERT_EQ(token->top.size(), 20u);
  for (size_t i = 0; i < token->top.size(); ++i) {
    const TokenLogprob& top = token->top[i];
    EXPECT_NEAR(top.logprob, static_cast<double>(raw[static_cast<size_t>(top.id)]) - std::log(sum),
                1e-5);
    if (i > 0) {
      EXPECT_LE(top.logprob, token->top[i - 1].logprob);
    }
  }
  EXPECT_EQ(token->top[0].id, std::max_element(raw.begin(), raw.end()) - raw.begin());
}

TEST_F(ChoiceSamplerTest, EachAnswerHasAStreamOfItsOwnAndTheFirstIsThatOfTheSeed) {
  sampling_ = {};
  sampling_.temperature = 1;
  sampling_.seed = 9;
  std::vector<std::vector<int32_t>> answers;
  for (const int choice : {0, 1, 2, 0, 1}) {
    ChoiceSampler sampler(table_, {.sampling = sampling_, .choice = choice});
    std::vector<int32_t> tokens;
    for (uint64_t i = 0; i < 30; ++i) {
      std::vector<float> logits = Row(i);
      tokens.push_back(sampler.Next(logits)->id);
    }
    answers.push_back(tokens);
  }
  EXPECT_EQ(answers[0], answers[3]);
  EXPECT_EQ(answers[1], answers[4]);
  EXPECT_NE(answers[0], answers[1]);
  EXPECT_NE(answers[1], answers[2]);
}

TEST_F(ChoiceSamplerTest, DoesNotEndBeforeMinTokensNorWhereTheEndIsIgnored) {
  sampling_ = {};
  sampling_.min_tokens = 2;
  sampling_.stop_tokens = {'s'};
  ChoiceSampler sampler(table_, {.sampling = sampling_});
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(sampler.may_stop() && i < 2);
    std::vector<float> logits = Only(i == 0 ? kEnd : 's');
    sampler.Next(logits);
    EXPECT_FALSE(sampler.ended());
  }
  EXPECT_TRUE(sampler.may_stop());
  std::vector<float> logits = Only('s');
  EXPECT_EQ(sampler.Next(logits)->id, 's');
  EXPECT_TRUE(sampler.ended());

  sampling_ = {};
  sampling_.ignore_end = true;
  ChoiceSampler endless(table_, {.sampling = sampling_});
  logits = Only(kEnd);
  EXPECT_NE(endless.Next(logits)->id, kEnd);
}

TEST_F(ChoiceSamplerTest, AFormatThatIsCompleteEndsTheAnswer) {
  sampling_ = {};
  sampling_.min_tokens = 50;
  sampling_.ignore_end = true;
  ChoiceSampler sampler(table_, {.sampling = sampling_, .grammar = Grammar(R"({"const":"ab"})")});
  std::string text;
  while (!sampler.complete()) {
    std::vector<float> logits = Row(text.size());
    const auto token = sampler.Next(logits);
    ASSERT_TRUE(token);
    text += token->bytes;
  }
  EXPECT_EQ(text, "\"ab\"");
}

TEST_F(ChoiceSamplerTest, FormatAndReferencesHoldAtOnce) {
  const std::vector<std::string> references = {"[1]", "[2:price]"};
  const auto grammar =
      *compiler_.Compile(GrammarCompiler::Kind::kRegex, "(see \\[[0-9a-z:]{1,12}\\]\\. ){3}");
  for (uint64_t seed = 0; seed < 20; ++seed) {
    sampling_ = {};
    sampling_.temperature = 2;
    sampling_.seed = seed;
    ChoiceSampler sampler(table_,
                          {.sampling = sampling_, .references = &references, .grammar = grammar});
    std::string text;
    for (int i = 0; i < 100 && !sampler.complete(); ++i) {
      std::vector<float> logits = Row(seed * 100 + static_cast<uint64_t>(i));
      const auto token = sampler.Next(logits);
      ASSERT_TRUE(token) << text << sampler.failure();
      text += token->bytes;
    }
    EXPECT_TRUE(sampler.complete()) << text;
    EXPECT_TRUE(text.find("[1]") != std::string::npos ||
                text.find("[2:price]") != std::string::npos);
  }
}

TEST_F(ChoiceSamplerTest, SaysWhyNoTokenFollows) {
  std::vector<std::string> letters = {"a", "b", ""};
  GrammarCompiler compiler(letters);
  const TokenTable table(letters, {2});
  ChoiceSampler sampler(table,
                        {.sampling = sampling_,
                         .grammar = *compiler.Compile(GrammarCompiler::Kind::kJsonObject, "")});
  std::vector<float> logits = {1, 2, 3};
  EXPECT_FALSE(sampler.Next(logits));
  EXPECT_EQ(sampler.failure().code(), absl::StatusCode::kFailedPrecondition);

  ChoiceSampler broken(table, {.sampling = sampling_});
  logits = {NAN, NAN, INFINITY};
  EXPECT_FALSE(broken.Next(logits));
  EXPECT_EQ(broken.failure().code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace emptor::engine
