// Where the reading of XML can go on behind a place that is not well-formed.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>

namespace emptor::catalog {

/// Looks through text for the next tag of a row. Comments and CDATA sections are passed over, for
/// what stands in them is no tag, unless they are not closed before the end of the feed.
/// Pure: equal texts give equal places, however they are cut. Linear in the text.
/// Memory: nothing of the text; the caller keeps what is not passed, at most kMaxHeld bytes and
/// what it has added since. Thread-safety: one thread at a time.
class XmlResync {
 public:
  /// Of a comment or section whose end is not in sight: when it is longer, it is one.
  static constexpr size_t kMaxHeld = 1u << 20;

  /// Whether an element is one to go on with; names as they are written: "item", "g:item".
  using IsRow = std::function<bool(std::string_view name)>;
  struct Options {
    IsRow is_row = {};
    /// A start tag at the very beginning is the one at fault.
    bool skips_first = false;
    /// A document type declaration would count here: it is told.
    bool is_before_root = false;
  };
  explicit XmlResync(Options options);

  struct Step {
    size_t passed = 0;         // bytes of the text that are looked through
    bool is_found = false;     // the place is behind them: a row's start tag, or behind its end tag
    bool is_declared = false;  // a document type declaration is behind them
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
