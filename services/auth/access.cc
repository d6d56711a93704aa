// Kinds of key and what they cover.
#include "services/auth/access.h"

namespace emptor::services {

std::string_view ToString(KeyKind kind) {
  switch (kind) {
    case KeyKind::kBrowser:
      return "browser";
    case KeyKind::kServer:
      return "server";
    case KeyKind::kAdmin:
      return "admin";
  }
  return "";
}

std::optional<KeyKind> ParseKeyKind(std::string_view text) {
  for (const KeyKind kind : {KeyKind::kBrowser, KeyKind::kServer, KeyKind::kAdmin}) {
    if (text == ToString(kind)) return kind;
  }
  return std::nullopt;
}

bool Covers(KeyKind kind, Access access) {
  switch (access) {
    case Access::kOpen:
    case Access::kAsk:
      return true;
    case Access::kCatalog:
      return kind == KeyKind::kServer || kind == KeyKind::kAdmin;
    case Access::kMonitor:
    case Access::kAdmin:
      return kind == KeyKind::kAdmin;
  }
  return false;
}

}  // namespace emptor::services
