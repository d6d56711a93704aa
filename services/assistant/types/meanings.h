// What a sentence encoder tells of messages: needs, and attributes that they mean.
#pragma once

#include <memory>

#include "services/assistant/schema/key_meanings.h"
#include "services/assistant/types/need_index.h"

namespace emptor::services {

/// Shared by shops. Null: such meanings are not understood.
struct Meanings {
  std::shared_ptr<const NeedIndex> needs = {};
  std::shared_ptr<const KeyMeanings> keys = {};
};

}  // namespace emptor::services
