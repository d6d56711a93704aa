// The handle of a generation that runs on elsewhere.
#pragma once

#include <memory>
#include <utility>

#include "services/models/text_generator.h"

namespace emptor::services {

/// Cancels a call as long as it exists: the call owns itself and may end before the handle.
/// Thread-safe if Call::Cancel is.
template <typename Call>
class CallHandle final : public Generation {
 public:
  explicit CallHandle(std::weak_ptr<Call> call) : call_(std::move(call)) {}
  void Cancel() override {
    if (const auto call = call_.lock()) call->Cancel();
  }

 private:
  const std::weak_ptr<Call> call_;
};

}  // namespace emptor::services
