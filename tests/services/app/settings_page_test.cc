// The documents made from the table of settings: the committed ones are what the code prints.
#include "services/app/settings_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "services/app/settings.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

/// Compares a committed file with `text`. UPDATE_GOLDEN=1 rewrites it.
void ExpectIsFile(const std::string& path, const std::string& text) {
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  EXPECT_EQ(bytes.str(), text) << path << ": UPDATE_GOLDEN=1 rewrites it";
}

TEST(SettingsPageTest, TheReferencePageIsMadeFromTheTable) {
  ExpectIsFile(EMPTOR_SOURCE_DIR "/docs/settings.md", SettingsPage());
}

TEST(SettingsPageTest, TheSampleFileIsMadeFromTheTable) {
  ExpectIsFile(EMPTOR_SOURCE_DIR "/deploy/emptor.yaml", SampleConfig());
}

/// The sample with every `#name: value` uncommented, as a user would.
std::string Uncommented(const std::string& sample) {
  std::istringstream lines(sample);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const bool is_setting = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    text += (is_setting ? line.substr(1) : line) + "\n";
  }
  return text;
}

TEST(SettingsPageTest, TheSampleFileHasTheDefaults) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  // The maps at the end repeat names of settings above; they are left commented out.
  const std::string sample = SampleConfig();
  std::ofstream(path) << Uncommented(sample.substr(0, sample.find("# ---- The map embedder")));
  Config config;
  ConfigSources sources;
  for (const absl::Status& mistake : ReadConfigFile(path, config, sources)) {
    ADD_FAILURE() << mistake;
  }
  size_t settings = 0;
  for (const SettingGroup& group : SettingGroups()) {
    for (const Setting<Config>& setting : group.settings) {
      ++settings;
      EXPECT_EQ(ValueText(setting, config), ValueText(setting, Config{})) << setting.name;
    }
  }
  EXPECT_EQ(sources.size(), settings);
}

TEST(SettingsPageTest, TheMapsOfTheSampleFileAreRead) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  const std::string sample = SampleConfig();
  std::istringstream lines(sample.substr(sample.find("# ---- The map embedder")));
  static const std::regex kEntry("#( *[a-z_]+:.*| +-)");
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, kEntry)) text += line.substr(1) + "\n";
  }
  std::ofstream(path) << text;
  Config config;
  ConfigSources sources;
  for (const absl::Status& mistake : ReadConfigFile(path, config, sources)) {
    ADD_FAILURE() << mistake << "\n" << text;
  }
  ASSERT_EQ(config.models.size(), 1u);
  EXPECT_EQ(config.models[0].languages, (std::vector<std::string>{"en", "de"}));
  EXPECT_EQ(config.embedder_settings.batch, EmbedderSettings{}.batch);
}

TEST(SettingsPageTest, EverySettingIsDescribedOnce) {
  std::set<std::string_view> names;
  for (const SettingGroup& group : SettingGroups()) {
    for (const Setting<Config>& setting : group.settings) {
      EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
      EXPECT_TRUE(setting.meaning.ends_with('.')) << setting.name;
      EXPECT_EQ(FindSetting(setting.name), &setting);
    }
  }
  EXPECT_EQ(FindSetting("nothing"), nullptr);
}

TEST(SettingsPageTest, DefaultsLieWithinTheirRanges) {
  for (const SettingGroup& group : SettingGroups()) {
    for (const Setting<Config>& setting : group.settings) {
      if (!std::holds_alternative<int Config::*>(setting.member)) continue;
      Config config;
      EXPECT_TRUE(SetSetting(setting, ValueText(setting, config), "", config).ok()) << setting.name;
    }
  }
}

TEST(SettingsPageTest, HelpIsTheFirstSentenceAndTheDefault) {
  EXPECT_EQ(SettingHelp("listen"), "address of the service (127.0.0.1:8080)");
  EXPECT_EQ(SettingHelp("log_level"),
            "least severe messages that are logged: info, warning, error or off (info)");
}

TEST(SettingsPageTest, HelpKeepsAnAcronymAtItsBeginning) {
  EXPECT_TRUE(SettingHelp("public_url").starts_with("URL by which")) << SettingHelp("public_url");
}

TEST(EffectiveSettingsTest, NameTheirSources) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string path = directory.path() + "/emptor.yaml";
  std::ofstream(path) << "workers: 7\nembedder:\n  url: http://h/v1\n  batch: 3\n";
  Config config;
  ConfigSources sources;
  ASSERT_TRUE(ReadConfigFile(path, config, sources).empty());
  sources["listen"] = "--listen";
  const std::string text = EffectiveSettings(config, sources);
  const auto line_of = [&](const std::string& name) {
    const size_t begin = text.find("\n" + name + " ") + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_THAT(line_of("workers"), HasSubstr(" 7 "));
  EXPECT_THAT(line_of("workers"), ::testing::EndsWith(path + ":1"));
  EXPECT_THAT(line_of("listen"), ::testing::EndsWith(" --listen"));
  EXPECT_THAT(line_of("max_queued"), ::testing::EndsWith(" default"));
  EXPECT_THAT(line_of("embedder"), ::testing::EndsWith(path + ":2"));
  EXPECT_THAT(line_of("embedder.batch"), ::testing::EndsWith(path + ":2"));
  EXPECT_THAT(line_of("embedder.attempts"), ::testing::EndsWith(" default"));
}

TEST(MissingFilesTest, AreNamedWithTheSettingAndItsPlace) {
  Config config;
  config.model = "qwen";
  config.models = {{"qwen", "/nowhere/q.gguf", ModelKind::kLanguageModel, false}};
  config.embedder = "https://models.example/v1";
  const auto missing = FindMissingFiles(config, {{"models", "emptor.yaml:4"}});
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].message(),
            "emptor.yaml:4: models: /nowhere/q.gguf: no such file or directory");
  config.models.clear();
  config.model = "none";
  EXPECT_TRUE(FindMissingFiles(config, {}).empty());
  config.model = "qwen";
  EXPECT_EQ(FindMissingFiles(config, {}).size(), 1u);
}

}  // namespace
}  // namespace emptor::services
