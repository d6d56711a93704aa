// Replies and stream events as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "catalog/encoding/json.h"
#include "catalog/product.h"
#include "services/assistant/events/assist_events.h"

namespace emptor::services {

/// Writes the members that every product of a reply has: the record with the price payable now, and
/// `url` and `image_url`, which begin with `base_url` ("https://shop.example", no slash).
void WriteProductReply(const catalog::Product& product, const catalog::PayablePrice& shown,
                       std::string_view base_url, catalog::JsonWriter& writer);

/// Writes the product with n, score and why.
void WriteCardMembers(const ProductCard& card, std::string_view base_url,
                      catalog::JsonWriter& writer);
/// The cards of one answer as an array. A card whose name reads like another's has `variant`: what
/// sets it apart ("red, M").
void WriteCards(std::span<const ProductCard> cards, std::string_view base_url,
                catalog::JsonWriter& writer);

/// "start", "products", "handoff", "delta", "citation", "error", "done".
std::string_view EventName(const AssistEvent& event);
/// The event's data; `request_id` goes into errors.
std::string EventJson(const AssistEvent& event, std::string_view base_url,
                      std::string_view request_id);

/// One server-sent event. REQUIRES: data has no line break (JSON has none).
std::string FormatSse(int64_t id, std::string_view name, std::string_view data);

/// Members shared by the `done` event and the answer that is not streamed.
void WriteDoneMembers(const DoneEvent& done, catalog::JsonWriter& writer);
/// Members shared by the `start` event and the answer that is not streamed.
void WriteStartMembers(const StartEvent& start, catalog::JsonWriter& writer);
/// Members shared by the `handoff` event and the answer that is not streamed.
void WriteHandoffMembers(const HandoffEvent& handoff, catalog::JsonWriter& writer);
void WriteCitation(const Citation& citation, catalog::JsonWriter& writer);

}  // namespace emptor::services
