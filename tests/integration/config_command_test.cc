// `emptor config` as it is typed, and the file that it prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/integration/command_test.h"

namespace emptor::testing {
namespace {

using ::testing::HasSubstr;

class ConfigCommandTest : public CommandTest {};

TEST_F(ConfigCommandTest, PrintsTheSampleFileWhichItAccepts) {
  ASSERT_EQ(RunEmptor({"config", "print"}, &output_), 0) << output_;
  std::ifstream file(SourcePath("deploy/emptor.yaml"));
  const std::string want{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(output_, want);
  EXPECT_EQ(RunEmptor({"config", "check", Write("emptor.yaml", output_)}, &output_), 0) << output_;
}

TEST_F(ConfigCommandTest, NamesWhereEachValueComesFrom) {
  const std::string file = Write("emptor.yaml", "max_queued: 5\nworkers: 7\nmodel: none\n");
  ASSERT_EQ(RunEmptor({"config", "check", file, "--listen", "[::1]:80"}, &output_), 0) << output_;
  EXPECT_THAT(output_, ::testing::ContainsRegex("workers +7 +[^\n]*emptor.yaml:2\n"));
  EXPECT_THAT(output_, ::testing::ContainsRegex("listen +\\[::1\\]:80 +--listen\n"));
  EXPECT_THAT(output_, ::testing::ContainsRegex("http_threads +2 +default\n"));
}

TEST_F(ConfigCommandTest, NamesEveryMistakeAndReturnsTwo) {
  const std::string file =
      Write("emptor.yaml", "lisen: x\nworkers: 0\nembedder: /nowhere/e.gguf\nmodel: none\n");
  EXPECT_EQ(RunEmptor({"config", "check", file, "--log-level", "loud"}, &output_), 2);
  EXPECT_THAT(output_, HasSubstr(file + ":1: lisen: unknown setting (did you mean listen?)"));
  EXPECT_THAT(output_, HasSubstr(file + ":2: workers: expected a whole number from 1 to 256"));
  EXPECT_THAT(output_, HasSubstr(file + ":3: embedder: /nowhere/e.gguf: no such file"));
  EXPECT_THAT(output_, HasSubstr("--log-level: expected info, warning, error or off"));
}

}  // namespace
}  // namespace emptor::testing
