// What is asked of an endpoint, and which of its answers are believed.
#include "services/embedding/embedding_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "services/client/retry_policy.h"

namespace emptor::services {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Reply(const std::string& rows) { return R"({"object":"list","data":[)" + rows + "]}"; }

TEST(EmbeddingCodecTest, AsksForWhatWasSet) {
  const std::vector<std::string> texts = {"a \"b\"", "c"};
  EXPECT_EQ(EmbeddingCallJson({.model = "m", .texts = texts}),
            R"({"model":"m","input":["a \"b\"","c"],"encoding_format":"float"})");
  EXPECT_EQ(
      EmbeddingCallJson(
          {.model = "m", .texts = texts, .dimensions = 8, .base64 = true, .input_type = "query"}),
      R"({"model":"m","input":["a \"b\"","c"],"encoding_format":"base64",)"
      R"("dimensions":8,"input_type":"query"})");
}

TEST(EmbeddingCodecTest, PutsRowsWhereTheirIndexSaysAtLengthOne) {
  std::vector<float> out(4);
  const std::string json =
      Reply(R"({"index":1,"embedding":[0,2]},{"index":0,"embedding":"AABAQAAAgEA="})");  // 3, 4
  ASSERT_TRUE(ReadEmbeddingReply(json, 2, 2, out).ok());
  EXPECT_THAT(out, ElementsAre(0.6f, 0.8f, 0.0f, 1.0f));
}

TEST(EmbeddingCodecTest, BelievesNoOtherReply) {
  const struct {
    std::string json, why;
  } cases[] = {
      {"", "reply: "},
      {"[]", "data: expected an array"},
      {R"({"data":{}})", "data: expected an array"},
      {Reply(""), "data: expected 2 rows, found 0"},
      {Reply(R"({"index":0,"embedding":[1,0]})"), "data: expected 2 rows, found 1"},
      {Reply(R"({"index":0,"embedding":[1,0]},{"index":0,"embedding":[1,0]})"),
       "data[1].index: appears twice"},
      {Reply(R"({"index":0,"embedding":[1,0]},{"index":2,"embedding":[1,0]})"),
       "data[1].index: expected a number from 0 to 1"},
      {Reply(R"({"index":0,"embedding":[1,0]},{"embedding":[1,0]})"), "data[1].index"},
      {Reply(R"({"index":0,"embedding":[1,0,0]},{"index":1,"embedding":[1,0]})"),
       "data[0].embedding: expected 2 numbers, found 3"},
      {Reply(R"({"index":0,"embedding":[1,"0"]},{"index":1,"embedding":[1,0]})"),
       "expected numbers"},
      {Reply(R"({"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,0]})"),
       "expected a vector, found zeros"},
      {Reply(R"({"index":0,"embedding":[1e39,0]},{"index":1,"embedding":[1,0]})"),
       "expected finite numbers"},
      {Reply(R"({"index":0,"embedding":"AACAfwAAAAA="},{"index":1,"embedding":[1,0]})"),
       "expected finite numbers"},
      {Reply(R"({"index":0,"embedding":"AAB"},{"index":1,"embedding":[1,0]})"), "base64"},
      {Reply(R"({"index":0,"embedding":null},{"index":1,"embedding":[1,0]})"), "base64"},
  };
  for (const auto& each : cases) {
    std::vector<float> out(4);
    const absl::Status status = ReadEmbeddingReply(each.json, 2, 2, out);
    EXPECT_TRUE(absl::IsDataLoss(status)) << each.json;
    EXPECT_THAT(std::string(status.message()), HasSubstr(each.why)) << each.json;
  }
  std::string huge(MaxEmbeddingReplyBytes(1, 2) + 1, ' ');
  std::vector<float> out(2);
  EXPECT_TRUE(absl::IsDataLoss(ReadEmbeddingReply(huge, 1, 2, out)));
}

TEST(EmbeddingCodecTest, ReadsTheDimensionAndTheReasonOfARefusal) {
  EXPECT_EQ(*ReadEmbeddingDimension(Reply(R"({"index":0,"embedding":[1,2,3]})")), 3);
  EXPECT_TRUE(absl::IsDataLoss(ReadEmbeddingDimension(Reply("")).status()));
  EXPECT_TRUE(absl::IsDataLoss(ReadEmbeddingDimension(Reply(R"({"embedding":[]})")).status()));
  EXPECT_EQ(ReadEmbeddingError(R"({"error":{"message":"no\nsuch model"}})"), "no such model");
  EXPECT_EQ(ReadEmbeddingError(R"({"error":"no","error_type":"x"})"), "no");
  EXPECT_EQ(ReadEmbeddingError(R"({"message":"gone"})"), "gone");
  EXPECT_EQ(ReadEmbeddingError("<html>"), "");
  EXPECT_EQ(ReadEmbeddingError(R"({"error":")" + std::string(1000, 'x') + "\"}").size(), 200u);
}

TEST(RetryPolicyTest, WaitsLongerEachTimeAndAsLongAsTheServerAsks) {
  const RetryOptions options{
      .attempts = 4, .first = milliseconds(100), .longest = milliseconds(350)};
  EXPECT_EQ(PlanRetry(options, 1, milliseconds(0), 1), milliseconds(100));
  EXPECT_EQ(PlanRetry(options, 1, milliseconds(0), 0), milliseconds(50));
  EXPECT_EQ(PlanRetry(options, 2, milliseconds(0), 1), milliseconds(200));
  EXPECT_EQ(PlanRetry(options, 3, milliseconds(0), 1), milliseconds(350));
  EXPECT_EQ(PlanRetry(options, 1, milliseconds(300), 0), milliseconds(300));
  EXPECT_EQ(PlanRetry(options, 1, milliseconds(3600000), 0), milliseconds(350));
  EXPECT_EQ(PlanRetry(options, 4, milliseconds(0), 1), std::nullopt);
  EXPECT_EQ(PlanPause(1, 1), milliseconds(1000));
  EXPECT_EQ(PlanPause(3, 0), milliseconds(2000));
  EXPECT_EQ(PlanPause(1000, 1), milliseconds(30000));
}

TEST(RetryPolicyTest, TriesAgainOnlyWhatMayPass) {
  for (const int status : {0, 408, 429, 500, 502, 503, 504, 529})
    EXPECT_TRUE(IsWorthRetrying(status));
  for (const int status : {301, 400, 401, 403, 404, 413, 422, 501}) {
    EXPECT_FALSE(IsWorthRetrying(status));
  }
}

}  // namespace
}  // namespace emptor::services
