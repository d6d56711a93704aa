// Plain appends; the checkpoint in the store says how much of them counts.
#include "services/ingest/job_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "catalog/encoding/json.h"
#include "catalog/storage/durable_file.h"

namespace emptor::services {
namespace {

using catalog::FeedRow;
using catalog::JsonValue;

// A dead letter is a row of at most 64 KiB whose bytes may each be escaped, and a preamble.
constexpr catalog::JsonLimits kDeadLetterLimits = {
    .max_bytes = 2u << 20, .max_depth = 4, .max_nodes = 64};

// Part of a reason of catalog/validation.cc or catalog/encoding/json.cc.
constexpr std::string_view kNoText = "not well-formed UTF-8";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

absl::Status FileError(const std::string& path) {
  const std::string message = path + ": " + std::strerror(errno);
  return errno == ENOSPC || errno == EDQUOT || errno == EFBIG
             ? absl::ResourceExhaustedError(message)
             : absl::UnavailableError(message);
}

uint32_t Crc(uint32_t before, std::string_view bytes) {
  return static_cast<uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Of the first `bytes` bytes, or of all where the file is shorter; they are appended to `text`.
absl::StatusOr<JobFileMark> MarkPrefix(const std::string& path, uint64_t bytes, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  JobFileMark mark{0, 0};
  std::string piece(size_t{1} << 16, '\0');
  while (file && mark.bytes < bytes) {
    const auto wanted = std::min<uint64_t>(piece.size(), bytes - mark.bytes);
    file.read(piece.data(), static_cast<std::streamsize>(wanted));
    const auto got = std::string_view(piece).substr(0, static_cast<size_t>(file.gcount()));
    mark.crc = Crc(*mark.crc, got);
    mark.bytes += got.size();
    if (text != nullptr) *text += got;
  }
  if (file.bad()) return absl::UnavailableError(path + ": cannot be read");
  return mark;
}

absl::Status WriteAll(int file, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FileError(name);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

std::string TextOf(const JsonValue& value, std::string_view name) {
  const JsonValue* member = value.Find(name);
  return member != nullptr && member->is_string() ? member->as_string() : std::string();
}

absl::Status AddDeadLetter(const JsonValue& letter, uint64_t number, RetryFeed& retry) {
  const JsonValue* line = letter.Find("line");
  const auto format = catalog::ParseFeedFormat(TextOf(letter, "format"));
  if (line == nullptr || !line->is_int() || line->as_int() < 0 || !format) {
    return absl::InvalidArgumentError(
        fmt::format("dead letters:{}: expected line, format and raw", number));
  }
  if (retry.format == catalog::FeedFormat::kAuto) {
    retry.format = *format;
    retry.feed = TextOf(letter, "preamble");
    retry.postamble = TextOf(letter, "postamble");
  }
  if (*format != retry.format) {
    return absl::InvalidArgumentError(fmt::format("dead letters:{}: format: expected {}, found {}",
                                                  number, ToString(retry.format),
                                                  ToString(*format)));
  }
  std::string raw = TextOf(letter, "raw");
  if (raw.empty() || raw.size() >= FeedRow::kMaxRawBytes) {
    retry.without_raw.push_back(static_cast<uint64_t>(line->as_int()));
    return absl::OkStatus();
  }
  // Invalid bytes appear there as U+FFFD, which would be imported as content of the feed.
  const bool is_broken = TextOf(letter, "reason").find(kNoText) != std::string::npos;
  if (is_broken && raw.find(kReplacement) != std::string::npos) {
    retry.with_broken_text.push_back(static_cast<uint64_t>(line->as_int()));
    return absl::OkStatus();
  }
  // Rows that can only be read together share the text of all of them.
  if (raw == retry.last_raw) return absl::OkStatus();
  retry.feed += raw;
  if (!raw.ends_with('\n')) retry.feed += '\n';
  ++retry.rows;
  retry.last_raw = std::move(raw);
  return absl::OkStatus();
}

}  // namespace

std::string DeadLetterJson(const catalog::LineResult& result, const catalog::FeedReader& reader) {
  catalog::JsonWriter writer;
  writer.BeginObject().Member("line", result.line);
  if (!result.id.empty()) writer.Member("id", result.id);
  const size_t colon = result.message.find(": ");
  const bool has_problem = !result.problems.empty();
  const std::string field = has_problem                  ? result.problems.front().field
                            : colon == std::string::npos ? ""
                                                         : result.message.substr(0, colon);
  writer.Member("field", field);
  writer.Member("reason", has_problem                  ? result.problems.front().reason
                          : colon == std::string::npos ? result.message
                                                       : result.message.substr(colon + 2));
  writer.Member("format", ToString(reader.format()));
  if (const auto encoding = reader.encoding(); !encoding.empty() && encoding != "UTF-8") {
    writer.Member("encoding", encoding);
  }
  if (!reader.preamble().empty()) writer.Member("preamble", reader.preamble());
  if (!reader.postamble().empty()) writer.Member("postamble", reader.postamble());
  writer.Member("raw", result.raw);
  return writer.EndObject().Take();
}

absl::StatusOr<RetryFeed> ParseDeadLetters(std::string_view text) {
  RetryFeed retry;
  for (uint64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.empty()) continue;
    const auto letter = catalog::ParseJson(line, kDeadLetterLimits);
    if (!letter.ok()) {
      return absl::InvalidArgumentError(
          fmt::format("dead letters:{}: {}", number, std::string(letter.status().message())));
    }
    if (absl::Status status = AddDeadLetter(*letter, number, retry); !status.ok()) return status;
  }
  retry.feed += retry.postamble;
  return retry;
}

JobFileMark MarkOf(std::string_view bytes) { return {bytes.size(), Crc(0, bytes)}; }

absl::Status CheckMarked(const std::string& path, const JobFileMark& mark) {
  const auto found = MarkPrefix(path, mark.bytes, nullptr);
  if (!found.ok()) return found.status();
  if (found->bytes < mark.bytes) {
    return absl::DataLossError(
        fmt::format("{}: expected {} bytes, found {}", path, mark.bytes, found->bytes));
  }
  if (!mark.crc || *mark.crc == *found->crc) return absl::OkStatus();
  return absl::DataLossError(path + ": damaged, its checksum does not match");
}

absl::StatusOr<std::string> ReadMarked(const std::string& path, const JobFileMark& mark) {
  std::string text;
  if (absl::Status status = CheckMarked(path, mark); !status.ok()) return status;
  const auto found = MarkPrefix(path, mark.bytes, &text);
  if (!found.ok()) return found.status();
  return text;
}

absl::StatusOr<std::unique_ptr<JobFiles>> JobFiles::Open(const std::string& directory,
                                                         const JobFileMark& results,
                                                         const JobFileMark& dead_letters) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return absl::UnavailableError(directory + ": " + error.message());
  std::unique_ptr<JobFiles> files(new JobFiles());
  const char* names[] = {kResultsFile, kDeadLettersFile};
  const JobFileMark wanted[] = {results, dead_letters};
  JobFileMark found[2];
  for (int i = 0; i < 2; ++i) {
    const std::string path = directory + "/" + names[i];
    files->files_[i] = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (files->files_[i] < 0) return FileError(path);
    const auto prefix = MarkPrefix(path, wanted[i].bytes, nullptr);
    if (!prefix.ok()) return prefix.status();
    // A power loss may lose results that were not synced; the file then continues from there.
    const bool is_whole = prefix->bytes == wanted[i].bytes;
    if (is_whole && wanted[i].crc && *wanted[i].crc != *prefix->crc) {
      return absl::DataLossError(path + ": damaged, its checksum does not match");
    }
    found[i] = *prefix;
  }
  files->CutTo(found[0], found[1]);
  return files;
}

JobFiles::~JobFiles() {
  for (const int file : files_) {
    if (file >= 0) ::close(file);
  }
}

absl::Status JobFiles::Write(int which, std::string_view bytes) {
  const absl::Status status =
      WriteAll(files_[which], bytes, which == 0 ? kResultsFile : kDeadLettersFile);
  if (!status.ok()) return status;
  marks_[which].bytes += bytes.size();
  marks_[which].crc = Crc(marks_[which].crc.value_or(0), bytes);
  return status;
}

absl::Status JobFiles::Append(const std::vector<catalog::LineResult>& results,
                              const catalog::FeedReader& reader) {
  std::string lines, letters;
  for (const catalog::LineResult& result : results) {
    lines += ToJson(result) + "\n";
    if (result.status != catalog::LineStatus::kError) continue;
    letters += DeadLetterJson(result, reader) + "\n";
  }
  absl::Status status = Write(0, lines);
  if (status.ok() && !letters.empty()) {
    status = Write(1, letters);
    if (status.ok() && ::fdatasync(files_[1]) != 0) status = FileError(kDeadLettersFile);
  }
  return status;
}

void JobFiles::CutTo(const JobFileMark& results, const JobFileMark& dead_letters) {
  const JobFileMark marks[] = {results, dead_letters};
  for (int i = 0; i < 2; ++i) {
    marks_[i] = marks[i];
    // A file that cannot be truncated is longer than the checkpoint, which every reader honours.
    if (::ftruncate(files_[i], static_cast<off_t>(marks[i].bytes)) != 0) continue;
    ::lseek(files_[i], 0, SEEK_END);
  }
}

absl::Status WriteWholeFile(const std::string& path, std::string_view bytes) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  return catalog::WriteFileDurably(path, bytes);
}

}  // namespace emptor::services
