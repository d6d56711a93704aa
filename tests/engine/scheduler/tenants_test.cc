#include "engine/scheduler/tenants.h"

#include "gtest/gtest.h"

namespace emptor::engine {
namespace {

TEST(TenantsTest, OneWhoComesStartsLevelWithTheLeastServed) {
  Tenants tenants;
  Tenants::Tenant* a = tenants.Enter("a");
  a->served = 500;
  Tenants::Tenant* b = tenants.Enter("b");
  EXPECT_EQ(b->served, 500u);
  EXPECT_NE(a->number, b->number);
  EXPECT_EQ(tenants.Enter("a"), a);
}

TEST(TenantsTest, LeavingEarnsNoCreditAndIdleTimeNone) {
  Tenants tenants;
  Tenants::Tenant* steady = tenants.Enter("steady");
  tenants.Enter("greedy")->served = 900;
  steady->served = 100;
  tenants.Leave("greedy");
  EXPECT_EQ(tenants.Enter("greedy")->served, 900u);
  tenants.Leave("greedy");
  steady->served = 2000;
  EXPECT_EQ(tenants.Enter("greedy")->served, 2000u);
}

TEST(TenantsTest, RemembersOnlyWhereItMatters) {
  Tenants tenants;
  Tenants::Tenant* here = tenants.Enter("here");
  here->served = 10;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "t" + std::to_string(i);
    tenants.Enter(name)->served += 5;
    tenants.Leave(name);
  }
  EXPECT_LE(tenants.size(), 4098);
  here->served = 1000;
  for (int i = 0; i < 5000; ++i) {
    tenants.Enter("x" + std::to_string(i));
    tenants.Leave("x" + std::to_string(i));
  }
  EXPECT_LE(tenants.size(), 66);
  tenants.Leave("here");
  EXPECT_EQ(tenants.size(), 0);
}

}  // namespace
}  // namespace emptor::engine
