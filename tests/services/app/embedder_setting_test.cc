// The setting `embedder`: a path, a URL, or a map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "services/app/config.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

absl::Status Load(const std::string& text, Config& config) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  std::ofstream(path) << text;
  return LoadConfig(path, config);
}

TEST(EmbedderSettingTest, IsAPathOrAMap) {
  Config config;
  ASSERT_TRUE(Load("embedder: /models/bge\n", config).ok());
  EXPECT_EQ(config.embedder, "/models/bge");
  const absl::Status loaded = Load(
      "embedder:\n  url: https://models.example/v1\n  model: m\n  dimension: 384\n"
      "  key_env: KEY\n  query_prefix: 'query: '\n  passage_prefix: ''\n  encoding: base64\n"
      "  send_input_type: true\n  batch: 16\n  attempts: 2\n  query_timeout_ms: 250\n"
      "  when_changed: embed\n",
      config);
  ASSERT_TRUE(loaded.ok()) << loaded;
  EXPECT_EQ(config.embedder, "https://models.example/v1");
  const EmbedderSettings& settings = config.embedder_settings;
  EXPECT_EQ(settings.model, "m");
  EXPECT_EQ(settings.dimension, 384);
  EXPECT_EQ(settings.key_env, "KEY");
  EXPECT_EQ(settings.query_prefix, "query: ");
  EXPECT_EQ(settings.passage_prefix, "");
  EXPECT_TRUE(settings.base64 && settings.send_input_type && settings.embed_when_changed);
  EXPECT_FALSE(settings.send_dimension);
  EXPECT_EQ(settings.batch, 16);
  EXPECT_EQ(settings.attempts, 2);
  EXPECT_EQ(settings.query_timeout_ms, 250);
  ASSERT_TRUE(Load("embedder: {path: /models/e5, threads: 2, weights: bf16}\n", config).ok());
  EXPECT_EQ(config.embedder, "/models/e5");
  EXPECT_EQ(config.embedder_settings.threads, 2);
  EXPECT_EQ(config.embedder_settings.model, "");  // of the map before
}

TEST(EmbedderSettingTest, MistakesNameTheFileTheLineAndTheMember) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"embedder: [a]\n", "emptor.yaml:1: embedder: expected a path or a map"},
      {"embedder: {batch: 0}\n", "embedder: batch: expected a whole number from 1 to 2048"},
      {"embedder: {dimension: ten}\n", "dimension: expected a whole number from 1 to 65536"},
      {"embedder: {encoding: hex}\n", "encoding: expected base64 or float, found \"hex\""},
      {"embedder: {when_changed: ask}\n", "when_changed: expected embed or refuse"},
      {"embedder: {key: sk-secret}\n", "embedder: key: unknown setting"},
      {"embedder: {model: [a]}\n", "embedder: model: expected one value"}};
  for (const auto& each : cases) {
    Config config;
    const absl::Status status = Load(each.text, config);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << each.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(each.message));
  }
}

}  // namespace
}  // namespace emptor::services
