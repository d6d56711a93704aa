// Rows of a FAQ file into the store, in batches, with one result for each row.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "catalog/faq/faq_answer.h"
#include "catalog/faq/faq_reader.h"
#include "catalog/faq/faq_store.h"
#include "catalog/text_safety/safe_record.h"

namespace emptor::catalog {

struct FaqImportOptions {
  FaqFormat format = FaqFormat::kAuto;
  std::string locale = {};  // of rows that name none
  ScreenPolicy screen = ScreenPolicy::kFlag;
  /// Why a reference of an answer cannot be filled: "no such product"; empty: it can. Not set:
  /// references are not looked up.
  std::function<absl::StatusOr<std::string>(const FaqReference&)> missing = {};
  /// Stores a batch: FaqStore::Write, or Check, and what follows a write.
  std::function<absl::StatusOr<std::vector<FaqPutResult>>(std::vector<FaqPut>)> write;
  size_t batch = 256;  // rows
};

struct FaqLineResult {
  uint64_t line = 0;
  bool is_refused = false;
  FaqAction action = FaqAction::kUnchanged;
  std::string id;                     // of the entry; of a refused row what it names
  std::string message;                // of a refusal: what is wrong; else a note, may be empty
  std::vector<TextWarning> warnings;  // about suspicious text
};

/// "line 17: created shipping-time", "refused: line 17: answer: expected a text, found none".
std::string ToString(const FaqLineResult& result);
/// {"line":17,"status":"created","id":"..."}; refused ones have a "message".
std::string ToJson(const FaqLineResult& result);

struct FaqImportCounts {
  uint64_t created = 0, updated = 0, unchanged = 0, refused = 0;
};

/// Makes an entry that is not from a file ready to be stored: an id where it names none, plain
/// text, checks. Errors: kInvalidArgument.
absl::StatusOr<FaqPut> PrepareFaqPut(const FaqImportOptions& options, FaqEntry entry,
                                     std::vector<TextWarning>& warnings);

/// A push parser of one file. Rows are stored in batches of `options.batch`; the results of a batch
/// come after it is stored. Importing the same file again changes nothing. An entry that a file has
/// twice is refused the second time, where the two differ. Memory: a batch, and some 40 bytes for
/// each of the first 2^20 entries of the file, by which one that is repeated is known.
/// Thread-safety: one thread at a time.
class FaqImporter {
 public:
  FaqImporter(FaqImportOptions options, std::function<void(const FaqLineResult&)> on_result);

  /// Errors: of FaqReader, of options.write. What was stored before the error stays.
  absl::Status Push(std::string_view bytes);
  absl::Status Finish();
  const FaqImportCounts& counts() const { return counts_; }

 private:
  struct Pending {
    FaqLineResult result;
    bool is_put = false;
  };
  /// An entry of the file.
  struct Seen {
    uint64_t line = 0;
    uint64_t content = 0;  // hash
  };
  absl::Status Take(FaqRow&& row);
  void Refuse(FaqLineResult result, const absl::Status& status);
  absl::Status Flush();
  void Count(const FaqLineResult& result);
  const Seen* FindSeen(const std::string& id) const;

  const FaqImportOptions options_;
  const std::function<void(const FaqLineResult&)> on_result_;
  FaqReader reader_;
  std::vector<Pending> pending_;
  std::vector<FaqPut> puts_;                 // of those that are not refused
  std::unordered_map<uint64_t, Seen> seen_;  // by the hash of the id
  FaqImportCounts counts_;
};

}  // namespace emptor::catalog
