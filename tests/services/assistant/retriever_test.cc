// The assistant and the search routes run one product search: equal input, equal hits.
#include "services/assistant/search/retriever.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "services/assistant/search/named_members.h"
#include "services/assistant/search/named_products.h"
#include "services/shop/product_search.h"
#include "tests/services/assistant/test_shop.h"

namespace emptor::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

struct Hits {
  std::vector<std::string> ids;
  std::vector<std::pair<retrieval::FilterPart, bool>> relaxed;
  retrieval::Filter applied;
};

void CopySteps(const std::vector<retrieval::RelaxationStep>& steps, Hits& hits) {
  for (const retrieval::RelaxationStep& step : steps) {
    hits.relaxed.emplace_back(step.part, step.widened);
  }
}

class RetrieverTest : public ::testing::Test {
 protected:
  RetrieverTest() {
    shop_.Import(
        R"({"id":"v1","title":"Quorl Mug White","item_group_id":"quorl","price":{"amount":900,"currency":"USD"}}
{"id":"v2","title":"Quorl Mug Red","item_group_id":"quorl","price":{"amount":1100,"currency":"USD"}}
{"id":"v3","title":"Quorl Mug Blue","item_group_id":"quorl","price":{"amount":1300,"currency":"USD"}}
{"id":"b1","title":"Brindle Stoneware Mug With Handle","price":{"amount":2500,"currency":"USD"}}
)");
    shop_.shop().lifecycle().WaitForWords();
  }

  /// What /v1/search finds and fits.
  Hits Search(const std::string& query) {
    Hits hits;
    ProductSearchInput input;
    input.query = query;
    input.limit = 12;
    const auto found = SearchProducts(shop_.shop().reader(), input);
    EXPECT_TRUE(found.ok()) << found.status();
    if (!found.ok()) return hits;
    for (const FoundProduct& each : found->items) {
      if (Fits(each.hit)) hits.ids.push_back(each.product.id);
      far_ += !Fits(each.hit);
    }
    CopySteps(found->relaxed, hits);
    hits.applied = found->applied;
    return hits;
  }

  /// What the assistant finds for the same message.
  Hits Assist(const std::string& query, std::vector<std::string> exclude = {}) {
    const ShopReader& shop = shop_.shop().reader();
    UnderstandingInput message;
    message.message = query;
    message.vocabulary = shop.vocabulary();
    const auto found =
        Retrieve(shop, {.max_products = 12}, {Understand(message), query, {}, std::move(exclude)});
    Hits hits;
    EXPECT_TRUE(found.ok()) << found.status();
    if (!found.ok()) return hits;
    for (const Source& source : found->sources) {
      if (source.product() != nullptr) hits.ids.push_back(source.id());
    }
    CopySteps(found->relaxed, hits);
    hits.applied = found->filter;
    return hits;
  }

  void ExpectEqual(const std::string& query) {
    const Hits searched = Search(query), assisted = Assist(query);
    EXPECT_THAT(searched.ids, Not(IsEmpty())) << query;
    EXPECT_EQ(assisted.ids, searched.ids) << query;
    EXPECT_EQ(assisted.relaxed, searched.relaxed) << query;
    EXPECT_EQ(assisted.applied, searched.applied) << query;
  }

  testing::TestShop shop_;
  size_t far_ = 0;  // hits of searches that do not fit
};

TEST_F(RetrieverTest, WordsFindTheSameProducts) {
  for (const char* query : {"kettle", "mug", "torvane kettle in stock", "monitor under $400"}) {
    ExpectEqual(query);
  }
  EXPECT_GT(far_, 0u) << "the searches had no hit to leave out";
}

TEST_F(RetrieverTest, QuotesInTalkDemandNoPhrase) {
  EXPECT_THAT(Assist("torvane \"kettle glide\"").ids, ::testing::Contains("k20"));
}

TEST_F(RetrieverTest, OnSaleAreThoseWhosePriceIsReduced) {
  shop_.Import(
      R"({"id":"s1","title":"Quorl Mug Grey","price":{"amount":1900,"currency":"USD"},"sale_price":{"amount":1200,"currency":"USD"}}
)");
  EXPECT_THAT(Assist("mugs on sale").ids, ElementsAre("s1"));
  EXPECT_THAT(Assist("mug").ids, ::testing::Contains("b1"));
}

TEST_F(RetrieverTest, APinnedProductThatSharesNoWordIsKept) {
  ASSERT_TRUE(shop_.shop()
                  .writer()
                  .SetMerchandising(R"({"rules":[{"queries":["mug"],"pin":["m27"]}]})")
                  .ok());
  ExpectEqual("mug");
  EXPECT_EQ(Assist("mug").ids.at(0), "m27");
}

TEST_F(RetrieverTest, OfVariantsOneIsFound) {
  ExpectEqual("mug");
  size_t variants = 0;
  for (const std::string& id : Assist("mug").ids) variants += id[0] == 'v';
  EXPECT_EQ(variants, 1u);
}

TEST_F(RetrieverTest, TheSameConditionsAreGivenUp) {
  ExpectEqual("torvane kettle under $20");
  const Hits hits = Assist("torvane kettle under $20");
  EXPECT_THAT(hits.relaxed, ElementsAre(std::pair(retrieval::FilterPart::kPrice, false)));
  EXPECT_FALSE(hits.applied.has_price());
  EXPECT_EQ(hits.applied.brands, std::vector<std::string>{"Torvane"});
}

TEST_F(RetrieverTest, AnIdentifierFindsItsProduct) { ExpectEqual("k80"); }

TEST_F(RetrieverTest, ExcludedProductsAreReplacedByRelaxing) {
  const Hits hits = Assist("monitor under $300", {"m27"});
  EXPECT_THAT(hits.ids, Not(::testing::Contains("m27")));
  EXPECT_EQ(Assist("kettle in stock", {"k20"}).ids, std::vector<std::string>{"k80"});
}

std::vector<Source> SourcesOf(const std::vector<std::string>& titles) {
  std::vector<Source> sources;
  for (const std::string& title : titles) {
    catalog::Product product;
    product.id = title;
    product.title = title;
    sources.push_back({std::move(product), 1});
  }
  return sources;
}

bool IsNamed(const std::string& question, const std::vector<std::string>& titles) {
  UnderstandingInput message;
  message.message = question;
  std::vector<Source> sources = SourcesOf(titles);
  return FocusOnNamed(Understand(message), question, sources);
}

class NamedMembersTest : public ::testing::Test {
 protected:
  NamedMembersTest() {
    shop_.Import(
        R"({"id":"n1","title":"Verage Classico 58 cm Cabin Trolley","price":{"amount":900,"currency":"USD"}}
{"id":"n2","title":"Safari Pentagon Trolley, 55 cm, Red","price":{"amount":900,"currency":"USD"}}
{"id":"n3","title":"Safari Ray Trolley 65 cm","price":{"amount":900,"currency":"USD"}}
{"id":"n4","title":"Lenovo RT-N16 Trolley 1300 W","price":{"amount":900,"currency":"USD"}}
)");
    std::vector<const catalog::Product*> pointers;
    for (const char* id : {"n1", "n2", "n3", "n4"}) {
      products_.push_back(**shop_.shop().reader().FindProduct(id));
      table_.members.push_back(id);
    }
    for (const catalog::Product& each : products_) pointers.push_back(&each);
    table_.schema = TypeSchema::Learn(pointers);
  }

  std::vector<std::string> Named(const std::string& message, const std::string& focus = "n1") {
    Understanding understanding;
    understanding.message = message;
    understanding.referenced_products = {focus};
    understanding.is_subject_guessed = true;
    const auto named = FindNamedMembers(shop_.shop().reader(), &table_, understanding);
    EXPECT_TRUE(named.ok()) << named.status();
    std::vector<std::string> ids;
    for (const Source& each : *named) ids.push_back(each.id());
    return ids;
  }

  testing::TestShop shop_;
  std::vector<catalog::Product> products_;
  TypeTable table_;
};

TEST_F(NamedMembersTest, AreNamedByALineOrAModel) {
  EXPECT_THAT(Named("how many cm is the safari pentagon"), ElementsAre("n2"));
  EXPECT_THAT(Named("is the pentagon red"), ElementsAre("n2"));
  EXPECT_THAT(Named("how many watts has the rt-n16"), ElementsAre("n4"));
  EXPECT_THAT(Named("and the safari ray?"), ElementsAre("n3"));
}

TEST_F(NamedMembersTest, WordsOfAttributesAndTheOneInQuestionNameNoOther) {
  EXPECT_THAT(Named("how heavy is the red one"), IsEmpty());
  EXPECT_THAT(Named("is it 55 cm"), IsEmpty());
  EXPECT_THAT(Named("is the pentagon red", "n2"), IsEmpty());
  EXPECT_THAT(Named("what does the samsung cost"), IsEmpty());
}

TEST(AsksOfFocusTest, AnAttributeOfTheTypeIsNoProductOfThatName) {
  catalog::Product maker;
  maker.id = "m1";
  maker.title = "Torvane coffee machine";
  maker.attributes = {{"water tank capacity", "1.2"}};
  TypeTable table;
  table.schema = TypeSchema::Learn({&maker});
  Understanding understanding;
  understanding.is_subject_guessed = true;
  understanding.message = "how big is the water tank capacity";
  EXPECT_TRUE(AsksOfFocus(understanding, &table));
  EXPECT_FALSE(AsksOfFocus(understanding, nullptr));
  understanding.message = "how big is the HD7982 water tank";
  EXPECT_FALSE(AsksOfFocus(understanding, &table)) << "a model number names a product";
  understanding.message = "the water tank";
  EXPECT_FALSE(AsksOfFocus(understanding, &table));
  understanding.is_subject_guessed = false;
  understanding.message = "how big is the water tank capacity";
  EXPECT_FALSE(AsksOfFocus(understanding, &table));
}

TEST(FocusOnNamedTest, WordsThatSeveralTitlesHoldSearch) {
  const std::vector<std::string> fans = {"Quellin 400mm Pedestal Fan",
                                         "Torvane Breeze 400mm Pedestal Fan with Remote, White"};
  EXPECT_FALSE(IsNamed("pedestal fan 400mm", fans));
  EXPECT_TRUE(IsNamed("how loud is the quellin 400mm pedestal fan", fans));
}

}  // namespace
}  // namespace emptor::services
