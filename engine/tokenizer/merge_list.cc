// Looks up both parts and the result of each merge.
#include "engine/tokenizer/merge_list.h"

#include <optional>
#include <string>
#include <string_view>

#include "fmt/format.h"

namespace emptor::engine {

absl::Status ReadMergeList(const Vocabulary& vocabulary, MergeTable& merges) {
  const std::vector<std::string>& list = vocabulary.spec().merges;
  merges.Reserve(list.size());
  std::string joined;
  for (size_t rank = 0; rank < list.size(); ++rank) {
    const std::string_view merge = list[rank];
    const size_t blank = merge.find(' ', 1);
    const bool split = blank != std::string_view::npos && blank + 1 < merge.size();
    const std::string_view left = split ? merge.substr(0, blank) : "";
    const std::string_view right = split ? merge.substr(blank + 1) : "";
    joined.assign(left).append(right);
    const std::optional<TokenId> left_id = vocabulary.FindNormal(left);
    const std::optional<TokenId> right_id = vocabulary.FindNormal(right);
    const std::optional<TokenId> result = vocabulary.FindNormal(joined);
    if (!split || !left_id || !right_id || !result) {
      return absl::InvalidArgumentError(
          fmt::format("{}[{}]: expected two tokens that join to a third, found {:?}",
                      vocabulary.spec().fields.merges, rank, merge));
    }
    merges.Insert(*left_id, *right_id, {static_cast<uint32_t>(rank), *result});
  }
  return absl::OkStatus();
}

}  // namespace emptor::engine
