// What phrases the answers, and how it does: GET /admin/generator.
#pragma once

#include <string>

#include "services/app/service_parts.h"

namespace emptor::services {

/// {"kind":"endpoint","url":...,"available":true,"requests":7,...,"models":[{"name":...}]}. Holds
/// no key and no text of a shopper.
std::string GeneratorStatusJson(const ServiceParts& parts);

}  // namespace emptor::services
