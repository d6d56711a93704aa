// What tests of commands share: a folder of their own, feeds in it, and runs on the data directory
// there.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/integration/service_process.h"

namespace emptor::testing {

class CommandTest : public ::testing::Test {
 protected:
  /// A line of a feed.
  static std::string Row(const std::string& id, const std::string& title) {
    return "{\"id\":\"" + id + "\",\"title\":\"" + title + "\"}\n";
  }
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }
  /// Runs the command on the data directory; its words are in output_.
  int Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--data-dir", Path("data")});
    return RunEmptor(arguments, &output_);
  }

  const TemporaryDirectory directory_;
  std::string output_;
};

}  // namespace emptor::testing
