// `emptor model` as it is typed: what it writes, and its refusals.
#include <unistd.h>

#include <filesystem>

#include "gtest/gtest.h"
#include "tests/integration/service_process.h"

namespace emptor::testing {
namespace {

TEST(ModelCommandTest, WritesARandomModelThatInfoDescribes) {
  const std::string path =
      ::testing::TempDir() + "model_command_test_" + std::to_string(getpid()) + ".gguf";
  std::string output;
  ASSERT_EQ(RunEmptor({"model", "random", "--shape", "stories260k,layers=2", "--type", "f16",
                       "--seed", "3", "--output", path},
                      &output),
            0)
      << output;
  EXPECT_NE(output.find(std::to_string(std::filesystem::file_size(path)) + " bytes"),
            std::string::npos)
      << output;
  ASSERT_EQ(RunEmptor({"model", "info", path}, &output), 0) << output;
  for (const char* part :
       {"architecture  llama", "2 layers, width 64", "F16: 15 tensors", "512 tokens", "ChatML"}) {
    EXPECT_NE(output.find(part), std::string::npos) << part << " in:\n" << output;
  }
  std::filesystem::remove(path);
}

TEST(ModelCommandTest, RefusesWithAReason) {
  std::string output;
  const std::string path =
      ::testing::TempDir() + "model_command_test_refused_" + std::to_string(getpid()) + ".gguf";
  EXPECT_EQ(RunEmptor({"model", "random", "--shape", "depth=3", "--output", path}, &output), 2);
  EXPECT_NE(output.find("unknown key \"depth\""), std::string::npos) << output;
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_EQ(RunEmptor({"model", "info", path}, &output), 2);
  EXPECT_NE(output.find(path), std::string::npos) << output;
  EXPECT_NE(RunEmptor({"model"}, &output), 0);
}

}  // namespace
}  // namespace emptor::testing
