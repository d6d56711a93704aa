// Pieces out, results in.
#include "services/cli/ingest_through.h"

#include <algorithm>
#include <functional>
#include <sstream>
#include <string_view>

#include "catalog/json.h"
#include "services/client/http_client.h"

namespace emptor::services {
namespace {

using catalog::ImportReport;
using catalog::JsonValue;

constexpr size_t kChunkBytes = 1u << 20;

std::string QueryOf(const JobSpec& spec) {
  std::string query;
  for (const auto& [name, value] : JobOptions(spec)) {
    query += (query.empty() ? "?" : "&") + name + "=" + UrlEncoded(value);
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
                          catalog::LineStatus::kUnchanged, catalog::LineStatus::kDeleted,
                          catalog::LineStatus::kDuplicate}) {
    if (status->as_string() == ToString(each)) taken.status = each;
  }
  if (result.Find("warnings") != nullptr) taken.problems.emplace_back();
  if (result.Find("duplicate_of") != nullptr) taken.duplicate_of = "?";
  catalog::CountResult(taken, total);
  if (taken.status != catalog::LineStatus::kError) return;
  const JsonValue* message = result.Find("message");
  const bool has_line = line != nullptr && line->is_int();
  progress.Error(file, lines_before + (has_line ? static_cast<uint64_t>(line->as_int()) : 0),
                 message != nullptr && message->is_string() ? message->as_string() : "error");
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

}  // namespace

absl::Status IngestThrough(const IngestTarget& target, const std::vector<Feed>& feeds,
                           const JobSpec& spec, IngestProgress& progress, ImportReport& total) {
  for (const Feed& feed : feeds) {
    const bool in_pieces = IsJsonLines(feed, spec) && spec.mode != catalog::ImportMode::kReplace;
    const auto send = [&](std::string_view piece, uint64_t lines_before) {
      const auto reply = HttpPost({.url = target.url + "/v1/catalog/import" + QueryOf(spec),
                                   .headers = target.headers,
                                   .content_type = "application/octet-stream",
                                   .body = piece});
      if (!reply.ok()) return reply.status();
      if (absl::Status status = CheckReply(target.url, *reply); !status.ok()) return status;
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

}  // namespace emptor::services
