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
  for (const char* part : {"architecture  llama", "2 layers, hidden size 64", "F16: 15 tensors",
                           "512 tokens", "template of the file"}) {
    EXPECT_NE(output.find(part), std::string::npos) << part << " in:\n" << output;
  }
  ASSERT_EQ(RunEmptor({"model", "fit", path, "--users", "3", "--threads", "1"}, &output), 0)
      << output;
  EXPECT_NE(output.find("users of "), std::string::npos) << output;
  EXPECT_EQ(RunEmptor({"model", "fit", path, "--memory", "0.001"}, &output), 1) << output;
  EXPECT_NE(output.find("too little for the weights"), std::string::npos) << output;
  ASSERT_EQ(RunEmptor({"model", "fit", path, "--threads", "1", "--draft-model", path}, &output), 0)
      << output;
  EXPECT_NE(output.find("\ndraft model   "), std::string::npos) << output;
  const std::string quantized = path + ".q8";
  ASSERT_EQ(RunEmptor({"model", "quantize", path, quantized, "--type", "q8_0"}, &output), 0)
      << output;
  EXPECT_NE(output.find("rows of 172 are no whole blocks of 32"), std::string::npos) << output;
  EXPECT_NE(output.find("13 tensors of Q8_0"), std::string::npos) << output;
  std::filesystem::remove(quantized);
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

TEST(ModelCommandTest, ListsAndSwitchesTheModelsOfAService) {
  const TemporaryDirectory directory;
  ServiceProcess service(directory.path());
  const auto run = [&](const char* action, std::vector<std::string> more, std::string& output) {
    more.insert(more.begin(), {"model", action, "--data-dir", directory.path()});
    return RunEmptor(more, &output);
  };
  std::string output;
  ASSERT_EQ(run("list", {}, output), 0) << output;
  EXPECT_NE(output.find("* emptor-lm "), std::string::npos) << output;
  EXPECT_NE(output.find("* emptor-embed "), std::string::npos) << output;
  ASSERT_EQ(run("unload", {"emptor-lm"}, output), 0) << output;
  while (run("status", {"emptor-lm"}, output) == 0 &&
         output.find("unloading") != std::string::npos) {
  }
  EXPECT_NE(output.find("unloaded"), std::string::npos) << output;
  ASSERT_EQ(run("activate", {"emptor-lm", "--wait"}, output), 0) << output;
  EXPECT_NE(output.find("available"), std::string::npos) << output;
  EXPECT_EQ(run("activate", {"nope"}, output), 2);
  EXPECT_NE(output.find("there is no model \"nope\""), std::string::npos) << output;
  EXPECT_EQ(run("unload", {"emptor-embed"}, output), 2);
  EXPECT_NE(output.find("in use by the shop"), std::string::npos) << output;
}

}  // namespace
}  // namespace emptor::testing
