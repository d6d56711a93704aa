// Answers of tools as text for a model or a person: a line for each product, amounts written out.
#pragma once

#include <string>
#include <string_view>

#include "services/api/api_errors.h"
#include "services/api/shop_answers.h"
#include "services/faq/faq_answers.h"

namespace emptor::services {

// All are pure. `base_url` begins the links; `locale` (BCP 47) is that of amounts and numbers.

std::string SearchText(const SearchAnswer& answer, std::string_view base_url,
                       std::string_view locale);
std::string ProductText(const ShownProduct& shown, std::string_view base_url,
                        std::string_view locale);
/// A Markdown table.
std::string ComparisonText(const ComparisonAnswer& answer);
std::string FaqText(const FaqReply& reply);
/// Why a tool failed, and what to do.
std::string ToolErrorText(const ApiError& error, std::string_view request_id);

}  // namespace emptor::services
