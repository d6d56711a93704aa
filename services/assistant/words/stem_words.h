// Words of a lexicon that stand for all words which begin with them: "fold*".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emptor::services {

inline constexpr size_t kMinStem = 2;  // bytes of a stem
/// Stands for "*" while phrases are folded, which keeps letters only.
inline constexpr std::string_view kStemMark = "qqq";

/// The text with each "*" replaced by kStemMark: to be folded. Pure.
std::string MarkStems(std::string_view text);

/// A folded word that ends with the mark of stems. Pure.
bool IsStem(std::string_view word);

/// "fold" of a stem. REQUIRES: IsStem. Pure.
std::string_view WithoutStemMark(std::string_view stem);

/// A word of a message is that of the lexicon, its plural, or begins with its stem: "parcels" of
/// "parcel", "folding" of "fold*". Pure.
bool MatchesWord(std::string_view known, std::string_view word);

}  // namespace emptor::services
