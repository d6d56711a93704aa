// Messages read in a shop of power banks and laptops, after answers that showed some.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/assistant/reading/query_understanding.h"
#include "tests/services/assistant/shown_turn.h"

namespace emptor::services::testing {

inline catalog::Product Record(const std::string& title, int64_t price,
                               std::vector<catalog::Attribute> attributes) {
  catalog::Product product;
  product.title = title;
  product.price = catalog::Money{price, "USD"};
  product.attributes = std::move(attributes);
  return product;
}

/// A shop of power banks (p1, p2, p3) and laptops (l1). The first two power banks were shown.
class PowerShopTest : public ::testing::Test {
 protected:
  PowerShopTest() {
    profile_.categories = {{"Power > Power Banks", 3}, {"Computing > Laptops", 1}};
    bank_schema_ = SchemaOf(banks_);
    laptop_schema_ = SchemaOf(laptops_);
  }

  ConversationTurn OnBanks() { return TurnOn("power bank", "Power > Power Banks", {"p1", "p2"}); }
  ConversationTurn OnLaptop() { return TurnOn("laptop", "Computing > Laptops", {"l1"}); }
  /// After a question about the second power bank.
  ConversationTurn OnOneBank() {
    ConversationTurn turn = OnBanks();
    turn.shown_products = turn.cited_products = {"p2"};
    return turn;
  }

  Understanding Read(const std::string& message, std::vector<ConversationTurn> turns) {
    UnderstandingInput input;
    input.message = message;
    input.turns = std::move(turns);
    input.profile = &profile_;
    input.vocabulary.mentions = [](const std::string&) { return 3u; };
    input.schema_of = [this](const ProductType& type, const std::string&) {
      return type.name == "laptop" ? &laptop_schema_ : &bank_schema_;
    };
    input.record_of = [this](const std::string& id) -> std::optional<catalog::Product> {
      const auto& records = id.front() == 'l' ? laptops_ : banks_;
      catalog::Product product = records[static_cast<size_t>(id.back() - '1')];
      product.id = id;
      return product;
    };
    return Understand(input);
  }

  const std::vector<catalog::Product> banks_ = {
      Record("Voltry Slim Power Bank", 1900, {{"capacity", "5000 mAh"}, {"weight", "110 g"}}),
      Record("Voltry Max Power Bank", 4900,
             {{"capacity", "20000 mAh"},
              {"weight", "340 g"},
              {"cable type", "usb-c"},
              {"cables included", "no"}}),
      Record("Sonaro Solar Power Bank", 3900, {{"capacity", "10000 mAh"}, {"weight", "220 g"}})};
  const std::vector<catalog::Product> laptops_ = {
      Record("Torvane Air Laptop", 90000, {{"weight", "1.2 kg"}, {"battery life", "12 h"}})};
  ShopProfile profile_;
  TypeSchema bank_schema_, laptop_schema_;
};

}  // namespace emptor::services::testing
