// Bodies of the TGI-compatible routes.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/engine.h"

namespace emptor::services {

struct TgiBody {
  engine::GenerationRequest request;  // its prompt is `inputs`
  bool stream = false;                // only POST / looks at it
  bool details = true;
  bool return_full_text = false;
  int truncate = 0;  // tokens of the prompt to keep, the last ones; 0: all
};

/// {"inputs","parameters":{...},"stream"?}. Errors: kInvalidArgument, kUnimplemented.
absl::StatusOr<TgiBody> ParseTgiBody(std::string_view json);

}  // namespace emptor::services
