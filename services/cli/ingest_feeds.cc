// Reads and names them.
#include "services/cli/ingest_feeds.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "catalog/encoding/sha256.h"
#include "services/cli/ingest_documents.h"
#include "services/ingest/job_files.h"
#include "services/ingest/mapping_file.h"

namespace emptor::services {
namespace {

constexpr size_t kChunkBytes = 1u << 20;

absl::StatusOr<std::string> ReadAll(const std::string& file) {
  std::ostringstream text;
  if (file == "-") {
    text << std::cin.rdbuf();
    return std::move(text).str();
  }
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  if (!stream || std::filesystem::is_directory(file, error)) {
    return absl::NotFoundError(file + ": cannot be read");
  }
  text << stream.rdbuf();
  return std::move(text).str();
}

/// The feed of --retry; its format is that of the dead letters.
absl::StatusOr<Feed> RetryFeedOf(const std::string& file, JobSpec& spec) {
  const auto text = ReadAll(file);
  if (!text.ok()) return text.status();
  auto retry = ParseDeadLetters(*text);
  if (!retry.ok())
    return absl::InvalidArgumentError(file + ": " + std::string(retry.status().message()));
  for (const uint64_t line : retry->without_raw) {
    std::fprintf(stderr, "%s: line %llu of the feed cannot be tried again: its text was not kept\n",
                 file.c_str(), static_cast<unsigned long long>(line));
  }
  for (const uint64_t line : retry->with_broken_text) {
    std::fprintf(
        stderr,
        "%s: line %llu of the feed is not tried again: its raw text still has U+FFFD where "
        "bytes were no text\n",
        file.c_str(), static_cast<unsigned long long>(line));
  }
  if (retry->format != catalog::FeedFormat::kAuto) spec.feed.format = retry->format;
  return Feed{file, std::move(retry->feed)};
}

}  // namespace

absl::StatusOr<JobSpec> SpecOf(const IngestCommand& command) {
  JobSpec spec;
  for (const auto& [name, value] : command.options) {
    const bool is_file = name == "columns" && IsMappingFile(value);
    const absl::Status status =
        is_file ? LoadMappingFile(value, spec.feed) : SetJobOption(name, value, spec);
    if (!status.ok()) return status;
  }
  spec.dry_run = command.dry_run;
  return spec;
}

absl::StatusOr<std::vector<Feed>> FeedsOf(const IngestCommand& command, bool stream,
                                          JobSpec& spec) {
  std::vector<Feed> feeds;
  for (const std::string& file : command.files) {
    // An input that is not a regular file, such as the pipe `<(zcat feed.gz)`, can be read only
    // once.
    std::error_code error;
    const auto kind = std::filesystem::status(file, error).type();
    if (kind == std::filesystem::file_type::directory) {
      return absl::InvalidArgumentError(file + ": is a directory");
    }
    if (stream && kind == std::filesystem::file_type::regular) {
      feeds.push_back({file, "", true});
      continue;
    }
    auto bytes = ReadAll(file);
    if (!bytes.ok()) return bytes.status();
    feeds.push_back({file, *std::move(bytes)});
  }
  for (const std::string& file : command.documents) {
    const auto bytes = ReadAll(file);
    if (!bytes.ok()) return bytes.status();
    auto row = DocumentRow(command, file, *bytes);
    if (!row.ok()) return row.status();
    spec.feed.format = catalog::FeedFormat::kJsonl;
    feeds.push_back({file, *std::move(row)});
  }
  if (command.retry.empty()) return feeds;
  auto feed = RetryFeedOf(command.retry, spec);
  if (!feed.ok()) return feed.status();
  feeds.push_back(*std::move(feed));
  return feeds;
}

absl::StatusOr<std::unique_ptr<std::istream>> OpenFeed(const Feed& feed) {
  if (!feed.is_file) return std::make_unique<std::istringstream>(feed.bytes);
  auto stream = std::make_unique<std::ifstream>(feed.name, std::ios::binary);
  if (!*stream) return absl::NotFoundError(feed.name + ": cannot be read");
  return stream;
}

absl::Status Identify(const Feed& feed, JobSpec& spec) {
  const auto stream = OpenFeed(feed);
  if (!stream.ok()) return stream.status();
  catalog::Sha256 hash;
  std::string chunk(kChunkBytes, '\0');
  spec.bytes = 0;
  while (**stream) {
    (*stream)->read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const auto count = static_cast<size_t>((*stream)->gcount());
    hash.Update(chunk.data(), count);
    spec.bytes += count;
  }
  spec.digest.clear();
  for (const uint8_t byte : hash.Finish()) spec.digest += fmt::format("{:02x}", byte);
  return absl::OkStatus();
}

uint64_t SizeOf(const Feed& feed) {
  if (!feed.is_file) return feed.bytes.size();
  std::error_code error;
  const auto size = std::filesystem::file_size(feed.name, error);
  return error ? 0 : size;
}

}  // namespace emptor::services
