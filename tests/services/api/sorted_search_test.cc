// Sorted and browsing searches over the routes, and the report of a relaxed filter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "catalog/encoding/json.h"
#include "tests/services/api/shop_routes_fixture.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class SortedSearchTest : public ShopRoutesTest {
 protected:
  SortedSearchTest() {
    shop_.Import(R"({"id":"s1","title":"Desk lamp","price":{"amount":3000,"currency":"USD"},)"
                 R"("rating":{"value":5,"count":1},"updated_at":"2026-03-01T00:00:00Z"})"
                 "\n"
                 R"({"id":"s2","title":"Desk lamp","price":{"amount":1000,"currency":"USD"},)"
                 R"("rating":{"value":4.5,"count":200},"updated_at":"2026-01-01T00:00:00Z"})"
                 "\n"
                 R"({"id":"s3","title":"Desk lamp","price":{"amount":2000,"currency":"USD"},)"
                 R"("popularity":9,"updated_at":"2026-02-01T00:00:00Z"})"
                 "\n"
                 R"({"id":"s4","title":"Lamp shade","price":{"amount":100,"currency":"USD"}})"
                 "\n");
  }

  catalog::JsonValue Reply(const std::string& body) {
    const Response response = Fetch("POST", "/v1/search", body);
    EXPECT_EQ(response.status, 200) << response.body;
    auto json = catalog::ParseJson(response.body);
    return json.ok() ? *std::move(json) : catalog::JsonValue();
  }
  std::vector<std::string> Ids(const std::string& body) {
    const catalog::JsonValue reply = Reply(body);
    std::vector<std::string> ids;
    for (const auto& item : reply.Find("items")->as_array()) {
      ids.push_back(item.Find("id")->as_string());
    }
    return ids;
  }
};

TEST_F(SortedSearchTest, SortsWhatHoldsTheWords) {
  const auto sorted = [this](const std::string& sort) {
    return Ids(R"({"query":"desk lamp","sort":")" + sort + "\"}");
  };
  EXPECT_THAT(sorted("price_asc"), ElementsAre("s2", "s3", "s1"));
  EXPECT_THAT(sorted("price_desc"), ElementsAre("s1", "s3", "s2"));
  EXPECT_THAT(sorted("rating"), ElementsAre("s1", "s2", "s3"));
  EXPECT_THAT(sorted("newest"), ElementsAre("s1", "s3", "s2"));
  EXPECT_EQ(sorted("popularity").front(), "s3");
  EXPECT_THAT(sorted("relevance"), SizeIs(::testing::Ge(4)));
}

TEST_F(SortedSearchTest, BrowsesWithoutWords) {
  EXPECT_THAT(Ids(R"({"filters":{"price":{"max":3000,"currency":"USD"}},"sort":"price_asc"})"),
              ElementsAre("s4", "s2", "s3", "s1"));
  const auto all = Reply(R"({"query":" ","filters":{},"limit":100,"facets":true})");
  EXPECT_EQ(static_cast<size_t>(all.Find("total")->as_int()), all.Find("items")->as_array().size());
  EXPECT_EQ(all.Find("items")->as_array().at(0).Find("id")->as_string(), "s3");
}

TEST_F(SortedSearchTest, PagesKeepTheirOrderAndACursorIsBoundToIt) {
  std::vector<std::string> pages;
  std::string cursor;
  for (int page = 0; page < 3; ++page) {
    const auto reply = Reply(R"({"query":"desk lamp","limit":1,"sort":"price_asc")" + cursor + "}");
    pages.push_back(reply.Find("items")->as_array().at(0).Find("id")->as_string());
    EXPECT_EQ(reply.Find("total")->as_int(), 3);
    const catalog::JsonValue* next = reply.Find("next_cursor");
    ASSERT_EQ(next != nullptr, page < 2);
    if (next != nullptr) cursor = R"(,"cursor":")" + next->as_string() + '"';
  }
  EXPECT_THAT(pages, ElementsAre("s2", "s3", "s1"));
  const Response other =
      Fetch("POST", "/v1/search", R"({"query":"desk lamp","sort":"price_desc")" + cursor + "}");
  EXPECT_EQ(other.status, 400);
}

TEST_F(SortedSearchTest, RefusesAnOrderThatItDoesNotKnow) {
  const Response refused = Fetch("POST", "/v1/search", R"({"query":"lamp","sort":"cheapest"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr(R"("param":"sort")"));
  EXPECT_EQ(Fetch("POST", "/v1/search", R"({"sort":"price_asc"})").status, 400);
}

TEST_F(SortedSearchTest, ExplainsWhatItGaveUpInTheLanguageOfTheShopper) {
  const auto reply = Reply(R"({"query":"kettle under $35","language":"de-DE"})");
  EXPECT_EQ(reply.Find("explanation")->as_string(),
            "Nichts erfüllt alle Bedingungen. Erweitert: Preis ≤ 35,00 $.");
  EXPECT_EQ(Reply(R"({"query":"kettle"})").Find("explanation"), nullptr);
}

// The assistant's `start` says the same as a search: an editable filter, the steps, a sentence.
TEST_F(SortedSearchTest, TheAssistantReportsFiltersAndRelaxationAsASearchDoes) {
  const auto ask = [this](const std::string& more) {
    const Response response =
        Fetch("POST", "/v1/assist", R"({"message":"kettle under $35","stream":false)" + more + "}");
    EXPECT_EQ(response.status, 200) << response.body;
    return *catalog::ParseJson(response.body);
  };
  const auto reply = ask(R"(,"locale":"fr-FR")");
  EXPECT_EQ(reply.Find("filters")->Find("price")->Find("max")->as_int(), 4375);
  const catalog::JsonValue& step = reply.Find("relaxed")->as_array().at(0);
  EXPECT_EQ(step.Find("condition")->as_string(), "price");
  EXPECT_EQ(step.Find("action")->as_string(), "widened");
  EXPECT_EQ(step.Find("asked")->Find("price")->Find("max")->as_int(), 3500);
  EXPECT_THAT(reply.Find("explanation")->as_string(), HasSubstr("Critères élargis : prix"));
  const auto edited = ask(R"(,"filters":{"price":null})");
  EXPECT_EQ(edited.Find("filters")->Find("price"), nullptr);
  EXPECT_EQ(edited.Find("relaxed"), nullptr);
}

}  // namespace
}  // namespace emptor::services
