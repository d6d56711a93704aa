// One directory for each generation, and a file that names the served one.
#include "services/shop/shop_generations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "catalog/encoding/hash64.h"
#include "catalog/storage/durable_file.h"

namespace emptor::services {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "gen-";
constexpr size_t kMaxCurrentBytes = 128;
constexpr const char* kBare = ".";  // the directory itself

std::string NameOf(int number) { return fmt::format("gen-{:06}", number); }

/// The number of a generation; 0 for ".", nothing for other names.
std::optional<int> NumberOf(std::string_view name) {
  if (name == kBare) return 0;
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 1) return std::nullopt;
  return number;
}

absl::Status FileError(const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(fmt::format("{}: {}", path, error.message()));
}

bool IsThere(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// "gen-000002 6b1f...\n": the name and its hash, so that a damaged name does not point at another
/// generation. An older version wrote the name alone.
std::string EncodeCurrent(const std::string& name) {
  return fmt::format("{} {:016x}\n", name, catalog::Hash64(name));
}

/// The generation that CURRENT names; empty when there is no such file. Errors: kDataLoss.
absl::StatusOr<std::string> ReadCurrent(const std::string& directory) {
  const std::string path = directory + "/CURRENT";
  if (!IsThere(path)) return std::string();
  std::ifstream file(path, std::ios::binary);
  std::string text(kMaxCurrentBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  std::string name = text.substr(0, text.find_first_of(" \n"));
  if (text == EncodeCurrent(name) || text == name + "\n") return name;
  return absl::DataLossError(
      fmt::format("{}: damaged, found {:?}", path, text.substr(0, kMaxCurrentBytes / 2)));
}

}  // namespace

absl::StatusOr<ShopGenerations> ShopGenerations::Open(const std::string& directory, bool create) {
  ShopGenerations generations(directory);
  const auto current = ReadCurrent(directory);
  if (!current.ok()) return current.status();
  generations.current_ = *current;
  if (generations.current_.empty()) {
    for (const std::string& name : generations.All()) {
      if (name == kBare || !IsThere(generations.PathOf(name) + "/catalog")) continue;
      return absl::DataLossError(
          fmt::format("{}/CURRENT: is missing, although {} exists", directory, name));
    }
    if (IsThere(directory + "/catalog")) {
      generations.current_ = kBare;
      return generations;
    }
    if (!create) return absl::NotFoundError(fmt::format("{}: no shop there", directory));
    const auto first = generations.Begin();
    if (!first.ok()) return first.status();
    if (absl::Status status = generations.Activate(*first); !status.ok()) return status;
  }
  if (!NumberOf(generations.current_) || !IsThere(generations.PathOf(generations.current_))) {
    return absl::DataLossError(fmt::format("{}/CURRENT: names {:?}, which does not exist",
                                           directory, generations.current_.substr(0, 64)));
  }
  return generations;
}

std::string ShopGenerations::PathOf(const std::string& generation) const {
  return generation == kBare ? directory_ : directory_ + "/" + generation;
}

std::vector<std::string> ShopGenerations::All() const {
  std::vector<std::pair<int, std::string>> found;
  if (IsThere(directory_ + "/catalog")) found.emplace_back(0, kBare);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory_, error)) {
    const std::string name = entry.path().filename().string();
    const auto number = NumberOf(name);
    if (number && *number > 0 && entry.is_directory(error)) found.emplace_back(*number, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [number, name] : found) names.push_back(std::move(name));
  return names;
}

std::optional<std::string> ShopGenerations::previous() const {
  const auto number = NumberOf(current_);
  std::optional<std::string> before;
  for (const std::string& name : All()) {
    if (*NumberOf(name) < *number) before = name;
  }
  return before;
}

absl::StatusOr<std::string> ShopGenerations::Begin() {
  const int current = NumberOf(current_).value_or(0);
  int last = current;
  for (const std::string& name : All()) {
    const int number = *NumberOf(name);
    last = std::max(last, number);
    if (number <= current) continue;
    if (absl::Status status = Remove(name); !status.ok()) return status;
  }
  const std::string name = NameOf(last + 1);
  // From now on a missing CURRENT is damage.
  if (current_ == kBare && !IsThere(directory_ + "/CURRENT")) {
    if (absl::Status status = Activate(kBare); !status.ok()) return status;
  }
  std::error_code error;
  fs::create_directories(PathOf(name), error);
  if (error) return FileError(PathOf(name), error);
  if (absl::Status status = catalog::SyncDirectory(directory_); !status.ok()) return status;
  return name;
}

absl::Status ShopGenerations::Activate(const std::string& generation) {
  if (!NumberOf(generation) || !IsThere(PathOf(generation))) {
    return absl::NotFoundError(fmt::format("{}: no generation {:?}", directory_, generation));
  }
  const absl::Status status =
      catalog::WriteFileDurably(directory_ + "/CURRENT", EncodeCurrent(generation));
  if (status.ok()) current_ = generation;
  return status;
}

absl::Status ShopGenerations::Remove(const std::string& generation) {
  if (generation == current_ || !NumberOf(generation)) {
    return absl::FailedPreconditionError(
        fmt::format("{}: generation {:?} cannot be removed", directory_, generation));
  }
  std::error_code error;
  if (generation == kBare) {
    for (const char* part : {"catalog", "index"}) fs::remove_all(directory_ + "/" + part, error);
  } else {
    fs::remove_all(PathOf(generation), error);
  }
  return error ? FileError(PathOf(generation), error) : absl::OkStatus();
}

absl::Status ShopGenerations::RemoveOld(
    const std::function<bool(const std::string& generation)>& is_in_use) {
  const std::optional<std::string> before = previous();
  const int current = *NumberOf(current_);
  for (const std::string& name : All()) {
    if (name == before || *NumberOf(name) >= current || is_in_use(name)) continue;
    if (absl::Status status = Remove(name); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
