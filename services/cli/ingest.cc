// emptor ingest.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "catalog/json.h"
#include "services/app/app.h"
#include "services/cli/commands.h"
#include "services/cli/http_client.h"
#include "services/ingest/shop.h"

namespace emptor::services {
namespace {

using catalog::ImportReport;
using catalog::JsonValue;
using std::chrono::steady_clock;

constexpr size_t kChunkBytes = 1u << 20;
constexpr int kMaxPrintedErrors = 50;

/// Prints errors as they come, a bar while standard error is a terminal, and the sum.
class Progress {
 public:
  explicit Progress(const std::vector<std::string>& files) : begun_(steady_clock::now()) {
    for (const std::string& file : files) {
      std::error_code error;
      const auto size = std::filesystem::file_size(file, error);
      if (!error) total_bytes_ += size;
    }
  }

  void Error(const std::string& file, uint64_t line, std::string_view message) {
    if (++errors_ > kMaxPrintedErrors) return;
    Clear();
    std::fprintf(stderr, "%s:%llu: %.*s\n", file.c_str(), static_cast<unsigned long long>(line),
                 static_cast<int>(message.size()), message.data());
  }

  void Advance(size_t bytes, uint64_t lines) {
    bytes_ += bytes;
    if (!is_terminal_ || total_bytes_ == 0) return;
    constexpr size_t kWidth = 40;
    const size_t filled = std::min(kWidth, bytes_ * kWidth / total_bytes_);
    const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
    std::fprintf(stderr, "\r[%s] %3zu%%  %llu lines", bar.c_str(),
                 std::min<size_t>(100, bytes_ * 100 / total_bytes_),
                 static_cast<unsigned long long>(lines));
    has_bar_ = true;
  }

  void Finish(const ImportReport& report) {
    Clear();
    if (errors_ > kMaxPrintedErrors) {
      std::fprintf(stderr, "... and %d more errors\n", errors_ - kMaxPrintedErrors);
    }
    const double seconds = std::chrono::duration<double>(steady_clock::now() - begun_).count();
    std::printf(
        "%llu lines: %llu created, %llu updated, %llu unchanged, %llu deleted, %llu errors; "
        "%.2f s, %.0f lines/s\n",
        Number(report.lines), Number(report.created), Number(report.updated),
        Number(report.unchanged), Number(report.deleted), Number(report.errors), seconds,
        seconds > 0 ? static_cast<double>(report.lines) / seconds : 0);
  }

 private:
  static unsigned long long Number(uint64_t value) { return value; }
  void Clear() {
    if (has_bar_) std::fputs("\r\033[K", stderr);
    has_bar_ = false;
  }

  const steady_clock::time_point begun_;
  const bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  size_t total_bytes_ = 0, bytes_ = 0;
  int errors_ = 0;
  bool has_bar_ = false;
};

absl::StatusOr<std::unique_ptr<std::istream>> OpenInput(const std::string& file) {
  if (file == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  auto stream = std::make_unique<std::ifstream>(file, std::ios::binary);
  if (!*stream) return absl::NotFoundError(file + ": cannot be read");
  return stream;
}

// ---- In this process

absl::Status IngestHere(Shop& shop, const IngestCommand& command, Progress& progress,
                        ImportReport& total) {
  catalog::ImportOptions options;
  options.dry_run = command.dry_run;
  for (const std::string& file : command.files) {
    auto stream = OpenInput(file);
    if (!stream.ok()) return stream.status();
    size_t position = 0;
    uint64_t lines = total.lines;
    const auto report = shop.Import(**stream, {}, options, [&](const catalog::LineResult& result) {
      ++lines;
      if (result.status == catalog::LineStatus::kError) {
        progress.Error(file, result.line, result.message);
      }
      if (lines % 256 != 0) return;
      const auto at = static_cast<std::streamoff>((*stream)->tellg());
      if (at < 0) return;
      progress.Advance(static_cast<size_t>(at) - position, lines);
      position = static_cast<size_t>(at);
    });
    if (!report.ok()) return report.status();
    catalog::AddReport(*report, total);
  }
  return absl::OkStatus();
}

// ---- Through a service

void CountResult(const JsonValue& result, const std::string& file, uint64_t lines_before,
                 Progress& progress, ImportReport& total) {
  const JsonValue* status = result.Find("status");
  const JsonValue* line = result.Find("line");
  if (status == nullptr || !status->is_string()) return;
  const std::string& name = status->as_string();
  ++total.lines;
  total.created += name == "created";
  total.updated += name == "updated";
  total.unchanged += name == "unchanged";
  total.deleted += name == "deleted";
  if (name != "error") return;
  ++total.errors;
  const JsonValue* message = result.Find("message");
  progress.Error(
      file,
      lines_before +
          (line != nullptr && line->is_int() ? static_cast<uint64_t>(line->as_int()) : 0),
      message != nullptr && message->is_string() ? message->as_string() : "error");
}

absl::Status SendChunk(const std::string& url, const std::string& chunk, const std::string& file,
                       uint64_t lines_before, Progress& progress, ImportReport& total) {
  const auto reply = HttpPost(url + "/v1/catalog/import", "application/x-ndjson", chunk);
  if (!reply.ok()) return reply.status();
  if (reply->status != 200) return absl::UnavailableError(url + ": " + reply->body);
  std::istringstream results(reply->body);
  for (std::string line; std::getline(results, line);) {
    const auto json = catalog::ParseJson(line);
    if (json.ok()) CountResult(*json, file, lines_before, progress, total);
  }
  progress.Advance(chunk.size(), total.lines);
  return absl::OkStatus();
}

absl::Status IngestThrough(const std::string& url, const IngestCommand& command, Progress& progress,
                           ImportReport& total) {
  if (command.dry_run) {
    return absl::UnimplementedError("--dry-run needs the data directory for itself");
  }
  for (const std::string& file : command.files) {
    auto stream = OpenInput(file);
    if (!stream.ok()) return stream.status();
    std::string chunk;
    uint64_t lines = 0, lines_before = 0;
    const auto flush = [&] {
      if (chunk.empty()) return absl::OkStatus();
      const absl::Status sent =
          SendChunk(url, std::exchange(chunk, {}), file, lines_before, progress, total);
      lines_before = lines;
      return sent;
    };
    for (std::string line; std::getline(**stream, line);) {
      if (chunk.size() + line.size() > kChunkBytes) {
        if (absl::Status status = flush(); !status.ok()) return status;
      }
      chunk += line + "\n";
      ++lines;
    }
    if (absl::Status status = flush(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

int RunIngest(const Config& config, const IngestCommand& command) {
  Progress progress(command.files);
  ImportReport total;
  absl::Status status;
  const std::string url = ServiceUrl(command.to, config);
  if (url.empty()) {
    auto base = ShopOnly::Open(config, /*create_if_missing=*/true);
    if (!base.ok()) return Fail(base.status());
    status = IngestHere((*base)->shop(), command, progress, total);
  } else {
    status = IngestThrough(url, command, progress, total);
  }
  progress.Finish(total);
  if (!status.ok()) return Fail(status);
  return total.errors == 0 ? 0 : 1;
}

}  // namespace emptor::services
