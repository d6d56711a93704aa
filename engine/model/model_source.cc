// Messages of model files.
#include "engine/model/model_source.h"

#include "fmt/format.h"

namespace emptor::engine {

absl::Status ModelSource::Error(std::string_view field, std::string_view what) const {
  return absl::InvalidArgumentError(fmt::format("{}: {}: {}", name(), field, what));
}

absl::Status ModelSource::Unsupported(std::string_view field, std::string_view what) const {
  return absl::UnimplementedError(fmt::format("{}: {}: {}", name(), field, what));
}

}  // namespace emptor::engine
