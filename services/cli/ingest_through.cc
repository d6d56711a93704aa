// Pieces out, results in.
#include "services/cli/ingest_through.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "catalog/encoding/json.h"
#include "catalog/encoding/sha256.h"
#include "services/client/http_client.h"
#include "services/http/multipart_form.h"

namespace emptor::services {
namespace {

using catalog::ImportReport;
using catalog::JsonValue;

constexpr size_t kChunkBytes = 1u << 20;
constexpr size_t kMaxQueryBytes = 4096;  // a service accepts request lines of twice as much
constexpr uint64_t kRowsPerDraw = 256;
constexpr size_t kWorkBytes = 20;  // of the digest that names a feed and its options

std::string QueryOf(const JobSpec& spec) {
  std::string query;
  for (const auto& [name, value] : JobOptions(spec)) {
    query += (query.empty() ? "?" : "&") + name + "=" + UrlEncoded(value);
  }
  return query;
}

/// How one piece of a feed is sent: options that are longer than a request line may be (a mapping
/// of many columns) go next to it in a form.
struct Sending {
  std::string query;
  std::string content_type = "application/octet-stream";
  std::string form = {};  // empty: the piece itself is the body
};

Sending SendingOf(const JobSpec& spec, std::string_view piece) {
  Sending sending{.query = QueryOf(spec)};
  if (sending.query.size() <= kMaxQueryBytes) return sending;
  const auto options = JobOptions(spec);
  std::vector<FormPart> parts;
  for (const auto& [name, value] : options) parts.push_back({name, value});
  parts.push_back({"feed", piece});
  auto [content_type, body] = WriteMultipartForm(parts);
  return {.query = {}, .content_type = std::move(content_type), .form = std::move(body)};
}

void TakeResult(const JsonValue& result, const std::string& file, uint64_t lines_before,
                IngestProgress& progress, ImportReport& total) {
  const JsonValue* status = result.Find("status");
  const JsonValue* line = result.Find("line");
  if (status == nullptr || !status->is_string()) return;
  catalog::LineResult read;
  for (const auto each : {catalog::LineStatus::kCreated, catalog::LineStatus::kUpdated,
                          catalog::LineStatus::kUnchanged, catalog::LineStatus::kDeleted,
                          catalog::LineStatus::kDuplicate}) {
    if (status->as_string() == ToString(each)) read.status = each;
  }
  if (result.Find("warnings") != nullptr) read.problems.emplace_back();
  if (result.Find("duplicate_of") != nullptr) read.duplicate_of = "?";
  catalog::CountResult(read, total);
  if (read.status != catalog::LineStatus::kError) return;
  const JsonValue* message = result.Find("message");
  const bool has_line = line != nullptr && line->is_int();
  progress.Error(file, lines_before + (has_line ? static_cast<uint64_t>(line->as_int()) : 0),
                 message != nullptr && message->is_string() ? message->as_string() : "error");
}

/// The results of one piece as they arrive, split anywhere.
class ResultReader {
 public:
  ResultReader(const std::string& file, uint64_t lines_before, IngestProgress& progress,
               ImportReport& total)
      : file_(file), lines_before_(lines_before), progress_(progress), total_(total) {}

  void Push(std::string_view bytes) {
    pending_ += bytes;
    size_t begin = 0;
    for (size_t end = 0; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      Line(std::string_view(pending_).substr(begin, end - begin));
    }
    pending_.erase(0, begin);
  }
  /// The error of the last line when the import failed.
  const absl::Status& status() const { return status_; }

 private:
  void Line(std::string_view line) {
    const auto json = catalog::ParseJson(line);
    if (!json.ok()) return;
    const JsonValue* error = json->Find("error");
    const JsonValue* message = error != nullptr ? error->Find("message") : nullptr;
    if (message != nullptr && message->is_string()) {
      status_ = absl::UnavailableError(message->as_string());
    }
    TakeResult(*json, file_, lines_before_, progress_, total_);
    if (total_.lines % kRowsPerDraw == 0) progress_.Advance(0, total_.lines);
  }

  const std::string& file_;
  const uint64_t lines_before_;
  IngestProgress& progress_;
  ImportReport& total_;
  std::string pending_;
  absl::Status status_;
};

/// A part of a feed that is a separate job.
struct Piece {
  std::string_view bytes;
  uint64_t lines_before = 0;
};

/// True for text that can be split after any line feed: neither compressed nor in a wide encoding.
bool IsPlainText(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  const std::string_view head = bytes.substr(std::min(first, bytes.size()), 1024);
  return head.starts_with('{') && head.find('\0') == std::string_view::npos;
}

/// Rows of JSON lines are independent, so such a feed is sent in pieces. Any other feed is sent
/// whole, and so is one that replaces.
std::vector<Piece> PiecesOf(const Feed& feed, const JobSpec& spec) {
  const bool is_json_lines =
      spec.feed.format == catalog::FeedFormat::kJsonl ||
      (spec.feed.format == catalog::FeedFormat::kAuto && feed.name.ends_with(".jsonl"));
  const bool goes_whole = !is_json_lines || spec.mode == catalog::ImportMode::kReplace;
  if (goes_whole || !IsPlainText(feed.bytes)) return {{feed.bytes}};
  std::vector<Piece> pieces;
  std::string_view rest = feed.bytes;
  for (uint64_t lines = 0; !rest.empty();) {
    size_t size = rest.size();
    if (size > kChunkBytes) {
      const size_t end = rest.rfind('\n', kChunkBytes);
      const size_t next = end == std::string_view::npos ? rest.find('\n', kChunkBytes) : end;
      size = next == std::string_view::npos ? size : next + 1;
    }
    const std::string_view piece = rest.substr(0, size);
    pieces.push_back({piece, lines});
    lines += static_cast<uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
    rest.remove_prefix(size);
  }
  return pieces;
}

/// One transfer of a feed. Its pieces carry idempotency keys "WORK.RUN.PIECE", so that a later
/// transfer resumes where this one was interrupted: the service knows the progress of each piece.
struct Run {
  std::string prefix;       // "WORK.": a digest of the feed and its options, in hex
  std::string name;         // RUN
  size_t done = 0;          // pieces that are done
  std::string waiting_for;  // the job of the next piece, where it runs already
};

absl::StatusOr<Run> BeginRun(const Feed& feed, JobSpec spec) {
  if (absl::Status status = Identify(feed, spec); !status.ok()) return status;
  const std::string work = spec.digest + QueryOf(spec);
  const catalog::Digest digest = catalog::ComputeSha256(work.data(), work.size());
  std::random_device random;
  Run run;
  for (size_t i = 0; i < kWorkBytes; ++i) run.prefix += fmt::format("{:02x}", digest[i]);
  run.prefix += '.';
  run.name = std::to_string(random()) + std::to_string(random());
  return run;
}

absl::StatusOr<JsonValue> GetFrom(const ServiceTarget& target, const std::string& path) {
  const auto reply = HttpGet({.url = target.url + path, .headers = target.headers});
  if (!reply.ok()) return reply.status();
  if (absl::Status status = CheckReply(target.url, *reply); !status.ok()) return status;
  return catalog::ParseJson(reply->body, {.max_bytes = 64u << 20, .max_nodes = 1u << 20});
}

absl::StatusOr<Job> JobFrom(const JsonValue& json) {
  catalog::JsonWriter writer;
  writer.Value(json);
  return ParseJob(writer.Take());
}

/// Makes `run` resume the newest unfinished transfer of the same feed and options, and adds the
/// sums of its finished pieces. Pieces are sent in order: those before the newest are finished.
absl::Status FindBrokenRun(const ServiceTarget& target, size_t pieces, Run& run,
                           ImportReport& total) {
  const auto list = GetFrom(target, "/v1/jobs");
  if (!list.ok()) return list.status();
  const JsonValue* jobs = list->Find("jobs");
  if (jobs == nullptr || !jobs->is_array()) return absl::InternalError("no list of jobs");
  std::string found;  // the run's part of the keys
  for (const JsonValue& each : jobs->as_array()) {
    const auto job = JobFrom(each);
    if (!job.ok()) return job.status();
    const std::string& key = job->spec.idempotency_key;
    if (!key.starts_with(run.prefix) || (!found.empty() && !key.starts_with(found))) continue;
    const size_t dot = key.rfind('.');
    const size_t piece = std::strtoull(key.c_str() + dot + 1, nullptr, 10);
    if (found.empty()) {
      if (job->state == JobState::kDone && piece + 1 == pieces) return absl::OkStatus();
      found = key.substr(0, dot + 1);
      run.name = key.substr(run.prefix.size(), dot - run.prefix.size());
      run.done = job->state == JobState::kDone ? piece + 1 : piece;
      const bool is_under_way = job->state == JobState::kQueued || job->state == JobState::kRunning;
      if (is_under_way) run.waiting_for = job->id;
    }
    if (piece < run.done) catalog::AddReport(job->report, total);
  }
  return absl::OkStatus();
}

absl::Status WaitForJob(const ServiceTarget& target, const std::string& id) {
  constexpr std::chrono::milliseconds kPause{200};
  while (true) {
    const auto json = GetFrom(target, "/v1/jobs/" + id);
    if (!json.ok()) return json.status();
    const auto job = JobFrom(*json);
    if (!job.ok()) return job.status();
    if (job->state != JobState::kQueued && job->state != JobState::kRunning) {
      return absl::OkStatus();
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

absl::Status IngestThrough(const ServiceTarget& target, const std::vector<Feed>& feeds,
                           const JobSpec& spec, bool resume, IngestProgress& progress,
                           ImportReport& total) {
  for (const Feed& feed : feeds) {
    auto run = BeginRun(feed, spec);
    if (!run.ok()) return run.status();
    const std::vector<Piece> pieces = PiecesOf(feed, spec);
    if (resume) {
      absl::Status status = FindBrokenRun(target, pieces.size(), *run, total);
      if (status.ok() && !run->waiting_for.empty()) status = WaitForJob(target, run->waiting_for);
      if (!status.ok()) return status;
      const uint64_t lines = run->done < pieces.size() ? pieces[run->done].lines_before : 0;
      if (run->done > 0)
        progress.PrintLine(fmt::format("{}: continues after line {}", feed.name, lines));
    }
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (i >= run->done) {
        ResultReader results(feed.name, pieces[i].lines_before, progress, total);
        auto headers = target.headers;
        headers.push_back(fmt::format("Idempotency-Key: {}{}.{}", run->prefix, run->name, i));
        const Sending sending = SendingOf(spec, pieces[i].bytes);
        const bool is_form = !sending.form.empty();
        const auto reply = HttpPost({.url = target.url + "/v1/catalog/import" + sending.query,
                                     .headers = std::move(headers),
                                     .content_type = sending.content_type,
                                     .body = is_form ? sending.form : pieces[i].bytes,
                                     .on_piece = [&results](std::string_view bytes) {
                                       results.Push(bytes);
                                       return true;
                                     }});
        if (!reply.ok()) return reply.status();
        if (absl::Status status = CheckReply(target.url, *reply); !status.ok()) return status;
        if (!results.status().ok()) return results.status();
      }
      progress.Advance(pieces[i].bytes.size(), total.lines);
    }
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
