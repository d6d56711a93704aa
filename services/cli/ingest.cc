// emptor ingest: in this process, or through the service that holds the data directory.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "catalog/json.h"
#include "catalog/sha256.h"
#include "services/app/app.h"
#include "services/cli/commands.h"
#include "services/cli/ingest_documents.h"
#include "services/cli/ingest_progress.h"
#include "services/client/http_client.h"
#include "services/ingest/job_files.h"
#include "services/ingest/jobs.h"

namespace emptor::services {
namespace {

using catalog::ImportReport;
using catalog::JsonValue;

constexpr size_t kChunkBytes = 1u << 20;
constexpr uint64_t kRowsPerDraw = 256;

/// One feed to take, from a file, from standard input or out of dead letters.
struct Feed {
  std::string name;
  std::string bytes;     // unless it is read as it is needed
  bool is_file = false;  // of that name, to be streamed
};

absl::StatusOr<std::string> ReadAll(const std::string& file) {
  std::ostringstream text;
  if (file == "-") {
    text << std::cin.rdbuf();
    return std::move(text).str();
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return absl::NotFoundError(file + ": cannot be read");
  text << stream.rdbuf();
  return std::move(text).str();
}

absl::StatusOr<JobSpec> SpecOf(const IngestCommand& command) {
  JobSpec spec;
  for (const auto& [name, value] : command.options) {
    if (absl::Status status = SetJobOption(name, value, spec); !status.ok()) return status;
  }
  spec.dry_run = command.dry_run;
  return spec;
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
  if (retry->format != catalog::FeedFormat::kAuto) spec.feed.format = retry->format;
  return Feed{file, std::move(retry->feed)};
}

/// With `stream`, files are left where they are.
absl::StatusOr<std::vector<Feed>> FeedsOf(const IngestCommand& command, bool stream,
                                          JobSpec& spec) {
  std::vector<Feed> feeds;
  for (const std::string& file : command.files) {
    if (stream && file != "-") {
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

/// Digest and size of the whole feed, by which a broken-off job is known again.
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

// ---- In this process

absl::StatusOr<std::string> QueueJob(Jobs& jobs, const JobSpec& spec, bool resume) {
  if (resume) {
    const auto job = jobs.Resume(spec);
    if (!job.ok()) return job.status();
    if (job->has_value()) {
      std::fprintf(stderr, "%s: goes on behind line %llu\n", (*job)->id.c_str(),
                   static_cast<unsigned long long>((*job)->report.lines));
      return (*job)->id;
    }
  }
  const auto started = jobs.Start(spec);
  if (!started.ok()) return started.status();
  return started->job.id;
}

absl::Status IngestHere(Jobs& jobs, const std::vector<Feed>& feeds, JobSpec spec, bool resume,
                        IngestProgress& progress, ImportReport& total) {
  for (const Feed& feed : feeds) {
    spec.source = feed.name;
    if (absl::Status status = Identify(feed, spec); !status.ok()) return status;
    const auto id = QueueJob(jobs, spec, resume);
    if (!id.ok()) return id.status();
    const auto stream = OpenFeed(feed);
    if (!stream.ok()) return stream.status();
    uint64_t rows = total.lines, position = 0;
    const auto job = jobs.Run(*id, **stream, [&](const catalog::LineResult& result) {
      if (result.status == catalog::LineStatus::kError) {
        progress.Error(feed.name, result.line, result.message);
      }
      if (++rows % kRowsPerDraw != 0) return;
      const auto at = static_cast<std::streamoff>((*stream)->tellg());
      const uint64_t offset = at < 0 ? spec.bytes : static_cast<uint64_t>(at);
      progress.Advance(offset - position, rows);
      position = offset;
    });
    if (!job.ok()) return job.status();
    catalog::AddReport(job->report, total);
    if (job->dead_letters_bytes > 0) {
      progress.Note(fmt::format("{}: rows that could not be taken: {}/{}", *id,
                                jobs.DirectoryOf(*id), kDeadLettersFile));
    }
    if (job->state != JobState::kDone)
      return absl::FailedPreconditionError(*id + ": " + job->error);
  }
  return absl::OkStatus();
}

// ---- Through a service

std::string Encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '_' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string QueryOf(const JobSpec& spec) {
  std::string query;
  for (const auto& [name, value] : JobOptions(spec)) {
    query += (query.empty() ? "?" : "&") + name + "=" + Encoded(value);
  }
  return query;
}

void TakeResult(const JsonValue& result, const std::string& file, uint64_t lines_before,
                IngestProgress& progress, ImportReport& total) {
  const JsonValue* status = result.Find("status");
  const JsonValue* line = result.Find("line");
  if (status == nullptr || !status->is_string()) return;
  catalog::LineResult taken;
  for (const auto each : {catalog::LineStatus::kCreated, catalog::LineStatus::kUpdated,
                          catalog::LineStatus::kUnchanged, catalog::LineStatus::kDeleted}) {
    if (status->as_string() == ToString(each)) taken.status = each;
  }
  if (result.Find("warnings") != nullptr) taken.problems.emplace_back();
  catalog::CountResult(taken, total);
  if (taken.status != catalog::LineStatus::kError) return;
  const JsonValue* message = result.Find("message");
  const bool has_line = line != nullptr && line->is_int();
  progress.Error(file, lines_before + (has_line ? static_cast<uint64_t>(line->as_int()) : 0),
                 message != nullptr && message->is_string() ? message->as_string() : "error");
}

/// The message of an error reply.
std::string MessageOf(const HttpReply& reply) {
  const auto json = catalog::ParseJson(reply.body);
  const JsonValue* error = json.ok() ? json->Find("error") : nullptr;
  const JsonValue* message = error != nullptr ? error->Find("message") : nullptr;
  return message != nullptr && message->is_string() ? message->as_string() : reply.body;
}

/// Gives each piece and the number of lines before it to `send`. Rows of JSON lines stand alone, so
/// such a feed goes in pieces; every other goes whole, as does one that replaces.
absl::Status ForEachPiece(
    const Feed& feed, bool in_pieces,
    const std::function<absl::Status(std::string_view piece, uint64_t lines_before)>& send) {
  if (!in_pieces) return send(feed.bytes, 0);
  std::string_view rest = feed.bytes;
  for (uint64_t lines = 0; !rest.empty();) {
    size_t size = rest.size();
    if (size > kChunkBytes) {
      const size_t end = rest.rfind('\n', kChunkBytes);
      const size_t next = end == std::string_view::npos ? rest.find('\n', kChunkBytes) : end;
      size = next == std::string_view::npos ? size : next + 1;
    }
    const std::string_view piece = rest.substr(0, size);
    if (absl::Status status = send(piece, lines); !status.ok()) return status;
    lines += static_cast<uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
    rest.remove_prefix(size);
  }
  return absl::OkStatus();
}

bool IsJsonLines(const Feed& feed, const JobSpec& spec) {
  return spec.feed.format == catalog::FeedFormat::kJsonl ||
         (spec.feed.format == catalog::FeedFormat::kAuto && feed.name.ends_with(".jsonl"));
}

absl::Status IngestThrough(const std::string& url, const std::vector<Feed>& feeds,
                           const JobSpec& spec, IngestProgress& progress, ImportReport& total) {
  for (const Feed& feed : feeds) {
    const bool in_pieces = IsJsonLines(feed, spec) && spec.mode != catalog::ImportMode::kReplace;
    const auto send = [&](std::string_view piece, uint64_t lines_before) {
      const auto reply =
          HttpPost(url + "/v1/catalog/import" + QueryOf(spec), "application/octet-stream", piece);
      if (!reply.ok()) return reply.status();
      if (reply->status != 200) return absl::UnavailableError(url + ": " + MessageOf(*reply));
      std::istringstream results(reply->body);
      for (std::string line; std::getline(results, line);) {
        const auto json = catalog::ParseJson(line);
        if (json.ok()) TakeResult(*json, feed.name, lines_before, progress, total);
      }
      progress.Advance(piece.size(), total.lines);
      return absl::OkStatus();
    };
    if (absl::Status status = ForEachPiece(feed, in_pieces, send); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

int RunIngest(const Config& config, const IngestCommand& command) {
  if (absl::Status status = CheckDocumentCommand(command); !status.ok()) return Fail(status);
  auto spec = SpecOf(command);
  if (!spec.ok()) return Fail(spec.status());
  const std::string url = ServiceUrl(command.to, config);
  const auto feeds = FeedsOf(command, url.empty(), *spec);
  if (!feeds.ok()) return Fail(feeds.status());
  uint64_t bytes = 0;
  for (const Feed& feed : *feeds) bytes += SizeOf(feed);
  IngestProgress progress(bytes);
  ImportReport total;
  absl::Status status;
  if (url.empty()) {
    auto base = ShopOnly::Open(config, /*create_if_missing=*/true);
    if (!base.ok()) return Fail(base.status());
    JobsOptions options;
    options.directory = config.data_dir + "/jobs";
    auto jobs = Jobs::Open((*base)->shop(), options);
    if (!jobs.ok()) return Fail(jobs.status());
    status = IngestHere(**jobs, *feeds, *spec, command.resume, progress, total);
  } else {
    status = IngestThrough(url, *feeds, *spec, progress, total);
  }
  progress.Finish(total);
  if (!status.ok()) return Fail(status);
  return total.errors == 0 ? 0 : 1;
}

}  // namespace emptor::services
