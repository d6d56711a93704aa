// Settings of services in tests.
#pragma once

#include <string>

#include "services/app/config.h"
#include "tests/services/support/test_models.h"

namespace emptor::services::testing {

/// Of a service without a language model, on ports of its own.
inline Config ConfigWithoutModel(const std::string& data_dir) {
  Config config;
  config.data_dir = data_dir;
  config.listen = config.admin_listen = "127.0.0.1:0";
  config.model = "none";
  config.embedder = ModelFolder::Encoder();
  config.log_level = "off";
  return config;
}

}  // namespace emptor::services::testing
