// What shoppers asked of a shop and got no answer to, for the staff that mends the catalog and the
// FAQ. In bounded memory, since the shop was opened.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

enum class UnansweredKind {
  kNothingFound,  // no product
  kNotSold,       // the shop has nothing of the kind that was asked for
  kNoPage,        // about the shop: no page and no entry of the FAQ
  kNotStated,     // the record of a product does not say it
  kEmptySearch,   // a search, not a question, that found no product
};
inline constexpr size_t kUnansweredKinds = 5;
/// "nothing_found", "not_sold", "no_page", "not_stated", "empty_search".
std::string_view ToString(UnansweredKind kind);

struct UnansweredQuestion {
  UnansweredKind kind = UnansweredKind::kNothingFound;
  std::string text;
  std::string locale = {};
  std::string conversation_id = {};  // empty: the client keeps the conversation
  std::string answer_id = {};
  std::string product_id = {};  // kNotStated: whose record
  int64_t asked_unix = 0;
};

/// A question whose text is masked and cut.
class MaskedQuestion {
 public:
  static constexpr size_t kMaxTextBytes = 300;  // a longer one is cut

  explicit MaskedQuestion(UnansweredQuestion question);

 private:
  friend class UnansweredQuestions;
  UnansweredQuestion question_;
};

/// The same question of the same kind, asked several times.
struct UnansweredGroup {
  UnansweredQuestion last;  // as it was asked last
  size_t count = 0;
};

/// Of one shop. Thread-safety: any thread.
class UnansweredQuestions {
 public:
  static constexpr size_t kMaxQuestions = 500;  // of each kind; the oldest is dropped

  /// A question ends when it is `max_age` old, as its conversation does.
  explicit UnansweredQuestions(std::chrono::seconds max_age) : max_age_(max_age) {}

  /// Drops the oldest ones that ended when this one was asked.
  void Note(MaskedQuestion question);
  bool HasOf(const std::string& conversation_id) const;
  /// Forgets the questions of a conversation. Cost: linear in kMaxQuestions.
  void Forget(const std::string& conversation_id);
  /// At most `limit` groups, those that were asked most first, then the latest. Letters' case,
  /// blanks and marks at the end do not tell questions apart. Drops those that ended.
  std::vector<UnansweredGroup> List(size_t limit, int64_t now_unix);

 private:
  bool HasEnded(const UnansweredQuestion& question, int64_t now_unix) const;

  const std::chrono::seconds max_age_;
  mutable std::mutex mutex_;
  /// By kind, oldest first; guarded by mutex_.
  std::array<std::deque<UnansweredQuestion>, kUnansweredKinds> questions_;
};

}  // namespace emptor::services
