// Words that greet.
#pragma once

#include <string>

namespace emptor::services {

/// "Hello", "bonjour". `word` is folded. Pure. Thread-safety: any thread.
bool IsGreetingWord(const std::string& word);

}  // namespace emptor::services
