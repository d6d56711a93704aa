// Later messages that are about other goods than the conversation, though nothing says so: "got
// anything for resting the wrist on", of mice.
#include <utility>

#include "services/assistant/answer.h"
#include "services/assistant/search/relevance.h"

namespace emptor::services {
namespace {

constexpr double kSureGoods = 0.9;  // of a message that is read by itself

}  // namespace

/// The message as if it were the first one.
absl::StatusOr<std::shared_ptr<Answer>> Answer::ReadAlone() const {
  AssistRequest request = request_;
  request.message = message_;
  request.history.clear();
  request.page_product_id.clear();
  auto first = std::make_shared<Answer>(options_, ForNobody(parts_), std::move(request),
                                        std::make_shared<PartCollector>());
  first->is_part_ = true;
  if (absl::Status status = first->Read(); !status.ok()) return status;
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
  if (!TitlesHaveMore(message_, alone.retrieved_.sources, retrieved_.sources)) return;
  understanding_ = std::move(alone.understanding_);
  understanding_.turn_rule = "names goods of its own";
  tables_.merge(alone.tables_);
  table_ = std::move(alone.table_);
  retrieved_ = std::move(alone.retrieved_);
  locale_ = std::move(alone.locale_);
  beyond_ = std::move(alone.beyond_);
  none_beyond_ = alone.none_beyond_;
}

}  // namespace emptor::services
