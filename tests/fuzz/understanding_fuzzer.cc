// Messages of any kind are understood and planned for somehow, in time linear in their length.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "services/assistant/plan/phrasing.h"
#include "services/assistant/reading/message_parts.h"
#include "services/assistant/reading/query_understanding.h"
#include "services/assistant/schema/attribute_binding.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  emptor::services::UnderstandingInput input;
  input.message.assign(reinterpret_cast<const char*>(data), size > 4096 ? 4096 : size);
  emptor::services::ConversationTurn turn;
  turn.search_text = "kettle";
  turn.shown_products = {"a", "b"};
  turn.chosen = {{"kettle", "a", 2}};
  input.turns = {turn};
  emptor::services::ShopProfile profile;
  profile.categories = {{"Kitchen > Kettles", 2}, {"厨房用品 > 电水壶", 1}};
  input.profile = &profile;
  emptor::catalog::Product product;
  product.id = "a";
  product.title = input.message.substr(0, 60);
  product.price = emptor::catalog::Money{100, "USD"};
  product.attributes = {{"noise level", input.message.substr(0, 40)}, {"keep warm", "yes"}};
  const auto schema = emptor::services::TypeSchema::Learn({&product});
  input.schema_of = [&](const auto&, const std::string&) { return &schema; };
  const std::string language = "en";
  (void)emptor::services::SplitMessage(
      {input.message, language, input.turns, profile,
       [&](const std::string&) { return std::optional(product); }});
  const auto understanding = emptor::services::Understand(input);
  const std::vector<emptor::services::Source> sources = {{product}, {product}};
  (void)emptor::services::WriteAnswer({understanding, sources, input.message, true, 0, {}},
                                      "en-US");
  return 0;
}
