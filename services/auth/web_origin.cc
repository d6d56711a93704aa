// Parsing of Host, Origin, Content-Type and Authorization.
#include "services/auth/web_origin.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>

namespace emptor::services {
namespace {

constexpr size_t kMaxOrigin = 300;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool AllOf(std::string_view text, std::string_view more) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return IsAlphanumeric(c) || more.find(c) != std::string_view::npos;
  });
}

/// Where the port of "host:port" begins, at its colon; the size where there is none.
size_t PortAt(std::string_view authority) {
  const size_t bracket = authority.rfind(']');
  const size_t colon = authority.rfind(':');
  const bool is_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  return is_port ? colon : authority.size();
}

std::string_view UsualPortOf(std::string_view scheme) { return scheme == "https" ? ":443" : ":80"; }

/// Removes the port that the scheme implies.
std::string_view WithoutUsualPort(std::string_view scheme, std::string_view authority) {
  const std::string_view port = authority.substr(PortAt(authority));
  if (port == UsualPortOf(scheme) || port == ":") authority.remove_suffix(port.size());
  return authority;
}

bool IsHostAndPort(std::string_view authority) {
  const size_t at = PortAt(authority);
  const std::string_view host = authority.substr(0, at), port = authority.substr(at);
  const bool is_port =
      port.empty() || (port.size() >= 2 && port.size() <= 6 &&
                       port.find_first_not_of("0123456789", 1) == std::string_view::npos);
  if (!is_port) return false;
  if (!host.starts_with('[')) return AllOf(host, ".-_");
  return host.ends_with(']') && IsIpAddress(std::string(host.substr(1, host.size() - 2)));
}

struct Origin {
  std::string scheme, authority;
};

std::optional<Origin> ParseOrigin(std::string_view text) {
  const size_t colon = text.find("://");
  if (colon == std::string_view::npos || text.size() > kMaxOrigin) return std::nullopt;
  const std::string scheme = LowerCase(text.substr(0, colon));
  const std::string authority = LowerCase(text.substr(colon + 3));
  if ((scheme != "http" && scheme != "https") || !IsHostAndPort(authority)) return std::nullopt;
  return Origin{scheme, std::string(WithoutUsualPort(scheme, authority))};
}

}  // namespace

std::string HostNameOf(std::string_view authority) {
  std::string_view host = authority.substr(0, PortAt(authority));
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  return LowerCase(host);
}

bool IsIpAddress(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool IsLoopback(const std::string& host) {
  if (host == "localhost") return true;
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  in6_addr six{};
  if (::inet_pton(AF_INET6, host.c_str(), &six) != 1) return false;
  const uint8_t* bytes = six.s6_addr;
  const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&six);
  return IN6_IS_ADDR_LOOPBACK(&six) || (is_mapped && bytes[12] == 127);
}

std::optional<std::string> NormalOrigin(std::string_view text) {
  const auto origin = ParseOrigin(text);
  if (!origin) return std::nullopt;
  return origin->scheme + "://" + origin->authority;
}

bool IsSameOrigin(std::string_view origin, std::string_view host_header) {
  const auto parsed = ParseOrigin(origin);
  if (!parsed) return false;
  const std::string host = LowerCase(host_header);
  return parsed->authority == WithoutUsualPort(parsed->scheme, host);
}

std::string MediaTypeOf(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  const size_t begin = type.find_first_not_of(" \t"), end = type.find_last_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  type = type.substr(begin, end - begin + 1);
  const size_t slash = type.find('/');
  constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";
  if (slash == std::string_view::npos || !AllOf(type.substr(0, slash), kTokenMarks) ||
      !AllOf(type.substr(slash + 1), kTokenMarks)) {
    return {};
  }
  return LowerCase(type);
}

std::optional<std::string_view> BearerOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (LowerCase(authorization.substr(0, kScheme.size())) != kScheme) return std::nullopt;
  authorization.remove_prefix(kScheme.size());
  const size_t begin = authorization.find_first_not_of(' ');
  if (begin == std::string_view::npos) return std::nullopt;
  return authorization.substr(begin);
}

}  // namespace emptor::services
