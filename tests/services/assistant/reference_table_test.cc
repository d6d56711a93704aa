// What an expression points at, by the state of the conversation: a table of states, messages and
// the products that are meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "services/assistant/dialogue/dialogue.h"
#include "services/assistant/dialogue/focus.h"

namespace emptor::services {
namespace {

using Turns = std::vector<ConversationTurn>;

ConversationTurn Cards(std::vector<std::string> ids, std::string winner = {}) {
  ConversationTurn turn;
  turn.search_text = "kettle";
  turn.shown_products = turn.cited_products = std::move(ids);
  turn.winner = std::move(winner);
  return turn;
}

Turns With(Turns turns, TurnKind kind, ConversationTurn turn) {
  ConversationTurn next = NextTurn(turns, kind, std::move(turn));
  turns.push_back(std::move(next));
  return turns;
}

// Each state, as a conversation that leads to it.
Turns Listed() { return With({}, TurnKind::kSearched, Cards({"A", "B", "C", "D"})); }
Turns AskedB() { return With(Listed(), TurnKind::kReferred, Cards({"B"})); }
Turns AskedBThenC() { return With(AskedB(), TurnKind::kReferred, Cards({"C"})); }
Turns ComparedAB() { return With(Listed(), TurnKind::kReferred, Cards({"A", "B"})); }
Turns ComparedThenB() { return With(ComparedAB(), TurnKind::kReferred, Cards({"B"})); }
Turns RankedC() { return With(Listed(), TurnKind::kReferred, Cards({"A", "B", "C", "D"}, "C")); }
Turns ThankedAfterB() { return With(AskedB(), TurnKind::kNoProducts, {}); }
Turns Relisted() { return With(Listed(), TurnKind::kSearched, Cards({"X", "Y", "Z"})); }
Turns OneFound() { return With(AskedB(), TurnKind::kSearched, Cards({"X"})); }
Turns OfTwo() {
  return With(With({}, TurnKind::kSearched, Cards({"A", "B"})), TurnKind::kReferred, Cards({"A"}));
}
Turns OnPage() { return {TurnOfPage("P", "Torvane Kettle", std::nullopt, "en")}; }
Turns OnPageListed() {
  ConversationTurn found = Cards({"A", "B", "C"});
  found.page_product_id = "P";
  return With(OnPage(), TurnKind::kSearched, std::move(found));
}
Turns OnPageAskedA() {
  ConversationTurn asked = Cards({"A"});
  asked.page_product_id = "P";
  return With(OnPageListed(), TurnKind::kReferred, std::move(asked));
}

struct Row {
  Turns (*state)();
  std::string message;
  std::string meant;  // ids in their order, separated by blanks; empty: nothing is pointed at
};

std::string Joined(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : " ") + id;
  return text;
}

void Check(const std::vector<Row>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    EXPECT_EQ(Joined(FindReferences(retrieval::TokenizeQuery(row.message), row.state())), row.meant)
        << "row " << i << ": " << row.message;
  }
}

Turns Nothing() { return {}; }

TEST(ReferenceTableTest, NothingIsPointedAtBeforeTheFirstAnswer) {
  Check({
      {Nothing, "is it loud", ""},
      {Nothing, "the second one", ""},
      {Nothing, "which of these is lightest", ""},
      {Nothing, "both please", ""},
      {Nothing, "and the other one?", ""},
  });
}

TEST(ReferenceTableTest, PlacesCountInTheLatestListWhateverIsInFocus) {
  Check({
      {Listed, "the second one", "B"},
      {Listed, "how much is the third", "C"},
      {Listed, "the last one", "D"},
      {Listed, "the first two", "A B"},
      {Listed, "the last two", "C D"},
      {Listed, "first and third", "A C"},
      {Listed, "the first or the fourth", "A D"},
      {Listed, "number 2", "B"},
      {Listed, "second kettle, price?", "B"},
      {Listed, "the first three", "A B C"},
      {Listed, "the fifth one", ""},
      {Listed, "der zweite", "B"},
      {Listed, "was wiegt das dritte", "C"},
      {Listed, "die ersten beiden", "A B"},
      {Listed, "den letzten bitte", "D"},
      {Listed, "le deuxième", "B"},
      {Listed, "la dernière", "D"},
      {Listed, "les deux premiers", "A B"},
      {Listed, "el segundo", "B"},
      {Listed, "la tercera cuánto pesa", "C"},
      {Listed, "los dos primeros", "A B"},
      {Listed, "第二个", "B"},
      {Listed, "第3个多少钱", "C"},
      {Listed, "最后一个", "D"},
      {Listed, "前两个", "A B"},
      {AskedB, "and the third?", "C"},
      {AskedB, "the first one", "A"},
      {AskedBThenC, "and the last one", "D"},
      {RankedC, "the second one", "B"},
      {ComparedAB, "the fourth one", "D"},
      {ThankedAfterB, "the first one, is it quiet", "A"},
      {Relisted, "the second one", "Y"},
      {Relisted, "the fourth one", ""},
      {OnPageListed, "the second one", "B"},
      {OnPageAskedA, "and the third", "C"},
  });
}

TEST(ReferenceTableTest, APlaceNextToWhatIsInFocus) {
  Check({
      {AskedB, "compare it with the first one", "B A"},
      {AskedB, "compare this to the third one", "B C"},
      {AskedB, "compare it with the second one", "B"},
      {RankedC, "compare that with the first one", "C A"},
      {AskedB, "vergleiche ihn mit dem ersten", "B A"},
      {AskedB, "compárala con la primera", "B A"},
      {AskedB, "比较它和第一个", "B A"},
      {Listed, "compare it with the second one", "B"},
  });
}

TEST(ReferenceTableTest, OneIsTheProductInFocus) {
  Check({
      {Listed, "is it loud", "A"},
      {AskedB, "is it loud", "B"},
      {AskedB, "how heavy is that one", "B"},
      {AskedB, "does this one have a timer", "B"},
      {AskedB, "what is its capacity", "B"},
      {AskedBThenC, "is it loud", "C"},
      {RankedC, "is it loud", "C"},
      {RankedC, "how much is that", "C"},
      {ComparedThenB, "is it loud", "B"},
      {ThankedAfterB, "is it loud", "B"},
      {Relisted, "is it loud", "X"},
      {OneFound, "is it loud", "X"},
      {OnPage, "is it loud", "P"},
      {OnPage, "does this have a timer", "P"},
      {OnPageListed, "is it loud", "A"},
      {OnPageAskedA, "does that one keep warm", "A"},
      {AskedB, "wie laut ist er", "B"},
      {AskedB, "ist das leise", "B"},
      {AskedB, "was kostet dieser", "B"},
      {AskedB, "combien pèse celui-ci", "B"},
      {AskedB, "elle est bruyante ?", "B"},
      {AskedB, "il y a combien de litres", ""},
      {AskedB, "il y a combien de litres dans ce modèle", "B"},
      {AskedB, "cuánto pesa este", "B"},
      {AskedB, "eso es ruidoso?", "B"},
      {AskedB, "它重吗", "B"},
      {AskedB, "这个多少钱", "B"},
      {AskedB, "is it possible to pay later", ""},
      {AskedB, "kettles with a timer", ""},
      {AskedB, "thanks", ""},
      {AskedB, "anything cheaper", ""},
  });
}

TEST(ReferenceTableTest, TheOtherOneIsNextToTheOneInFocus) {
  Check({
      {OfTwo, "and the other one?", "B"},
      {OfTwo, "the other", "B"},
      {AskedB, "and the other one?", "A"},
      {AskedBThenC, "the other one", "B"},
      {ComparedThenB, "and the other one", "A"},
      {ComparedThenB, "is it quieter than the other one", "B A"},
      {AskedBThenC, "is it cheaper than the other", "C B"},
      {OfTwo, "und der andere", "B"},
      {OfTwo, "ist er leiser als der andere", "A B"},
      {OfTwo, "et l'autre ?", "B"},
      {OfTwo, "y el otro", "B"},
      {OfTwo, "另一个呢", "B"},
      {RankedC, "and the other one", "A"},
      {Listed, "and the other one", ""},
      {ThankedAfterB, "ok and the other one", "A"},
  });
}

TEST(ReferenceTableTest, TheOthersAreWhatTheListHasBesidesTheFocus) {
  Check({
      {AskedB, "and the other ones?", "A C D"},
      {AskedB, "what about the others", "A C D"},
      {RankedC, "and the others", "A B D"},
      {AskedB, "und die anderen beiden", "A C D"},
      {AskedB, "et les autres ?", "A C D"},
      {AskedB, "y los demás", "A C D"},
      {AskedB, "其他几个呢", "A C D"},
      {Listed, "and the others", ""},
  });
}

TEST(ReferenceTableTest, ThePreviousOneIsTheFocusBefore) {
  Check({
      {AskedBThenC, "and the one before", "B"},
      {AskedBThenC, "the previous one", "B"},
      {AskedBThenC, "und der davor", "B"},
      {AskedBThenC, "et le précédent", "B"},
      {AskedBThenC, "y el anterior", "B"},
      {AskedBThenC, "前一个呢", "B"},
      {OneFound, "the one before", "B"},
      {AskedBThenC, "compared to the previous one", "C B"},
      {AskedB, "the one before", "A"},
      {ComparedThenB, "and the previous one", "A"},
      {Listed, "the previous one", ""},
      {OnPageAskedA, "the previous one", "P"},
  });
}

TEST(ReferenceTableTest, ThePageIsNamedAsThePage) {
  Check({
      {OnPageListed, "the one i was looking at", "P"},
      {OnPageAskedA, "is that cheaper than the one i was looking at", "A P"},
      {OnPageAskedA, "vs the one i was looking at?", "A P"},
      {OnPageAskedA, "und auf dieser seite", "P"},
      {OnPageAskedA, "celui de la page", "P"},
      {OnPageAskedA, "el que estaba mirando", "P"},
      {Listed, "the one i was looking at", ""},
  });
}

TEST(ReferenceTableTest, TwoAreThoseOfTheLatestAnswers) {
  Check({
      {AskedBThenC, "how much for both", "B C"},
      {AskedBThenC, "do either have a timer", "B C"},
      {AskedBThenC, "the cheaper of those two", "B C"},
      {AskedBThenC, "was kosten beide zusammen", "B C"},
      {AskedBThenC, "les deux ensemble", "B C"},
      {AskedBThenC, "cuánto cuestan los dos", "B C"},
      {AskedBThenC, "这两个哪个轻", "B C"},
      {ComparedAB, "both please", "A B"},
      {ComparedAB, "which of the two is lighter", "A B"},
      {ComparedThenB, "how much for both", "A B"},
      {OneFound, "which of the two is cheaper", "B X"},
      {Listed, "both", "A B C D"},
  });
}

TEST(ReferenceTableTest, SeveralAreWhatIsSetSideBySideElseTheList) {
  Check({
      {Listed, "which of these is lightest", "A B C D"},
      {Listed, "which one is the best", "A B C D"},
      {Listed, "are they in stock", "A B C D"},
      {AskedB, "which of them is quietest", "A B C D"},
      {AskedBThenC, "which of these is lightest", "A B C D"},
      {ComparedAB, "which of those is cheaper", "A B"},
      {ComparedAB, "are they dishwasher safe", "A B"},
      {ComparedAB, "which of all these is cheapest", "A B C D"},
      {ComparedThenB, "which of those has a timer", "A B"},
      {RankedC, "how loud are they", "C"},
      {RankedC, "which of these has a timer", "A B C D"},
      {Relisted, "which of these is lightest", "X Y Z"},
      {OneFound, "the cheaper of those", "B X"},
      {Listed, "the cheaper of those", "A B C D"},
      {ComparedAB, "the cheaper one of them", "A B"},
      {Listed, "welcher von denen ist leiser", "A B C D"},
      {ComparedAB, "welcher davon ist leiser", "A B"},
      {Listed, "lequel est le plus léger", "A B C D"},
      {ComparedAB, "lequel est le moins cher", "A B"},
      {Listed, "cuál de estos pesa menos", "A B C D"},
      {ComparedAB, "cuál de ellos", "A B"},
      {Listed, "这些哪个最轻", "A B C D"},
      {ComparedAB, "哪个便宜", "A B"},
      {ThankedAfterB, "which of these is lightest", "A B C D"},
      {OnPageListed, "which of these is lightest", "A B C"},
  });
}

TEST(ReferenceTableTest, TheBeginningIsTheFirstList) {
  Check({
      {Relisted, "the first ones you showed me", "A B C D"},
      {Relisted, "the ones at the beginning", "A B C D"},
      {Relisted, "go back to the first list", "A B C D"},
      {Relisted, "the second of the first list", "B"},
      {Relisted, "die am anfang", "A B C D"},
      {Relisted, "celles au début", "A B C D"},
      {Relisted, "los primeros que me enseñaste", "A B C D"},
      {Relisted, "一开始的那些", "A B C D"},
      {OneFound, "the first ones you showed me", "A B C D"},
      {Listed, "the first ones", "A B C D"},
  });
}

TEST(FocusTest, AnEntryForEverythingThatWasMentionedTheNewestFirst) {
  const auto entries = FocusEntriesOf(AskedBThenC());
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries.front().role, FocusRole::kShown);
  EXPECT_EQ(entries.front().products, std::vector<std::string>{"C"});
  for (size_t i = 1; i < entries.size(); ++i) EXPECT_LE(entries[i - 1].age, entries[i].age);
  const auto pair = std::find_if(entries.begin(), entries.end(), [](const FocusEntry& each) {
    return each.role == FocusRole::kPair;
  });
  ASSERT_NE(pair, entries.end());
  EXPECT_EQ(pair->products, (std::vector<std::string>{"B", "C"}));
}

TEST(FocusTest, TheMostTellingPointingComesFirst) {
  const auto of = [](const std::string& message) {
    return PointingsOf(retrieval::TokenizeQuery(message));
  };
  EXPECT_EQ(of("is it quieter than the other one").front(), Pointing::kOtherThan);
  EXPECT_EQ(of("and the other ones").front(), Pointing::kOthers);
  EXPECT_EQ(of("the cheaper of those").front(), Pointing::kMoreOfTwo);
  EXPECT_EQ(of("all of these").front(), Pointing::kAll);
  EXPECT_TRUE(of("a quiet kettle").empty());
}

}  // namespace
}  // namespace emptor::services
