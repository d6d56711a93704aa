// FAQ entries as files that FaqReader reads back: docs/formats/faq.md.
#pragma once

#include <string>

#include "catalog/faq/faq_entry.h"

namespace emptor::catalog {

/// The first line of a CSV, with its line end.
std::string FaqCsvHeader();
/// One record of it: RFC 4180, one question a line within its cell.
std::string FaqCsvRecord(const FaqEntry& entry);
/// One line of JSON, with its line end.
std::string FaqJsonLine(const FaqEntry& entry);

}  // namespace emptor::catalog
