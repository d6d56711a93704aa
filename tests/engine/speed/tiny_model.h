// A model that a meter can load in a test.
#pragma once

#include <unistd.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/support/random_llama.h"

namespace emptor::testing {

/// Random weights, context 256. The file belongs to this process.
inline std::string TinyModelPath() {
  const std::string path =
      ::testing::TempDir() + "speed_tests_" + std::to_string(getpid()) + ".gguf";
  MakeRandomLlama({.type = GgufWriter::kQ8}).WriteTo(path);
  return path;
}

}  // namespace emptor::testing
