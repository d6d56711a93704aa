// An engine on small random models, and the answers that it gives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "gtest/gtest.h"
#include "tests/support/random_llama.h"

namespace emptor::engine {

struct Answer {
  std::string text;
  std::vector<int32_t> tokens;
  FinishReason reason = FinishReason::kError;
  Usage usage;
  absl::Status status;
};

/// Submits and gives what arrives; the future is ready when the request has ended.
inline std::future<Answer> Ask(Engine& engine, GenerationRequest request,
                               uint64_t* handle = nullptr) {
  auto promise = std::make_shared<std::promise<Answer>>();
  auto answer = std::make_shared<Answer>();
  std::future<Answer> future = promise->get_future();
  const auto submitted =
      engine.Submit(std::move(request), {.on_text =
                                             [answer](const TextPiece& piece) {
                                               answer->text += piece.text;
                                               for (const SampledToken& token : piece.tokens)
                                                 answer->tokens.push_back(token.id);
                                             },
                                         .on_end =
                                             [answer, promise](const GenerationEnd& end) {
                                               answer->reason = end.reason;
                                               answer->usage = end.usage;
                                               answer->status = end.status;
                                               promise->set_value(std::move(*answer));
                                             }});
  if (!submitted.ok()) {
    answer->status = submitted.status();
    promise->set_value(std::move(*answer));
  } else if (handle != nullptr) {
    *handle = *submitted;
  }
  return future;
}

inline GenerationRequest Prompt(const std::string& prompt, int max_tokens) {
  GenerationRequest request;
  request.prompt = prompt;
  request.max_tokens = max_tokens;
  return request;
}

/// Models live in a folder of the test's own.
class EngineTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const testing::GgufWriter& writer) const {
    const std::string path = (folder_ / "model.gguf").string();
    writer.WriteTo(path);
    return path;
  }
  std::unique_ptr<Engine> Load(const testing::LlamaShape& shape,
                               const EngineOptions& options) const {
    auto engine = Engine::Load(Write(testing::MakeRandomLlama(shape)), options);
    EXPECT_TRUE(engine.ok()) << engine.status();
    return engine.ok() ? std::move(*engine) : nullptr;
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("engine_test_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const EngineOptions small_{.kv_bytes = 1u << 20, .max_step_tokens = 32, .threads = 2};
};

}  // namespace emptor::engine
