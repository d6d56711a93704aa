// Later messages that are about other goods than the conversation, though nothing says so: "got
// anything for resting the wrist on", of mice.
#include <algorithm>
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/schema/record_words.h"
#include "services/grounding/value_words.h"

namespace emptor::services {
namespace {

constexpr double kSureGoods = 0.9;  // of a message that is read by itself
constexpr size_t kSeen = 3;         // products of an answer that are looked at

bool HasInTitles(const Retrieved& retrieved, const std::string& word) {
  const size_t seen = std::min(retrieved.why.size(), kSeen);
  return std::any_of(retrieved.sources.begin(),
                     retrieved.sources.begin() + static_cast<std::ptrdiff_t>(seen),
                     [&](const Source& source) {
                       const FoldedMessage title(source.product()->title);
                       return title.Has(word) || title.Has(StemOf(word));
                     });
}

}  // namespace

/// The message as if it were the first one.
absl::StatusOr<std::shared_ptr<Answer>> Answer::ReadAlone() const {
  AssistRequest request = request_;
  request.message = message_;
  request.history.clear();
  auto first = std::make_shared<Answer>(options_, ForNobody(parts_), std::move(request),
                                        std::make_shared<PartCollector>());
  first->is_part_ = true;
  first->Understand();
  if (absl::Status status = first->ResolveNames(); !status.ok()) return status;
  if (absl::Status status = first->FindSources(); !status.ok()) return status;
  return first;
}

/// Where the goods of the topic lack words of the message, and read by itself it surely looks for
/// other goods that have some of them, these are meant.
void Answer::LeaveTopic() {
  const bool may_leave = !turns_.empty() && !is_part_ && !settles_ && !change_ &&
                         understanding_.desk == DeskAct::kNone && !understanding_.asks_policy;
  if (!may_leave || !understanding_.follows_up || !retrieved_.misses_words) return;
  auto read = ReadAlone();
  if (!read.ok()) return;
  Answer& alone = **read;
  const Understanding& other = alone.understanding_;
  const bool is_search = other.type && other.desk == DeskAct::kNone && !other.asks_policy &&
                         other.language == understanding_.language && !other.goods.empty() &&
                         !alone.retrieved_.why.empty() && alone.retrieved_.not_sold.empty();
  if (!is_search || other.goods.front().probability < kSureGoods) return;
  const bool is_same = understanding_.type && IsSameType(*understanding_.type, *other.type);
  if (is_same || !IsSameType(other.goods.front().type, *other.type)) return;
  const std::vector<std::string> words = TellingWords(FoldedMessage(message_));
  const bool has_more = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return HasInTitles(alone.retrieved_, word) && !HasInTitles(retrieved_, word);
  });
  if (!has_more) return;
  understanding_ = std::move(alone.understanding_);
  understanding_.turn_rule = "names goods of its own";
  tables_ = std::move(alone.tables_);
  table_ = std::move(alone.table_);
  retrieved_ = std::move(alone.retrieved_);
  locale_ = std::move(alone.locale_);
}

}  // namespace emptor::services
