// Splits XML into the rows of a feed, in bounded memory; a malformed row does not affect others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "catalog/feed/xml_parser.h"
#include "catalog/feed/xml_resync.h"

namespace emptor::catalog {

/// An <item>, <entry> or <product>; or a part of the feed that is not well-formed.
struct XmlRow {
  uint64_t line = 0;
  uint64_t end_line = 0;
  uint64_t end_offset = 0;
  std::string fault;  // `line 17: not well-formed XML: mismatched tag`; empty: the row is whole
};

/// Events of consecutive rows. Views are valid during the call; an error ends the reading.
struct XmlRowEvents {
  std::function<void(const XmlName&)> begin;
  /// `level` 1 is a child of the row.
  std::function<void(const XmlName&, const XmlAttributes&, size_t level)> start;
  /// In pieces, of the element that is open at `level`; 0 is the row itself.
  std::function<void(std::string_view, size_t level)> text;
  /// A malformed row may end without a `begin`.
  std::function<absl::Status(const XmlRow&)> end;
};

/// A push parser. At malformed XML the current row ends with a fault, after its end tag or before
/// the next start tag of its name, and parsing continues there; between rows it continues with the
/// next row. A nested element of the row's name is part of the row if the row is closed within
/// kMaxHeld bytes; otherwise it is the next row. Text after the last row that can be parsed is one
/// row with a fault. Refused as a whole: a document type declaration (XmlParser), also after a
/// fault before the root element; malformed XML in which neither a root nor a row is known. Memory:
/// kMaxHeld bytes, a token, the current piece, and the raw text of one row. Time: linear; within
/// kMaxHeld bytes text may be parsed once per nested open row, at most XmlParser::kMaxDepth times.
/// Thread-safety: one thread at a time.
class XmlRows {
 public:
  static constexpr size_t kMaxHeld = 2u << 20;

  explicit XmlRows(XmlRowEvents events);

  /// Errors: those of the events; kInvalidArgument of a feed that is refused. An error stays.
  absl::Status Push(std::string_view bytes);
  /// Errors: as Push; and when the feed ends between two rows within an element that is open.
  absl::Status Finish();

  /// The text of the row, cut at FeedRow::kMaxRawBytes; it can be parsed between preamble() and
  /// postamble(). REQUIRES: called from `end`, once.
  std::string TakeRaw();
  /// Empty before the first row.
  std::string_view preamble() const { return preamble_; }
  static std::string_view postamble() { return "</items>\n"; }
  /// A row or a usual root element was seen.
  bool is_feed() const { return has_rows_ || has_known_root_; }
  const std::vector<UnboundPrefix>& unbound_prefixes() const { return parser_.unbound_prefixes(); }

 private:
  /// Malformed text, from its beginning.
  struct Gap {
    XmlResync resync;
    absl::Status fault;
    XmlContext context;  // to continue with
    uint64_t begin_line = 0;
    uint64_t line = 0;      // at offset_
    uint64_t end_line = 0;  // of the last text that is not blank
    char before = '\0';     // the byte before offset_
  };

  XmlEvents MakeEvents();
  absl::Status Start(const XmlName& name, const XmlAttributes& attributes);
  absl::Status End();
  void BeginRow(const XmlName& name);
  void MakePreamble();
  absl::Status Read(bool at_end);
  std::string_view Rest() const { return std::string_view(text_).substr(begin_); }
  void Forget(uint64_t offset);
  void GoOnAt(const XmlContext& context, uint64_t offset, uint64_t line);
  absl::Status SplitRow(const std::string& why);
  void BeginGap(absl::Status fault);
  XmlContext OuterContext() const;
  absl::Status PassGap(bool at_end);
  absl::Status EndGap(bool is_found);

  const XmlRowEvents events_;
  XmlParser parser_;
  absl::Status status_;
  std::string text_;      // text before begin_ is no longer needed
  size_t begin_ = 0;      // of text_
  uint64_t offset_ = 0;   // of begin_, in the feed
  size_t parsed_ = 0;     // of text_
  size_t piece_;          // that the parser gets next
  bool is_done_ = false;  // the end is read
  std::optional<Gap> gap_;

  size_t depth_ = 0;
  size_t row_depth_ = 0;  // 0: outside of a row
  bool has_root_ = false;
  bool has_known_root_ = false;
  bool has_made_up_root_ = false;
  bool has_rows_ = false;
  // Of the last row.
  std::string row_name_;
  std::string row_bindings_;  // around it
  uint64_t row_offset_ = 0;
  uint64_t row_line_ = 0;
  std::optional<uint64_t> inner_offset_;  // of the first element of its name in it
  uint64_t inner_line_ = 0;
  std::string raw_;
  XmlContext row_context_;
  bool is_context_new_ = true;  // since then elements outside of rows began or ended
  std::string first_bindings_;  // around the first row
  std::string preamble_;
};

}  // namespace emptor::catalog
