// A resumable scan finds the end of each record; only whole records are cut into cells.
#include "catalog/feed/table_parser.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "catalog/feed/feed_row.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

constexpr size_t kSlice = 256u << 10;
constexpr size_t kMaxHeaderLine = 64u << 10;
constexpr View kByteOrderMark = "\xEF\xBB\xBF";

// CR LF counts once, and so does a CR alone.
uint64_t CountLineEnds(View text) {
  const auto feeds = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
  uint64_t returns = 0;
  for (size_t at = text.find('\r'); at != View::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') ++returns;
  }
  return feeds + returns;
}

}  // namespace

char GuessDelimiter(View first_line) {
  constexpr std::array<char, 4> kDelimiters = {'\t', ',', ';', '|'};
  std::array<size_t, 4> counts = {};
  bool quoted = false;
  for (char c : first_line) {
    if (c == '"') quoted = !quoted;
    const auto* found = std::find(kDelimiters.begin(), kDelimiters.end(), c);
    if (!quoted && found != kDelimiters.end())
      ++counts[static_cast<size_t>(found - kDelimiters.begin())];
  }
  const auto* most = std::max_element(counts.begin(), counts.end());
  return *most == 0 ? ',' : kDelimiters[static_cast<size_t>(most - counts.begin())];
}

TableParser::TableParser(char delimiter, Sink sink)
    : delimiter_(delimiter), sink_(std::move(sink)) {}

absl::Status TableParser::Push(View bytes) {
  while (status_.ok() && !bytes.empty()) {
    const View slice = bytes.substr(0, kSlice);
    bytes.remove_prefix(slice.size());
    buffer_ += slice;
    status_ = Drain(false);
    buffer_.erase(0, start_);
    scanned_ -= start_;
    start_ = 0;
  }
  return status_;
}

absl::Status TableParser::Finish() {
  if (status_.ok()) status_ = Drain(true);
  return status_;
}

// Knows the delimiter once the first line with text is whole.
bool TableParser::FindDelimiter(bool at_end) {
  if (delimiter_ != 0) return true;
  const View text = View(buffer_).substr(start_, kMaxHeaderLine);
  const size_t first = text.find_first_not_of("\r\n");
  if (first == View::npos) return at_end;
  const size_t end = text.find_first_of("\r\n", first);
  if (end == View::npos && !at_end && text.size() < kMaxHeaderLine) return false;
  delimiter_ = GuessDelimiter(text.substr(first, end == View::npos ? end : end - first));
  return true;
}

absl::Status TableParser::Drain(bool at_end) {
  if (offset_ == 0 && start_ == 0) {
    if (buffer_.size() < kByteOrderMark.size() && !at_end) return absl::OkStatus();
    if (View(buffer_).starts_with(kByteOrderMark)) {
      start_ = scanned_ = kByteOrderMark.size();
      offset_ = kByteOrderMark.size();
    }
  }
  if (!FindDelimiter(at_end)) return absl::OkStatus();
  absl::Status status;
  while (status.ok() && start_ < buffer_.size()) {
    if (skipping_) {
      if (!SkipLongLine(at_end)) return absl::OkStatus();
      status = Emit(0, 0, fmt::format("longer than {} bytes", kMaxRecordBytes), false);
      continue;
    }
    const bool is_whole = ScanRecord(at_end);
    // If the line is incomplete, its last byte may be the CR of its line end.
    const bool is_too_long =
        is_whole ? end_ - start_ > kMaxRecordBytes : buffer_.size() - start_ > kMaxRecordBytes + 2;
    if (is_too_long) {
      status = TakeFirstLine(
          fmt::format("longer than {} bytes; a quote may not be closed", kMaxRecordBytes));
    } else if (is_whole) {
      status = TakeWholeRecord(false);
    } else if (!at_end) {
      return absl::OkStatus();
    } else if (state_ == State::kQuoted) {
      status = TakeFirstLine("a quote is not closed");
    } else {
      end_ = buffer_.size();
      line_end_ = 0;
      status = TakeWholeRecord(true);
    }
  }
  if (status.ok() && at_end && skipping_) {
    skipping_ = false;
    status = Emit(0, 0, fmt::format("longer than {} bytes", kMaxRecordBytes), false);
  }
  return status;
}

// Sets end_ and line_end_ when the record that begins at start_ is whole.
bool TableParser::ScanRecord(bool at_end) {
  const char* const data = buffer_.data();
  const size_t size = buffer_.size();
  size_t at = scanned_;
  State state = state_;
  while (at < size) {
    const char c = data[at];
    if (state == State::kQuoted) {
      const void* quote = std::memchr(data + at, '"', size - at);
      if (quote == nullptr) {
        at = size;
        break;
      }
      at = static_cast<size_t>(static_cast<const char*>(quote) - data);
      state = State::kQuoteInQuoted;
    } else if (c == '"' && state == State::kCellStart) {
      state = State::kQuoted;
    } else if (c == '"' && state == State::kQuoteInQuoted) {
      state = State::kQuoted;
    } else if (c == delimiter_) {
      state = State::kCellStart;
    } else if (c == '\n' || c == '\r') {
      if (c == '\r' && at + 1 == size && !at_end) break;
      end_ = at;
      line_end_ = c == '\r' && at + 1 < size && data[at + 1] == '\n' ? 2 : 1;
      scanned_ = at;
      return true;
    } else {
      state = State::kPlain;
    }
    ++at;
  }
  scanned_ = at;
  state_ = state;
  return false;
}

absl::Status TableParser::TakeWholeRecord(bool is_open) {
  const size_t length = end_ - start_;
  const bool whole = SplitCells(View(buffer_).substr(start_, length));
  return Emit(length, line_end_, whole ? "" : "text after a closing quote", is_open);
}

absl::Status TableParser::TakeFirstLine(std::string fault) {
  const size_t end = buffer_.find_first_of("\r\n", start_);
  if (end == std::string::npos || end - start_ > kMaxRecordBytes) {
    skipping_ = true;
    long_line_ = buffer_.substr(start_, FeedRow::kMaxRawBytes);
    return absl::OkStatus();
  }
  record_.cells.clear();
  const bool pair = buffer_[end] == '\r' && end + 1 < buffer_.size() && buffer_[end + 1] == '\n';
  return Emit(end - start_, pair ? 2 : 1, std::move(fault), false);
}

// Drops bytes before the line end, which stays for the next record; false if it has not arrived.
bool TableParser::SkipLongLine(bool at_end) {
  const size_t end = buffer_.find_first_of("\r\n", start_);
  const size_t upto = end == std::string::npos ? buffer_.size() : end;
  offset_ += upto - start_;
  start_ = scanned_ = upto;
  if (end == std::string::npos && !at_end) return false;
  skipping_ = false;
  return true;
}

// Emits the record of `length` bytes at start_ and advances past it. After SkipLongLine it is the
// beginning that was kept.
absl::Status TableParser::Emit(size_t length, size_t line_end, std::string fault, bool is_open) {
  const bool was_long = !long_line_.empty();
  record_.raw = was_long ? View(long_line_) : View(buffer_).substr(start_, length);
  if (was_long) record_.cells.clear();
  record_.line = line_;
  record_.end_line = line_ + CountLineEnds(View(buffer_).substr(start_, length));
  record_.end_offset = offset_ + length + line_end;
  record_.is_last_and_open = is_open;
  record_.fault = std::move(fault);
  const bool has_text = !record_.fault.empty() ||
                        std::any_of(record_.cells.begin(), record_.cells.end(), [](View cell) {
                          return cell.find_first_not_of(" \t") != View::npos;
                        });
  const absl::Status status = has_text ? sink_(record_) : absl::OkStatus();
  line_ = record_.end_line + (line_end > 0 ? 1 : 0);
  offset_ = record_.end_offset;
  start_ = scanned_ = start_ + length + line_end;
  state_ = State::kCellStart;
  long_line_.clear();
  return status;
}

// Fills record_.cells; false when text follows a closing quote where that is a fault.
bool TableParser::SplitCells(View raw) {
  record_.cells.clear();
  unquoted_.clear();
  unquoted_.reserve(raw.size());  // views into it stay
  bool whole = true;
  for (size_t at = 0; at <= raw.size();) {
    if (at == raw.size() || raw[at] != '"') {
      const size_t end = std::min(raw.find(delimiter_, at), raw.size());
      record_.cells.push_back(raw.substr(at, end - at));
      at = end + 1;
      continue;
    }
    const size_t begin = unquoted_.size();
    size_t quote = raw.find('"', at + 1);
    size_t from = at + 1;
    while (quote != View::npos && quote + 1 < raw.size() && raw[quote + 1] == '"') {
      unquoted_ += raw.substr(from, quote + 1 - from);
      from = quote + 2;
      quote = raw.find('"', from);
    }
    const size_t close = std::min(quote, raw.size());
    unquoted_ += raw.substr(from, close - from);
    const size_t end = std::min(raw.find(delimiter_, std::min(close + 1, raw.size())), raw.size());
    if (close + 1 < end) {
      whole = whole && delimiter_ == '\t';
      record_.cells.push_back(raw.substr(at, end - at));
    } else {
      record_.cells.push_back(View(unquoted_).substr(begin));
    }
    at = end + 1;
  }
  return whole;
}

}  // namespace emptor::catalog
