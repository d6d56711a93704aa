// Text to index terms, for index and query alike.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::retrieval {

/// Text of a record or of a query. Queries lose the words that only frame a request ("show me").
enum class TextRole { kRecord, kQuery };

/// Normalises (NFKC_Casefold), segments (Unicode word boundaries, dictionaries for Chinese,
/// Japanese and Thai) and folds words to terms:
///   - "wi-fi" gives "wifi", "wi", "fi"; "WH-1000XM5" gives "wh1000xm5", "wh", "1000xm5";
///   - Chinese, Japanese, Korean: words, and all bigrams of characters, since dictionaries split
///     brands and katakana wrongly;
///   - "27-inch", "27 inch", "27\"" all give "27inch", "27", "inch"; "1,7 Liter" gives "1.7l", ...;
///   - "iPhone15" gives "iphone15", "iphone", "15";
///   - Latin letters lose their accents, English plurals their ending, "l'eau" its article;
///   - stop words are dropped, unless nothing else is left of a query.
/// Ill-formed bytes are skipped. No term is longer than kMaxTermBytes.
/// Thread-safety: const methods from any thread; copies share the ICU data.
class Analyzer {
 public:
  static constexpr size_t kMaxTermBytes = 64;

  /// Errors: kInternal when ICU's data is missing.
  static absl::StatusOr<Analyzer> Create();

  /// Calls `sink` with each term in the order of the text; repeats are kept.
  /// The view is valid during the call of the sink only.
  void ForEachTerm(std::string_view text, TextRole role,
                   const std::function<void(std::string_view term)>& sink) const;

  /// The same as a list.
  std::vector<std::string> Analyze(std::string_view text, TextRole role) const;

 private:
  struct Impl;
  explicit Analyzer(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace emptor::retrieval
