// A bar of forty signs.
#include "services/cli/ingest_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace emptor::services {
namespace {

using std::chrono::steady_clock;

constexpr int kMaxPrintedErrors = 50;
constexpr uint64_t kWidth = 40;

void Print(std::FILE* stream, const std::string& text) { std::fputs(text.c_str(), stream); }

}  // namespace

IngestProgress::IngestProgress(uint64_t total_bytes)
    : begun_(steady_clock::now()),
      is_terminal_(::isatty(STDERR_FILENO) != 0),
      total_bytes_(total_bytes) {}

double IngestProgress::Seconds() const {
  return std::max(1e-9, std::chrono::duration<double>(steady_clock::now() - begun_).count());
}

void IngestProgress::Clear() {
  if (has_bar_) Print(stderr, "\r\033[K");
  has_bar_ = false;
}

void IngestProgress::Error(const std::string& file, uint64_t line, std::string_view message) {
  if (++errors_ > kMaxPrintedErrors) return;
  PrintLine(fmt::format("{}:{}: {}", file, line, message));
}

void IngestProgress::PrintLine(std::string_view text) {
  Clear();
  Print(stderr, fmt::format("{}\n", text));
}

void IngestProgress::Advance(uint64_t bytes, uint64_t rows) {
  bytes_ = std::min(bytes_ + bytes, total_bytes_);
  if (!is_terminal_ || total_bytes_ == 0) return;
  const uint64_t filled = bytes_ * kWidth / total_bytes_;
  Print(stderr, fmt::format("\r[{}{}] {:3}%  {} rows, {:.0f}/s\033[K", std::string(filled, '#'),
                            std::string(kWidth - filled, '.'), bytes_ * 100 / total_bytes_, rows,
                            static_cast<double>(rows) / Seconds()));
  has_bar_ = true;
}

void IngestProgress::Finish(const catalog::ImportReport& report) {
  Clear();
  if (errors_ > kMaxPrintedErrors) {
    Print(stderr, fmt::format("... and {} more errors\n", errors_ - kMaxPrintedErrors));
  }
  std::string extra;
  if (report.removed > 0) extra += fmt::format(", {} removed", report.removed);
  if (report.duplicates > 0) extra += fmt::format(", {} duplicates", report.duplicates);
  if (report.warnings > 0) extra += fmt::format(", {} with warnings", report.warnings);
  const double seconds = Seconds();
  Print(stdout,
        fmt::format("{} lines: {} created, {} updated, {} unchanged, {} deleted, {} errors{}; "
                    "{:.2f} s, {:.0f} lines/s\n",
                    report.lines, report.created, report.updated, report.unchanged, report.deleted,
                    report.errors, extra, seconds, static_cast<double>(report.lines) / seconds));
}

}  // namespace emptor::services
