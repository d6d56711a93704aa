// Conversations whose turns are labelled with what they want (data/turns/README.md), and how a
// reading agrees with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace emptor::services {

struct LabelledAct {
  std::string act;    // "find", "ask", ...
  std::string goods;  // of a "find"
  bool is_same = false;
  std::vector<std::string> about = {};  // ids of products
};

struct LabelledTurn {
  std::string say;
  std::vector<LabelledAct> acts = {};
  std::vector<std::string> shown = {};  // ids
};

/// Invented for a conversation.
struct LabelledProduct {
  std::string id, title, goods;
  int64_t price = 0;  // in hundredths
};

struct LabelledConversation {
  std::string id, language;
  std::vector<LabelledProduct> products = {};
  std::vector<LabelledTurn> turns = {};
};

/// `name` begins the ids. Errors: kInvalidArgument with the line and the member.
absl::StatusOr<std::vector<LabelledConversation>> ParseLabelledTurns(std::string_view name,
                                                                     std::string_view text);

/// What a turn is at all: goods are looked for, products that were shown are asked about, customer
/// service is wanted, or nothing is.
enum class TurnSort { kFind, kShown, kDesk, kTalk };
TurnSort SortOf(const LabelledAct& act);

/// A turn as it was read.
struct ReadSort {
  TurnSort sort = TurnSort::kFind;
  std::vector<std::string> about = {};  // of kShown
};

/// Agreement over turns.
struct TurnAgreement {
  int turns = 0, first = 0, any = 0;  // that have the sort of the first act; of any act
  int shown = 0, pointed = 0;  // whose first act is about products; read so, of exactly these
  int finds = 0, found = 0;  // whose first act looks for other goods; with these in the first card

  /// `card`: the goods of the first card; empty: there was none.
  void AddCard(const LabelledTurn& turn, std::string_view card);
  void Add(const LabelledTurn& turn, const ReadSort& read);
};

/// "Kids headphones" and "headphone": the last words are the same but for a plural. Pure.
bool AreSameGoods(std::string_view a, std::string_view b);

/// The products are those of the first act, or those of all acts.
bool IsAboutSame(const LabelledTurn& turn, const std::vector<std::string>& about);

}  // namespace emptor::services
