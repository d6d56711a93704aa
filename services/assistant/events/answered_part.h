// What a part of a message has been answered with, kept until the whole answer begins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/events/assist_events.h"

namespace emptor::services {

struct AnsweredPart {
  ConversationTurn turn;   // the state after it
  bool is_choice = false;  // it settles on the only card
  std::vector<Intent> intents = {};
  std::vector<ProductCard> cards = {};
  std::optional<HandoffEvent> handoff = {};
  std::string text = {};
  std::vector<Citation> citations = {};
};

/// Collects the events of one part. Thread-safety: none; one answer owns it.
class PartCollector final : public AssistListener {
 public:
  void OnRefused(const absl::Status&) override {}
  bool OnEvent(const AssistEvent& event) override {
    if (const auto* start = std::get_if<StartEvent>(&event)) part.intents = start->intents;
    if (const auto* products = std::get_if<ProductsEvent>(&event)) part.cards = products->items;
    if (const auto* handoff = std::get_if<HandoffEvent>(&event)) part.handoff = *handoff;
    if (const auto* delta = std::get_if<DeltaEvent>(&event)) part.text += delta->text;
    if (const auto* said = std::get_if<Citation>(&event)) part.citations.push_back(*said);
    return true;
  }

  AnsweredPart part;
};

}  // namespace emptor::services
