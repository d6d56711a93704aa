// Small random models in files of a test's own, and generations to wait for.
#pragma once

#include <condition_variable>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "services/models/language_model.h"
#include "tests/support/child_process.h"
#include "tests/support/random_llama.h"
#include "tests/support/random_lora.h"

namespace emptor::services::testing {

/// A folder with models. The vocabulary is that of AddTestTokenizer: 256 bytes and a few words.
class ModelFolder {
 public:
  /// Writes a random Llama and gives its path.
  std::string Write(const std::string& name, uint64_t seed = 1, int context = 256) const {
    emptor::testing::LlamaShape shape;
    shape.seed = seed;
    shape.context = context;
    return WriteBytes(name, emptor::testing::MakeRandomLlama(shape).Bytes());
  }
  std::string WriteBytes(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// Writes a LoRA adapter for such a model and gives its path.
  std::string WriteAdapter(const std::string& name, uint64_t seed = 1) const {
    return WriteBytes(name, emptor::testing::MakeRandomLora({}, {.seed = seed}).Bytes());
  }
  static std::string Encoder() {
    return std::string(EMPTOR_SOURCE_DIR) + "/retrieval/models/emptor-embed.gguf";
  }
  static std::string LanguageModel() {
    return std::string(EMPTOR_SOURCE_DIR) + "/engine/models/emptor-lm.gguf";
  }

 private:
  emptor::testing::TemporaryDirectory folder_;
};

/// What came of a generation. Thread-safety: any thread.
class GenerationWatch {
 public:
  engine::GenerationCallbacks Callbacks() {
    engine::GenerationCallbacks calls;
    calls.on_text = [this](const engine::TextPiece& piece) {
      const std::lock_guard lock(mutex_);
      text_ += piece.text;
      ++pieces_;
      changed_.notify_all();
    };
    calls.on_end = [this](const engine::GenerationEnd& end) {
      const std::lock_guard lock(mutex_);
      ends_.push_back(end);
      changed_.notify_all();
    };
    return calls;
  }
  void WaitForText() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return pieces_ > 0 || !ends_.empty(); });
  }
  engine::GenerationEnd WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !ends_.empty(); });
    return ends_.front();
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;                         // guarded by mutex_
  int pieces_ = 0;                           // guarded by mutex_
  std::vector<engine::GenerationEnd> ends_;  // guarded by mutex_
};

/// A prompt that is answered with exactly `tokens` tokens.
inline engine::GenerationRequest LongRequest(int tokens) {
  engine::GenerationRequest request;
  request.prompt = "hello";
  request.max_tokens = tokens;
  request.sampling.ignore_end = true;
  return request;
}

}  // namespace emptor::services::testing
