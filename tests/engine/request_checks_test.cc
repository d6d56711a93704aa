// Every field of the sampling parameters is checked, and named when it is refused.
#include "engine/request_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace emptor::engine {
namespace {

using ::testing::HasSubstr;

TEST(RequestChecksTest, NamesTheSamplingFieldAndWhatWasFound) {
  struct Case {
    std::function<void(SamplingParams&)> set;
    const char* message;
  };
  const std::vector<Case> cases = {
      {[](auto& s) { s.temperature = -1; }, "temperature: expected 0 to 100, found -1"},
      {[](auto& s) { s.temperature = NAN; }, "temperature: expected 0 to 100, found nan"},
      {[](auto& s) { s.top_k = -1; }, "top_k: expected 0 to 2147483647, found -1"},
      {[](auto& s) { s.top_p = 0; }, "top_p: expected above 0, at most 1, found 0"},
      {[](auto& s) { s.top_p = INFINITY; }, "top_p: expected above 0, at most 1, found inf"},
      {[](auto& s) { s.min_p = 1.5f; }, "min_p: expected 0 to 1, found 1.5"},
      {[](auto& s) { s.repetition_penalty = 0; }, "repetition_penalty: expected above 0"},
      {[](auto& s) { s.presence_penalty = 2.5f; }, "presence_penalty: expected -2 to 2, found 2.5"},
      {[](auto& s) { s.frequency_penalty = NAN; },
       "frequency_penalty: expected -2 to 2, found nan"},
      {[](auto& s) { s.min_tokens = -4; }, "min_tokens: expected 0 to 2147483647, found -4"},
      {[](auto& s) { s.logprobs = 21; }, "logprobs: expected 0 to 20, found 21"},
      {[](auto& s) {
         s.logit_bias = {{50, 1.0f}};
       },
       "logit_bias: expected a token, 0 to 49, found 50"},
      {[](auto& s) {
         s.logit_bias = {{3, 101.0f}};
       },
       "logit_bias[3]: expected -100 to 100, found 101"},
      {[](auto& s) { s.logit_bias.resize(5000); }, "logit_bias: expected at most 4096, found 5000"},
      {[](auto& s) { s.stop = std::vector<std::string>(17, "x"); },
       "stop: expected at most 16, found 17"},
      {[](auto& s) { s.stop = {""}; }, "stop: expected 1 to 256 bytes, found 0"},
      {[](auto& s) {
         s.stop_tokens = {1, -1};
       },
       "stop_tokens[1]: expected a token, 0 to 49, found -1"},
      {[](auto& s) { s.stop_tokens.resize(65); }, "stop_tokens: expected at most 64, found 65"}};
  for (const Case& c : cases) {
    SamplingParams sampling;
    c.set(sampling);
    const absl::Status status = CheckSampling(sampling, 50);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message));
  }
}

TEST(RequestChecksTest, AllowsWhatIsWithinTheBounds) {
  SamplingParams sampling;
  EXPECT_TRUE(CheckSampling(sampling, 50).ok());
  sampling = {.temperature = 1,
              .top_k = 5,
              .top_p = 0.5f,
              .min_p = 1,
              .repetition_penalty = 1.2f,
              .presence_penalty = -2,
              .frequency_penalty = 2,
              .logit_bias = {{49, -100.0f}},
              .seed = ~uint64_t{0},
              .min_tokens = 3,
              .ignore_end = true,
              .stop = {"x"},
              .stop_tokens = {0},
              .logprobs = 20};
  EXPECT_TRUE(CheckSampling(sampling, 50).ok());
}

}  // namespace
}  // namespace emptor::engine
