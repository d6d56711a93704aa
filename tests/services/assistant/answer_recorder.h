// Asks an assistant and keeps what it answers.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "services/assistant/assistant.h"

namespace emptor::services::testing {

class AnswerRecorder final : public AssistListener {
 public:
  void OnRefused(const absl::Status& status) override {
    const std::lock_guard lock(mutex_);
    refusal = status;
    End();
  }
  bool OnEvent(const AssistEvent& event) override {
    const std::lock_guard lock(mutex_);
    if (const auto* found = std::get_if<StartEvent>(&event)) start = *found;
    if (const auto* found = std::get_if<ProductsEvent>(&event)) cards = found->items;
    if (const auto* delta = std::get_if<DeltaEvent>(&event)) text += delta->text;
    if (std::holds_alternative<DoneEvent>(event) || std::holds_alternative<ErrorEvent>(event)) {
      End();
      return !leaves_after_end;
    }
    return true;
  }
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
  }
  /// Text and cards, as a shopper sees them.
  std::string Seen() const {
    std::string seen = text;
    for (const ProductCard& card : cards) seen += "\ncard " + card.product.id;
    return seen;
  }

  StartEvent start;
  std::vector<ProductCard> cards;
  std::string text;
  absl::Status refusal;
  bool leaves_after_end = false;  // as a client that closes its connection

 private:
  void End() {
    ended_ = true;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

/// Returns after the last event.
inline std::shared_ptr<AnswerRecorder> AskAndWait(Assistant& assistant, AssistRequest request,
                                                  bool leaves_after_end = false) {
  auto recorder = std::make_shared<AnswerRecorder>();
  recorder->leaves_after_end = leaves_after_end;
  assistant.Ask(std::move(request), recorder);
  recorder->Wait();
  return recorder;
}

}  // namespace emptor::services::testing
