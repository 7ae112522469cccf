#pragma once
#include <string>

#include "eval/report_data.h"

namespace ragline {

// One page that needs nothing else: no script, no network, no font. Light or dark as the reader's
// system is, and plain on paper.
std::string html_report(const ReportData& data, const std::string& title);
// The same tables for a README; charts are left out.
std::string markdown_report(const ReportData& data, const std::string& title);
// One object: runs by name with their means, groups, quantiles and failures, and the comparisons.
std::string json_report(const ReportData& data);

}  // namespace ragline
