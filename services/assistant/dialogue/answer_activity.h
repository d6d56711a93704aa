// What shoppers did after answers: which answer showed a product that was viewed, clicked or put
// into the cart, and how answers were rated. Counters, and the latest answers in bounded memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emptor::services {

enum class ShopperEvent { kView, kClick, kAddToCart };
inline constexpr size_t kShopperEvents = 3;
/// "view", "click", "add_to_cart".
std::string_view ToString(ShopperEvent event);
std::optional<ShopperEvent> ParseShopperEvent(std::string_view text);

/// Who wrote the answer that showed the product of an event.
enum class Attribution { kNone, kModel, kCode, kMixed };
inline constexpr size_t kAttributions = 4;
/// "none", "model", "code", "mixed".
std::string_view ToString(Attribution attribution);

struct ActivityCounts {
  std::array<std::array<uint64_t, kAttributions>, kShopperEvents> events{};
  uint64_t answers = 0;
  uint64_t up = 0, down = 0;  // ratings; one that is changed counts in both

  void Add(const ActivityCounts& other);
};

/// Of one shop. Thread-safety: any thread.
class AnswerActivity {
 public:
  /// The latest answers that are remembered for attribution.
  static constexpr size_t kMaxAnswers = 10000;

  struct Answer {
    std::string id, conversation_id, request_id, answer_step;
    std::vector<std::string> products;  // that it showed
  };
  void NoteAnswer(Answer answer);
  /// Nothing: it is unknown here, or too many came after it.
  std::optional<std::string> ConversationOf(const std::string& answer_id) const;

  /// The answer to a request. Cost: linear in kMaxAnswers.
  std::optional<std::string> AnswerOfRequest(const std::string& request_id) const;
  struct Shown {
    std::string answer_id, conversation_id;
  };
  /// At most `limit` of the remembered answers, the latest first.
  std::vector<Shown> Latest(size_t limit) const;
  /// Forgets the answers of a conversation. Cost: linear in kMaxAnswers.
  void Forget(const std::string& conversation_id);

  /// Counts an event. It is attributed to the answer where that is known here, showed the product,
  /// and has not had the same event with it before.
  Attribution CountEvent(ShopperEvent event, const std::string& answer_id,
                         const std::string& product_id);
  /// Counts a rating. False when the same one was given before.
  bool CountRating(const std::string& answer_id, bool is_up);

  ActivityCounts counts() const;

 private:
  struct Entry {
    Answer answer;
    /// By product: a bit for each event that it had.
    std::vector<uint8_t> had;
    std::optional<bool> is_up;
  };
  mutable std::mutex mutex_;
  std::list<std::string> order_;                    // oldest first; guarded by mutex_
  std::unordered_map<std::string, Entry> entries_;  // guarded by mutex_
  ActivityCounts counts_;                           // guarded by mutex_
};

}  // namespace emptor::services
