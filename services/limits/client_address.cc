// Addresses by inet_pton.
#include "services/limits/client_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace emptor::services {
namespace {

/// 16 bytes; an IPv4 address as ::ffff:a.b.c.d. False for anything else.
bool ParseAddress(std::string_view text, std::array<unsigned char, 16>& out) {
  if (text.starts_with('[')) text = text.substr(1, text.find(']') - 1);
  const std::string copy(text);
  if (inet_pton(AF_INET6, copy.c_str(), out.data()) == 1) return true;
  std::string v4 = copy.substr(0, copy.find(':'));  // some proxies add the port
  out.fill(0);
  out[10] = out[11] = 0xFF;
  return inet_pton(AF_INET, v4.c_str(), out.data() + 12) == 1;
}

bool IsMapped(const std::array<unsigned char, 16>& address) {
  constexpr std::array<unsigned char, 12> kPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  return std::memcmp(address.data(), kPrefix.data(), kPrefix.size()) == 0;
}

bool IsOfThisMachine(const std::array<unsigned char, 16>& address) {
  if (IsMapped(address)) return address[12] == 127;
  return std::all_of(address.begin(), address.end() - 1, [](auto byte) { return byte == 0; }) &&
         address[15] == 1;
}

/// "192.0.2.1", "2001:db8:1:2::/64".
std::string NameOf(std::array<unsigned char, 16> address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IsMapped(address)) {
    inet_ntop(AF_INET, address.data() + 12, text.data(), text.size());
    return text.data();
  }
  std::fill(address.begin() + 8, address.end(), 0);
  inet_ntop(AF_INET6, address.data(), text.data(), text.size());
  return std::string(text.data()) + "/64";
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string ClientAddress(std::string_view remote, std::string_view forwarded_for,
                          const std::vector<std::string>& trusted_proxies) {
  std::array<unsigned char, 16> address{};
  if (!ParseAddress(remote, address)) return std::string(remote);  // whatever it is: one caller
  const auto is_proxy = [&](const std::array<unsigned char, 16>& one) {
    if (IsOfThisMachine(one)) return true;
    return std::any_of(trusted_proxies.begin(), trusted_proxies.end(), [&](const auto& proxy) {
      std::array<unsigned char, 16> trusted{};
      return ParseAddress(proxy, trusted) && trusted == one;
    });
  };
  while (is_proxy(address) && !forwarded_for.empty()) {
    const size_t comma = forwarded_for.rfind(',');
    const bool is_last = comma == std::string_view::npos;
    const std::string_view hop = Trimmed(is_last ? forwarded_for : forwarded_for.substr(comma + 1));
    forwarded_for = is_last ? std::string_view() : forwarded_for.substr(0, comma);
    // What a proxy writes is an address; anything else came from the client, and ends the chain.
    if (!ParseAddress(hop, address)) return "unknown";
  }
  return IsOfThisMachine(address) ? std::string() : NameOf(address);
}

}  // namespace emptor::services
