// Text is kept until it is parsed; after a fault it is searched for the next row.
#include "catalog/feed/xml_rows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "catalog/feed/feed_row.h"
#include "fmt/format.h"

namespace emptor::catalog {
namespace {

using View = std::string_view;

// The parser scans an incomplete token again with every piece, and a piece again after a fault, so
// pieces start small and grow.
constexpr size_t kPiece = 64u << 10;
constexpr size_t kFirstPiece = 256;
constexpr size_t kMaxRowDepth = XmlParser::kMaxContext;
constexpr View kBlanks = " \t\r\n";
constexpr View kMadeUpRoot = "items";

constexpr std::array<View, 3> kRows = {"item", "entry", "product"};
constexpr std::array<View, 6> kRoots = {"rss", "RDF", "feed", "channel", "products", "items"};

template <size_t n>
bool IsOneOf(View name, const std::array<View, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Of "g:item"; npos + 1 is 0.
View LocalOf(View written) { return written.substr(written.find(':') + 1); }

// The name of the start tag that the text begins with, if it does.
View TagAt(View text) {
  if (!text.starts_with('<')) return {};
  return text.substr(1, std::min(text.find_first_of(" \t\r\n/><", 1), text.size()) - 1);
}

// Line ends as expat counts them; `before` is the byte in front of the text.
uint64_t CountLines(View text, char before = '\0') {
  uint64_t lines = 0;
  for (const char c : text) {
    lines += c == '\r' || (c == '\n' && before != '\r') ? 1 : 0;
    before = c;
  }
  return lines;
}

void TrimEnd(std::string& text) { text.resize(text.find_last_not_of(kBlanks) + 1); }

std::string Message(const absl::Status& status) { return std::string(status.message()); }

}  // namespace

XmlRows::XmlRows(XmlRowEvents events)
    : events_(std::move(events)), parser_(MakeEvents()), piece_(kFirstPiece) {}

XmlEvents XmlRows::MakeEvents() {
  return {[this](const XmlName& name, const XmlAttributes& attributes) {
            return Start(name, attributes);
          },
          [this] { return End(); },
          [this](View text) {
            if (row_depth_ > 0) events_.text(text, depth_ - row_depth_);
          }};
}

absl::Status XmlRows::Start(const XmlName& name, const XmlAttributes& attributes) {
  ++depth_;
  if (row_depth_ > 0) {
    if (!inner_offset_ && name.written == row_name_) {
      inner_offset_ = parser_.offset();
      inner_line_ = parser_.line();
    }
    events_.start(name, attributes, depth_ - row_depth_);
    return absl::OkStatus();
  }
  if (depth_ == 1) {
    has_root_ = true;
    has_known_root_ = has_known_root_ || IsOneOf(name.local, kRoots);
  }
  if (depth_ <= kMaxRowDepth && IsOneOf(name.local, kRows)) {
    BeginRow(name);
  } else {
    is_context_new_ = true;
  }
  return absl::OkStatus();
}

void XmlRows::BeginRow(const XmlName& name) {
  row_depth_ = depth_;
  row_name_ = name.written;
  row_offset_ = parser_.offset();
  row_line_ = parser_.line();
  row_bindings_ = parser_.OuterBindings();
  if (is_context_new_) row_context_ = parser_.Context(depth_ - 1);
  is_context_new_ = false;
  has_rows_ = true;
  MakePreamble();
  parser_.Capture(FeedRow::kMaxRawBytes);
  events_.begin(name);
}

absl::Status XmlRows::End() {
  const bool is_row = depth_ == row_depth_;
  is_context_new_ = is_context_new_ || row_depth_ == 0;
  --depth_;
  if (!is_row) return absl::OkStatus();
  row_depth_ = 0;
  inner_offset_.reset();
  raw_ = parser_.Captured();
  return events_.end({.line = row_line_,
                      .end_line = parser_.end_line(),
                      .end_offset = parser_.read_upto(),
                      .fault = {}});
}

void XmlRows::MakePreamble() {
  if (!preamble_.empty()) return;
  first_bindings_ = parser_.OuterBindings();
  preamble_ = fmt::format("<items{}>\n", first_bindings_);
}

std::string XmlRows::TakeRaw() {
  std::string raw = std::move(raw_);
  raw_.clear();
  if (row_bindings_ == first_bindings_ || TagAt(raw) != row_name_) return raw;
  raw.insert(1 + row_name_.size(), row_bindings_);
  raw.resize(std::min(raw.size(), FeedRow::kMaxRawBytes));
  return raw;
}

absl::Status XmlRows::Push(View bytes) {
  while (status_.ok() && !bytes.empty()) {
    const View slice = bytes.substr(0, kPiece);
    bytes.remove_prefix(slice.size());
    text_ += slice;
    status_ = Read(false);
  }
  return status_;
}

absl::Status XmlRows::Finish() {
  if (status_.ok()) status_ = Read(true);
  return status_;
}

absl::Status XmlRows::Read(bool at_end) {
  while (!is_done_) {
    if (gap_) {
      if (absl::Status status = PassGap(at_end); !status.ok()) return status;
      if (gap_) break;
      continue;
    }
    const View unread = View(text_).substr(parsed_);
    if (unread.size() < piece_ && !at_end) break;
    const View piece = unread.substr(0, piece_);
    const bool is_last = at_end && piece.size() == unread.size();
    parsed_ += piece.size();
    piece_ = std::min(2 * piece_, kPiece);
    absl::Status parsed = parser_.Parse(piece, is_last);
    if (!parsed.ok() && !parser_.is_recoverable()) return parsed;
    const bool is_held = inner_offset_ && parser_.read_upto() - *inner_offset_ > kMaxHeld;
    if (inner_offset_ && (is_held || !parsed.ok())) {
      parsed = SplitRow(is_held ? fmt::format("longer than {} bytes", kMaxHeld) : Message(parsed));
      if (!parsed.ok()) return parsed;
    } else if (!parsed.ok()) {
      BeginGap(std::move(parsed));
    } else {
      is_done_ = is_last;
      Forget(std::min(parser_.read_upto(), inner_offset_.value_or(parser_.read_upto())));
    }
  }
  return absl::OkStatus();
}

void XmlRows::Forget(uint64_t offset) {
  begin_ += static_cast<size_t>(offset - offset_);
  offset_ = offset;
  if (begin_ < kPiece && begin_ < text_.size()) return;
  text_.erase(0, begin_);
  parsed_ -= std::min(parsed_, begin_);
  begin_ = 0;
}

void XmlRows::GoOnAt(const XmlContext& context, uint64_t offset, uint64_t line) {
  Forget(offset);
  // Without a root around them, only one row could follow.
  const bool is_bare = context.names.empty() && !IsOneOf(LocalOf(TagAt(Rest())), kRoots);
  has_made_up_root_ = is_bare;
  has_root_ = has_root_ || is_bare;
  const XmlContext made_up = {.names = {std::string(kMadeUpRoot)}, .bindings = {}, .marks = {0}};
  parser_.Restart(is_bare ? made_up : context, offset, line);
  depth_ = is_bare ? 1 : context.names.size();
  parsed_ = begin_;
  piece_ = kFirstPiece;
  row_depth_ = 0;
  inner_offset_.reset();
  is_context_new_ = true;
}

/// Ends the current row where the first nested element of its name begins.
absl::Status XmlRows::SplitRow(const std::string& why) {
  const uint64_t offset = *inner_offset_, length = offset - row_offset_;
  raw_ = parser_.Captured();
  const bool is_whole = raw_.size() >= length;
  raw_.resize(std::min<uint64_t>(raw_.size(), length));
  TrimEnd(raw_);
  const absl::Status status =
      events_.end({.line = row_line_,
                   .end_line = is_whole ? row_line_ + CountLines(raw_) : inner_line_,
                   .end_offset = offset,
                   .fault = fmt::format("line {}: <{}> begins before the one before is closed: {}",
                                        inner_line_, row_name_, why)});
  if (status.ok()) GoOnAt(row_context_, offset, inner_line_);
  return status;
}

void XmlRows::BeginGap(absl::Status fault) {
  const uint64_t begin = parser_.read_upto(), at = parser_.offset();
  uint64_t line = parser_.line();
  Forget(begin);
  if (at > begin) line -= CountLines(Rest().substr(0, static_cast<size_t>(at - begin)));
  const bool is_row = row_depth_ > 0;
  XmlResync::Options options{.is_row = {}, .skips_first = !is_row, .is_before_root = !has_root_};
  if (is_row) {
    options.is_row = [name = row_name_](View written) { return written == name; };
    raw_ = parser_.Captured();
  } else {
    options.is_row = [has_root = has_root_](View written) {
      const View local = LocalOf(written);
      return IsOneOf(local, kRows) || (!has_root && IsOneOf(local, kRoots));
    };
    MakePreamble();
    raw_.clear();
    row_name_.clear();
  }
  gap_.emplace(Gap{.resync = XmlResync(std::move(options)),
                   .fault = std::move(fault),
                   .context = has_rows_ ? row_context_ : OuterContext(),
                   .begin_line = is_row ? row_line_ : line,
                   .line = line,
                   .end_line = line});
}

/// Before the first row: the elements that may enclose it.
XmlContext XmlRows::OuterContext() const {
  size_t depth = std::min<size_t>(depth_, 1);
  while (depth < std::min(depth_, kMaxRowDepth - 1) &&
         IsOneOf(LocalOf(parser_.name(depth + 1)), kRoots)) {
    ++depth;
  }
  return parser_.Context(depth);
}

absl::Status XmlRows::PassGap(bool at_end) {
  const XmlResync::Step step = gap_->resync.Look(Rest(), at_end);
  const View passed = Rest().substr(0, at_end && !step.is_found ? View::npos : step.passed);
  const View solid = passed.substr(0, passed.find_last_not_of(kBlanks) + 1);
  if (step.is_declared) {
    return absl::InvalidArgumentError(fmt::format("line {}: {}",
                                                  gap_->line + CountLines(passed, gap_->before),
                                                  XmlParser::kDeclarationRefused));
  }
  raw_ += passed.substr(0, FeedRow::kMaxRawBytes - raw_.size());
  if (!solid.empty()) gap_->end_line = gap_->line + CountLines(solid, gap_->before);
  gap_->line += CountLines(passed, gap_->before);
  if (!passed.empty()) gap_->before = passed.back();
  Forget(offset_ + passed.size());
  return step.is_found || at_end ? EndGap(step.is_found) : absl::OkStatus();
}

absl::Status XmlRows::EndGap(bool is_found) {
  const Gap gap = *std::exchange(gap_, std::nullopt);
  TrimEnd(raw_);
  is_done_ = !is_found;
  if (is_done_ && raw_.empty() && has_made_up_root_) return absl::OkStatus();
  if (is_done_ && (raw_.empty() || !is_feed())) return gap.fault;
  absl::Status status;
  if (!raw_.empty()) {
    status = events_.end({.line = gap.begin_line,
                          .end_line = gap.end_line,
                          .end_offset = offset_,
                          .fault = Message(gap.fault)});
  }
  if (status.ok() && is_found) GoOnAt(gap.context, offset_, gap.line);
  return status;
}

}  // namespace emptor::catalog
