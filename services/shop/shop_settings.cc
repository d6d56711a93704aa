// Files of bounded size into parsed settings.
#include "services/shop/shop_settings.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "catalog/storage/durable_file.h"
#include "retrieval/text/analyzer.h"

namespace emptor::services {
namespace {

constexpr const char* kPinsFile = "pins.json";

/// The bytes of a file; nothing where it is not there. Errors: kInvalidArgument (larger than
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

absl::StatusOr<retrieval::MerchandisingRules> ParsePins(const std::string& json) {
  const auto analyzer = retrieval::Analyzer::Create();
  if (!analyzer.ok()) return analyzer.status();
  return retrieval::MerchandisingRules::Parse(json, *analyzer);
}

}  // namespace

absl::StatusOr<retrieval::Synonyms> ReadShopSynonyms(const std::string& directory) {
  const std::string path = directory + "/synonyms.txt";
  const auto text = ReadSettingsFile(path, retrieval::Synonyms::kMaxFileBytes);
  if (!text.ok()) return text.status();
  retrieval::Synonyms synonyms;
  if (text->has_value()) {
    auto parsed = retrieval::Synonyms::Parse(path, **text);
    if (!parsed.ok()) return parsed.status();
    synonyms = *std::move(parsed);
  }
  synonyms.Add(retrieval::DefaultSynonyms());
  return synonyms;
}

absl::StatusOr<ShopPins> ReadShopPins(const std::string& directory) {
  const std::string path = directory + "/" + kPinsFile;
  auto text = ReadSettingsFile(path, retrieval::MerchandisingRules::kMaxBytes);
  if (!text.ok()) return text.status();
  if (!text->has_value()) return ShopPins();
  auto rules = ParsePins(**text);
  if (!rules.ok()) {
    return absl::Status(rules.status().code(), path + ": " + std::string(rules.status().message()));
  }
  return ShopPins{*std::move(rules), **std::move(text)};
}

absl::Status WriteShopPins(const std::string& directory, const std::string& json) {
  if (const auto rules = ParsePins(json); !rules.ok()) return rules.status();
  return catalog::WriteFileDurably(directory + "/" + kPinsFile, json);
}

}  // namespace emptor::services
