// Who may call a route, and who calls it: plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emptor::services {

/// Who may call a route. Every route names one; there is no default.
enum class Access {
  kOpen = 1,  // anybody: pages, images, health. Nothing of it is worth a key
  kMonitor,   // programs of the same machine, and admin keys: metrics
  kAsk,       // what a shopper does: ask, search, read a product. Every key
  kCatalog,   // what changes a shop's records, and its jobs. Server and admin keys
  kAdmin,     // whole shops, models, keys. Admin keys
};

/// The three kinds of key.
enum class KeyKind {
  kBrowser,  // is public: it lies in a page of the shop, and is bound to the origins of that page
  kServer,   // a shop's own programs
  kAdmin,    // the operator: all shops
};

/// "browser", "server", "admin".
std::string_view ToString(KeyKind kind);
std::optional<KeyKind> ParseKeyKind(std::string_view text);

/// Who a valid key belongs to.
struct Principal {
  std::string key_id;
  KeyKind kind = KeyKind::kBrowser;
  std::string shop;                  // empty: of all shops, an admin key
  std::vector<std::string> origins;  // of a browser key, as NormalOrigin writes them
};

/// True when a key of that kind may call routes of that access.
bool Covers(KeyKind kind, Access access);

}  // namespace emptor::services
