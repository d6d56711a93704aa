// Learns what types of products state before a shopper asks, and again after changes.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "services/assistant/types/type_catalog.h"

namespace emptor::services {

/// A thread that learns the tables of the types that the shop sells, those of most products first,
/// while TypeCatalog has room; again once the shop has grown by a quarter, and those that it finds
/// outdated while it goes on answering with them.
/// Lifetime: the shop outlives it; the destructor waits for the table that is being learned.
class TypeWarmer {
 public:
  /// Reads the names, kinds and meanings of the shop's goods first: some 4 s for 100,000 products,
  /// longer where a sentence encoder is the embedder (7 texts for each kind).
  /// `language` is the one that most shoppers write: "en".
  TypeWarmer(const ShopReader& shop, std::shared_ptr<TypeCatalog> types, std::string language);
  ~TypeWarmer();
  TypeWarmer(const TypeWarmer&) = delete;
  TypeWarmer& operator=(const TypeWarmer&) = delete;

 private:
  void Run(const std::stop_token& stop);
  void LearnSoldTypes(const std::stop_token& stop);

  const ShopReader& shop_;
  const std::shared_ptr<TypeCatalog> types_;
  const std::string language_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace emptor::services
