// Hunspell's dictionaries, where Debian's packages put them.
#include "retrieval/text/dictionary_words.h"

#include <cctype>
#include <filesystem>
#include <hunspell/hunspell.hxx>
#include <memory>
#include <mutex>

namespace emptor::retrieval {
namespace {

constexpr const char* kAffixes = "/usr/share/hunspell/en_US.aff";
constexpr const char* kWords = "/usr/share/hunspell/en_US.dic";

/// Null where the dictionary is not installed.
std::unique_ptr<Hunspell> OpenEnglish() {
  std::error_code error;
  const bool is_there =
      std::filesystem::exists(kAffixes, error) && std::filesystem::exists(kWords, error);
  return is_there ? std::make_unique<Hunspell>(kAffixes, kWords) : nullptr;
}

}  // namespace

DictionaryWord LookUpWord(const std::string& word, std::string_view language) {
  if (language != "en" || word.empty()) return DictionaryWord::kNoDictionary;
  static std::mutex mutex;  // Hunspell keeps state between calls
  std::lock_guard lock(mutex);
  static const std::unique_ptr<Hunspell> english = OpenEnglish();
  if (english == nullptr) return DictionaryWord::kNoDictionary;
  std::string name = word;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return english->spell(word) || english->spell(name) ? DictionaryWord::kKnown
                                                      : DictionaryWord::kUnknown;
}

}  // namespace emptor::retrieval
