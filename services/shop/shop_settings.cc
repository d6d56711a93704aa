// Files of bounded size are read and parsed.
#include "services/shop/shop_settings.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "catalog/encoding/fnv.h"
#include "catalog/storage/durable_file.h"
#include "retrieval/text/analyzer.h"

namespace emptor::services {
namespace {

/// The bytes of a file; nothing if it does not exist. Errors: kInvalidArgument (larger than
/// `max_bytes`), kUnavailable.
absl::StatusOr<std::optional<std::string>> ReadSettingsFile(const std::string& path,
                                                            uintmax_t max_bytes) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (error) return absl::UnavailableError(path + ": " + error.message());
  if (!exists) return std::optional<std::string>();
  const uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes > max_bytes) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected a file of at most {} MiB", path, max_bytes >> 20));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) return absl::UnavailableError(path + ": cannot be read");
  return std::optional<std::string>(std::move(text));
}

absl::StatusOr<retrieval::MerchandisingRules> ParseRules(const std::string& json) {
  const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  return retrieval::MerchandisingRules::Parse(json, *analyzer);
}

}  // namespace

absl::StatusOr<ShopSynonyms> ReadShopSynonyms(const std::string& directory) {
  const std::string path = directory + "/synonyms.txt";
  const auto text = ReadSettingsFile(path, retrieval::Synonyms::kMaxFileBytes);
  if (!text.ok()) return text.status();
  ShopSynonyms read;
  if (text->has_value()) {
    auto parsed = retrieval::Synonyms::Parse(path, **text);
    if (!parsed.ok()) return parsed.status();
    read = {*std::move(parsed), catalog::Fnv1a64(**text)};
  }
  read.synonyms.Add(retrieval::DefaultSynonyms());
  return read;
}

MerchandisingFile::MerchandisingFile(std::string directory)
    : path_(std::move(directory) + "/pins.json"),
      setting_(std::make_shared<const MerchandisingSetting>()) {}

std::shared_ptr<const MerchandisingSetting> MerchandisingFile::Get() const {
  const std::lock_guard lock(mutex_);
  return setting_;
}

absl::StatusOr<bool> MerchandisingFile::Reload() {
  auto text = ReadSettingsFile(path_, retrieval::MerchandisingRules::kMaxBytes);
  if (!text.ok()) return text.status();
  MerchandisingSetting setting;
  if (text->has_value()) {
    auto rules = ParseRules(**text);
    if (!rules.ok()) {
      return absl::Status(rules.status().code(),
                          path_ + ": " + std::string(rules.status().message()));
    }
    setting = {*std::move(rules), **std::move(text)};
  }
  auto shared = std::make_shared<const MerchandisingSetting>(std::move(setting));
  const std::lock_guard lock(mutex_);
  const bool is_other = setting_->json != shared->json;
  setting_ = std::move(shared);
  return is_other;
}

absl::StatusOr<bool> MerchandisingFile::Set(const std::string& json) {
  if (const auto rules = ParseRules(json); !rules.ok()) return rules.status();
  absl::Status written = catalog::WriteFileDurably(path_, json);
  if (!written.ok()) return written;
  return Reload();
}

}  // namespace emptor::services
