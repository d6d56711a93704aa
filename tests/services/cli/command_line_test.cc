// The command line: the help of every command, and what a mistake prints and returns.
#include "services/cli/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "services/cli/bench_engine.h"
#include "services/cli/command.h"
#include "tests/support/child_process.h"

namespace emptor::services {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHelpFile = EMPTOR_SOURCE_DIR "/tests/golden/command_help.txt";

/// The exit code of a line that runs no command; -1 when it would run one.
int ParseWords(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  const auto line = ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
  const int* code = std::get_if<int>(&line);
  return code == nullptr ? -1 : *code;
}

std::vector<std::string> WordsOf(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

TEST(CommandLineTest, HelpOfEveryCommandIsThatOfTheGoldenFile) {
  std::ifstream file(kHelpFile);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const std::string want = bytes.str();
  std::string found;
  std::istringstream lines(want);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ ")) continue;
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(ParseWords(WordsOf(line.substr(2))), 0) << line;
    std::cout.flush();
    found += line + "\n" + ::testing::internal::GetCapturedStdout();
  }
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(kHelpFile) << found;
  ASSERT_FALSE(want.empty());
  EXPECT_EQ(found, want);
}

TEST(CommandLineTest, AMistakeIsNamedAndHasItsExitCode) {
  const struct {
    const char* line;
    int code;
    const char* message;
  } cases[] = {
      {"emptor", 106, "A subcommand is required"},
      {"emptor bogus", 106, "There is no command 'bogus'"},
      {"emptor shop bogus", 106, "There is no command 'bogus'"},
      {"emptor bench", 106, "A subcommand is required"},
      {"emptor serve --bogus", 109, "The following argument was not expected: --bogus"},
      {"emptor serve extra", 109, "The following argument was not expected: extra"},
      {"emptor ask", 106, "QUESTION is required"},
      {"emptor ingest", 106, "FILE, --documents or --retry is required"},
      {"emptor bench engine --threads -1", 105, "--threads: Value -1 not in range 0 to 1024"},
      {"emptor bench engine --prompt a", 104, "Could not convert: --prompt = a"},
      {"emptor bench engine --batching --concurrency", 108, "--batching excludes --concurrency"},
      {"emptor model random --type x --shape a --output b", 105, "--type: x not in {f32,"}};
  for (const auto& each : cases) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(ParseWords(WordsOf(each.line)), each.code) << each.line;
    std::cerr.flush();
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr(each.message)) << each.line;
  }
}

std::variant<CommandLine, int> Parse(std::vector<std::string> words) {
  words.insert(words.begin(), "emptor");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return ParseCommandLine(static_cast<int>(arguments.size()), arguments.data());
}

TEST(CommandLineTest, ReadsBenchEngine) {
  CommandTree tree("bench", "", "");
  const Command command = tree.root().AddCommand("engine", "");
  BenchEngineCommand bench;
  AddBenchEngineFlags(command, bench);
  command.OnRun([] { return 7; });
  std::vector<std::string> words = {"bench",    "engine",     "m.gguf",   "--threads", "2",
                                    "--prompt", "64",         "--tokens", "8",         "--isa",
                                    "avx2",     "--cpu-time", "--json"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  ASSERT_EQ(tree.Parse(static_cast<int>(arguments.size()), arguments.data()), std::nullopt);
  EXPECT_EQ(tree.chosen()(), 7);
  EXPECT_EQ(bench.model, "m.gguf");
  EXPECT_EQ(bench.isa, "avx2");
  EXPECT_EQ(bench.threads, 2);
  EXPECT_EQ(bench.prompts, std::vector<int>{64});
  EXPECT_EQ(bench.tokens, 8);
  EXPECT_TRUE(bench.processor_time);
  EXPECT_TRUE(bench.json);
}

TEST(CommandLineTest, BenchesOfAShopReadItsSettings) {
  const emptor::testing::TemporaryDirectory directory;
  const std::string file = directory.path() + "/bench.yaml";
  std::ofstream(file) << "vector_index: HNSW32,SQ8\n";
  for (const char* bench : {"retrieval", "ingest"}) {
    const auto line = Parse({"bench", bench, "--config", file, "--embedder", "e.gguf"});
    ASSERT_TRUE(std::holds_alternative<CommandLine>(line)) << bench;
    const auto config = std::get<CommandLine>(line).settings->Load();
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_EQ(config->embedder, "e.gguf");
    EXPECT_EQ(VectorIndexOf(*config).factory, "HNSW32,SQ8");
  }
}

TEST(CommandLineTest, RefusesABenchOfNothing) {
  ::testing::internal::CaptureStderr();
  EXPECT_NE(std::get<int>(Parse({"bench"})), 0);
  EXPECT_NE(std::get<int>(Parse({"bench", "engine", "--threads", "-1"})), 0);
  ::testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace emptor::services
