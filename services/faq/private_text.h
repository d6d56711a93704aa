// Removes what identifies a person from a shopper's message before the staff reads it.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// E-mail addresses become "<email>"; numbers of seven digits and more, also with blanks, points,
/// dashes or brackets inside (phones, cards, accounts), and codes of letters with five digits and
/// more (orders, IBANs) become "<number>". Names of persons and addresses of streets stay. Pure.
std::string MaskPrivate(std::string_view text);

}  // namespace emptor::services
