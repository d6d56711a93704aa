// Collects what comes of one generation.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "services/models/text_generator.h"

namespace emptor::services::testing {

struct Outcome {
  std::string text;
  int ends = 0;
  bool text_after_end = false;
  std::string reason;
  GeneratorUsage usage;
  absl::Status status;
};

class Collector {
 public:
  GeneratorCallbacks Callbacks() {
    GeneratorCallbacks callbacks;
    callbacks.on_text = [this](std::string_view text) {
      std::lock_guard lock(mutex_);
      outcome_.text_after_end = outcome_.text_after_end || outcome_.ends > 0;
      outcome_.text += text;
      changed_.notify_all();
    };
    callbacks.on_end = [this](std::string_view reason, const GeneratorUsage& usage,
                              const absl::Status& status) {
      std::lock_guard lock(mutex_);
      ++outcome_.ends;
      outcome_.reason = reason;
      outcome_.usage = usage;
      outcome_.status = status;
      changed_.notify_all();
    };
    return callbacks;
  }
  Outcome WaitForEnd() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return outcome_.ends > 0; });
    return outcome_;
  }
  void WaitForText(std::string_view text) {
    std::unique_lock lock(mutex_);
    changed_.wait(
        lock, [&] { return outcome_.text.find(text) != std::string::npos || outcome_.ends > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Outcome outcome_;  // guarded by mutex_
};

}  // namespace emptor::services::testing
