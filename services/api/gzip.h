// Compression of replies that are made once and sent often.
#pragma once

#include <string>
#include <string_view>

namespace emptor::services {

/// `bytes` in the gzip format (RFC 1952) at the highest level. Pure: no time stamp is written.
std::string Gzip(std::string_view bytes);

/// Whether an Accept-Encoding field (RFC 9110, 12.5.3) takes gzip: it names gzip or "*", without a
/// weight of zero. An empty field does not.
bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace emptor::services
