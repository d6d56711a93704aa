// Counters of a made-up powercap folder.
#include "services/bench/energy_meter.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace emptor::services {
namespace {

class EnergyMeterTest : public ::testing::Test {
 protected:
  EnergyMeterTest()
      : root_(::testing::TempDir() + "energy_" + std::to_string(getpid()) + "_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  ~EnergyMeterTest() override { std::filesystem::remove_all(root_); }

  void Write(const std::string& zone, const std::string& file, const std::string& text) {
    std::filesystem::create_directories(root_ + "/" + zone);
    std::ofstream(root_ + "/" + zone + "/" + file) << text;
  }

  const std::string root_;
};

TEST_F(EnergyMeterTest, AddsPackagesUpButNotTheirParts) {
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0", "dtpm"}) {
    Write(zone, "energy_uj", "1000000\n");
  }
  const auto meter = EnergyMeter::Open(root_);
  ASSERT_TRUE(meter.ok()) << meter.status();
  EXPECT_EQ(*meter->Joules(), 0);
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0", "dtpm"}) {
    Write(zone, "energy_uj", "4000000\n");
  }
  EXPECT_EQ(*meter->Joules(), 6);
}

TEST_F(EnergyMeterTest, HandlesACounterThatWrapped) {
  Write("intel-rapl:0", "energy_uj", "9000000\n");
  Write("intel-rapl:0", "max_energy_range_uj", "10000000\n");
  const auto meter = EnergyMeter::Open(root_);
  ASSERT_TRUE(meter.ok());
  Write("intel-rapl:0", "energy_uj", "1000000\n");
  EXPECT_EQ(*meter->Joules(), 2);
}

TEST_F(EnergyMeterTest, SaysWhyThereIsNothing) {
  const auto absent = EnergyMeter::Open(root_);
  EXPECT_EQ(absent.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(std::string(absent.status().message()).find("no RAPL counter"), std::string::npos);
  Write("intel-rapl:0", "energy_uj", "unreadable");
  const auto unreadable = EnergyMeter::Open(root_);
  EXPECT_NE(std::string(unreadable.status().message()).find("intel-rapl:0/energy_uj"),
            std::string::npos);
}

}  // namespace
}  // namespace emptor::services
