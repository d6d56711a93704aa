// A conversation with an assistant over a real store.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "services/assistant/assistant.h"
#include "tests/services/assistant/answer_recorder.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services::testing {

/// Two mice, and a second monitor.
inline constexpr std::string_view kMiceAndMonitor =
    R"({"id":"mo1","title":"Pixalor Nimble Mouse MO90","brand":"Pixalor","categories":["Computing > Mice"],"price":{"amount":1499,"currency":"USD"},"availability":"in_stock","attributes":{"weight":"75 g"},"locale":"en-US"}
{"id":"mo2","title":"Gridlow Comet Mouse MO50","brand":"Gridlow","categories":["Computing > Mice"],"price":{"amount":3199,"currency":"USD"},"availability":"in_stock","attributes":{"weight":"90 g"},"locale":"en-US"}
{"id":"m32","title":"Vexmere Vista Monitor M70","brand":"Vexmere","categories":["Computing > Monitors"],"price":{"amount":52999,"currency":"USD"},"availability":"in_stock","attributes":{"screen size":"32 inches"},"locale":"en-US"}
)";

class ShopTalkTest : public ::testing::Test {
 protected:
  /// `records`: in addition to those of the shop.
  explicit ShopTalkTest(std::string_view records) {
    shop_.Import(records);
    AssistantParts parts{shop_.shop().reader(),
                         nullptr,
                         conversations_,
                         workers_,
                         [] { return int64_t{1700000000}; },
                         nullptr,
                         "shop-a"};
    parts.on_trace = [this](const AnswerTrace& trace) {
      traces_.push_back(std::make_unique<AnswerTrace>(trace));
    };
    assistant_ = std::make_unique<Assistant>(AssistantOptions{}, std::move(parts));
  }

  /// In one conversation.
  std::shared_ptr<AnswerRecorder> Ask(const std::string& message) {
    AssistRequest request;
    request.message = message;
    request.conversation_id = id_;
    auto answer = AskAndWait(*assistant_, std::move(request));
    id_ = answer->start.conversation_id;
    return answer;
  }
  std::vector<ConversationTurn> Turns() { return conversations_.Open(id_).turns; }

  TestShop shop_;
  ConversationStore conversations_{{}, [] { return std::chrono::steady_clock::now(); }};
  std::vector<std::unique_ptr<AnswerTrace>> traces_;
  std::unique_ptr<Assistant> assistant_;
  std::string id_;
  WorkerPool workers_{1, 64};
};

}  // namespace emptor::services::testing
