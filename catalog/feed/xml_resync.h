// Finds where parsing of XML can continue after a fault.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

namespace emptor::catalog {

/// Searches text for the next tag of a row. Comments and CDATA sections are skipped, unless they
/// are not closed before the end of the feed. Pure: the result does not depend on how the text is
/// cut. Linear in the text. Memory: none for the text; the caller keeps the text that is not
/// passed, at most kMaxHeld bytes plus the last piece. Thread-safety: one thread at a time.
class XmlResync {
 public:
  /// An unclosed comment or section longer than this counts as one.
  static constexpr size_t kMaxHeld = 1u << 20;

  /// Whether parsing may continue at an element of this name, as written: "item", "g:item".
  using IsRow = std::function<bool(std::string_view name)>;
  struct Options {
    IsRow is_row = {};
    /// A start tag at the beginning is the faulty one.
    bool skips_first = false;
    /// A document type declaration counts here and is reported.
    bool is_before_root = false;
  };
  explicit XmlResync(Options options);

  struct Step {
    size_t passed = 0;  // bytes of the text that were searched
    bool is_found =
        false;  // parsing may continue after them: at a row's start tag or after its end tag
    bool is_declared = false;  // a document type declaration follows them
  };
  /// `text` begins with what the steps before did not pass; `at_end`: nothing follows.
  Step Look(std::string_view text, bool at_end);

 private:
  struct Section {
    std::string_view open, close;
    size_t searched = 0;  // of the text, where there is no `close`
  };
  enum class Next { kGoOn, kWait, kStop };
  Next LookAt(std::string_view text, bool at_end, Step& step);
  Next PassSection(Section& section, std::string_view text, bool at_end, Step& step);
  Next PassLongSection(std::string_view text, Step& step);
  Next LookAtTag(std::string_view text, bool at_end, Step& step) const;

  const Options options_;
  std::array<Section, 2> sections_;
  const Section* inside_ = nullptr;  // a section longer than kMaxHeld
  bool at_first_ = true;
};

}  // namespace emptor::catalog
