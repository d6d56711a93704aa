// Repairs references in XML before it is parsed, as browsers do: "R&D" and "&nbsp;" cost no row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace emptor::catalog {

/// A filter of UTF-8 text. Outside of comments, CDATA sections and processing instructions
/// - "&" that begins no reference becomes "&amp;";
/// - a named entity that XML does not define becomes its character if HTML defines it, and text
///   ("&amp;name;") if not;
/// - a reference to a character that XML forbids ("&#1;") is removed.
/// Nothing is ever expanded twice, and a document type declaration passes unchanged: the parser
/// refuses it. The result does not depend on how the text is cut into pieces.
/// Memory: kMaxReference bytes and the piece at hand. Thread-safety: one thread at a time.
class XmlReferences {
 public:
  static constexpr size_t kMaxReference = 40;  // a longer one is text

  using Sink = std::function<absl::Status(std::string_view)>;
  explicit XmlReferences(Sink sink) : sink_(std::move(sink)) {}

  /// Errors: those of the sink.
  absl::Status Push(std::string_view bytes) { return Filter(bytes, false); }
  /// The text that waited for its end.
  absl::Status Finish() { return Filter({}, true); }

  /// One line for each kind of repair, with the line of the first and how many there are.
  std::vector<std::string> notes() const;

 private:
  struct Repairs {
    uint64_t count = 0;
    uint64_t first_line = 0;
    std::string first;  // as it is written
  };
  enum class Next { kGoOn, kWait };
  absl::Status Filter(std::string_view bytes, bool at_end);
  Next PassSection(std::string_view text, bool at_end, size_t& at);
  Next PassTag(std::string_view text, bool at_end, size_t& at);
  Next PassReference(std::string_view text, bool at_end, size_t& at);
  void Replace(std::string_view text, size_t begin, size_t end, std::string_view by, Repairs& why);
  uint64_t LineAt(std::string_view text, size_t at) const;

  const Sink sink_;
  std::string held_;              // the beginning of a tag, reference or end of a section
  std::string_view inside_ = {};  // what ends the section at hand; empty: none
  std::string out_;               // of the piece at hand, up to copied_
  size_t copied_ = 0;
  uint64_t lines_ = 0;  // before the piece at hand
  char before_ = '\0';  // the byte in front of it
  Repairs ampersands_, entities_, characters_;
};

}  // namespace emptor::catalog
