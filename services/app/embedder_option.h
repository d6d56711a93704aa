// One setting of the map `embedder`.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "services/embedding/embedder_settings.h"

namespace emptor::services {

/// Sets the member `name` of `settings` from text. Errors: kInvalidArgument, beginning with
/// `where`: an unknown name, a value that does not fit.
absl::Status SetEmbedderOption(const std::string& name, const std::string& text,
                               const std::string& where, EmbedderSettings& settings);

}  // namespace emptor::services
