// The request header Cache-Control.
#pragma once

#include <string_view>

#include "services/assistant/events/assist_events.h"

namespace emptor::services {

/// `no-store`, else `no-cache` or `max-age=0` (RFC 9111, 5.2.1), in any case and among others,
/// which are ignored. Any bytes are safe. Pure.
CacheControl CacheControlOf(std::string_view header);

}  // namespace emptor::services
