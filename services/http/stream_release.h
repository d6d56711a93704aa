// How the stream hub parts with a socket.
#pragma once

#include <cstdint>
#include <functional>

#include "services/http/exchange.h"

namespace emptor::services {

struct StreamRelease {
  bool complete = false;  // everything was written: the connection may be used again
  StreamEnd end = StreamEnd::kFinished;
  uint64_t sent_bytes = 0;
};

/// Called on the hub's thread when the hub parts with a socket. Must not block.
using ReleaseFunction = std::function<void(const StreamRelease& release)>;

}  // namespace emptor::services
