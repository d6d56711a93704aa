// A generator that writes scripted pieces: the test implementation of the port.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "services/models/text_generator.h"

namespace emptor::services::testing {

/// Writes `pieces` in order on a thread of its own, then ends. Keeps the port's promises.
/// Thread-safety: any thread; set it up before the first Generate.
class ScriptedGenerator final : public TextGenerator {
 public:
  explicit ScriptedGenerator(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}
  ~ScriptedGenerator() override { Join(); }

  /// Waits until every generation has ended and its callbacks have returned. What the callbacks
  /// use may die afterwards.
  void Join() {
    std::vector<std::thread> threads;
    {
      std::lock_guard lock(mutex_);
      threads.swap(threads_);
    }
    for (std::thread& thread : threads) thread.join();
  }

  std::string model_name() const override { return "scripted"; }
  engine::ModelCapabilities capabilities() const override { return {true, languages}; }

  absl::StatusOr<std::unique_ptr<Generation>> Generate(GeneratorRequest request,
                                                       GeneratorCallbacks callbacks) override {
    if (!refusal.ok()) return refusal;
    if (request.messages.empty()) return absl::InvalidArgumentError("generator: no messages");
    auto cancelled = std::make_shared<std::atomic<bool>>(false);
    std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
    threads_.emplace_back([this, cancelled, callbacks = std::move(callbacks)] {
      int tokens = 0;
      for (size_t i = 0; i < pieces_.size() && !*cancelled; ++i) {
        if (before_piece) before_piece(i);
        if (*cancelled) break;
        callbacks.on_text(pieces_[i]);
        ++tokens;
      }
      const GeneratorUsage usage{10, tokens, 0.001, 0.002, 0.003};
      const bool stopped = *cancelled;
      callbacks.on_end(stopped           ? "cancelled"
                       : end_status.ok() ? "stop"
                                         : "error",
                       usage, stopped ? absl::CancelledError("cancelled") : end_status);
      ++ended;
    });
    return std::make_unique<ScriptedGeneration>(cancelled);
  }

  std::vector<GeneratorRequest> requests() const {
    std::lock_guard lock(mutex_);
    return requests_;
  }

  std::vector<std::string> languages;  // that it writes; empty: all
  absl::Status refusal;                // what Generate answers; OK: it generates
  absl::Status end_status;             // of every end
  std::function<void(size_t piece)> before_piece;
  std::atomic<int> ended{0};

 private:
  class ScriptedGeneration final : public Generation {
   public:
    explicit ScriptedGeneration(std::shared_ptr<std::atomic<bool>> cancelled)
        : cancelled_(std::move(cancelled)) {}
    void Cancel() override { *cancelled_ = true; }

   private:
    const std::shared_ptr<std::atomic<bool>> cancelled_;
  };

  const std::vector<std::string> pieces_;
  mutable std::mutex mutex_;
  std::vector<GeneratorRequest> requests_;  // guarded by mutex_
  std::vector<std::thread> threads_;        // guarded by mutex_
};

}  // namespace emptor::services::testing
