// A dispatcher in virtual time, and what it decides.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "services/gateway/balancing/dispatcher.h"

namespace emptor::services {

class DispatcherFixture : public ::testing::Test {
 protected:
  using Kind = DispatchAction::Kind;
  using TimePoint = Dispatcher::TimePoint;
  using milliseconds = std::chrono::milliseconds;

  void Make(size_t replicas, DispatchOptions options = {}, int max_outstanding = 64) {
    options.pick.affinity = true;
    dispatcher_.emplace(
        options,
        std::vector<ReplicaSetting>(replicas, ReplicaSetting{.max_outstanding = max_outstanding}),
        [] { return 0.0; });
  }
  static DispatchRequest Facts(uint64_t digest = 0) {
    return {.prompt_tokens = 100, .digest = digest, .deadline = TimePoint(milliseconds(600000))};
  }
  TimePoint now() const { return TimePoint(milliseconds(ms_)); }
  /// The actions but for probes.
  std::vector<DispatchAction> Actions() {
    std::vector<DispatchAction> actions = dispatcher_->TakeActions();
    std::erase_if(actions, [](const DispatchAction& one) { return one.kind == Kind::kProbe; });
    return actions;
  }
  DispatchAction Only() {
    const auto actions = Actions();
    EXPECT_EQ(actions.size(), 1u);
    return actions.empty() ? DispatchAction{} : actions.front();
  }
  DispatchAction Arrive(uint64_t id, uint64_t digest = 0) {
    dispatcher_->Arrive(id, Facts(digest), now());
    return Only();
  }
  DispatchAction Fail(const DispatchAction& sent, AttemptFailure failure, int pause = 0) {
    dispatcher_->Fail(sent.attempt, failure, milliseconds(pause), now());
    return Only();
  }

  std::optional<Dispatcher> dispatcher_;
  int ms_ = 1000;
};

}  // namespace emptor::services
