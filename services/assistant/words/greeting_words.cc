// Greetings in five languages.
#include "services/assistant/words/greeting_words.h"

#include <string_view>
#include <unordered_set>

namespace emptor::services {

bool IsGreetingWord(const std::string& word) {
  static const std::unordered_set<std::string_view> kWords = {
      "hello",  "hi",      "hey",     "hallo",     "servus", "moin", "bonjour", "salut",  "hola",
      "buenas", "morning", "evening", "afternoon", "morgen", "tag",  "abend",   "dias",   "tardes",
      "soir",   "bonsoir", "whats",   "sup",       "你好",   "您好", "早上好",  "晚上好", "在吗"};
  return kWords.contains(word);
}

}  // namespace emptor::services
