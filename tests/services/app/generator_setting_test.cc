// The setting `generator`: a URL, or a map.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "services/app/config.h"
#include "services/app/settings_page.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

absl::Status LoadGenerator(const std::string& text, Config& config) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  std::ofstream(path) << text;
  return LoadConfig(path, config);
}

TEST(GeneratorSettingTest, IsAnUrlOrAMap) {
  Config config;
  EXPECT_EQ(config.generator, "none");
  ASSERT_TRUE(LoadGenerator("generator: http://127.0.0.1:8000\n", config).ok());
  EXPECT_EQ(config.generator, "http://127.0.0.1:8000");
  const absl::Status loaded = LoadGenerator(
      "generator:\n  url: https://models.example/v1\n  api: anthropic\n  model: m\n"
      "  key_env: KEY\n  timeout_ms: 9000\n  first_token_ms: 2000\n  stall_ms: 1000\n"
      "  attempts: 3\n  prompt: references\n  languages: [en, de]\n",
      config);
  ASSERT_TRUE(loaded.ok()) << loaded;
  EXPECT_EQ(config.generator, "https://models.example/v1");
  const GeneratorSettings& settings = config.generator_settings;
  EXPECT_EQ(settings.api, "anthropic");
  EXPECT_EQ(settings.model, "m");
  EXPECT_EQ(settings.key_env, "KEY");
  EXPECT_EQ(settings.timeout_ms, 9000);
  EXPECT_EQ(settings.first_token_ms, 2000);
  EXPECT_EQ(settings.stall_ms, 1000);
  EXPECT_EQ(settings.attempts, 3);
  EXPECT_EQ(settings.prompt, "references");
  EXPECT_EQ(settings.languages, (std::vector<std::string>{"en", "de"}));
  EXPECT_THAT(EffectiveSettings(config, {{"generator", "a.yaml:1"}}),
              HasSubstr("generator.model              m"));
}

TEST(GeneratorSettingTest, MistakesNameTheMember) {
  const std::pair<const char*, const char*> cases[] = {
      {"generator: /models/a\n", "generator: expected none, http://host or https://host"},
      {"generator: [a]\n", "generator: expected a URL or a map"},
      {"generator: {model: m}\n", "generator: url: missing"},
      {"generator: {url: x}\n", "generator: url: expected none, http://host or https://host"},
      {"generator: {url: \"http://a\", api: grpc}\n", "expected auto, openai or anthropic"},
      {"generator: {url: \"http://a\", prompt: none}\n",
       "expected examples, instructions or references"},
      {"generator: {url: \"http://a\", attempts: 0}\n", "a whole number from 1 to 10"},
      {"generator: {url: \"http://a\", languages: [English]}\n", "expected two-letter codes"},
      {"generator: {url: \"http://a\", key: sk}\n", "generator: key: unknown setting"}};
  for (const auto& [text, message] : cases) {
    Config config;
    EXPECT_THAT(std::string(LoadGenerator(text, config).message()), HasSubstr(message)) << text;
  }
}

}  // namespace
}  // namespace emptor::services
