#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/result.h"

namespace ragline {

// How far a value is from what other runs reached for that query and measure, in standard
// deviations (trec_eval's -Z). The file has lines "query measure mean deviation".
class ZScores {
 public:
  static constexpr double kMissing = -1000000;
  // kNotFound, kIo; kData "file:line: ..." for a line without four fields.
  static Result<ZScores> read(const std::string& path);
  // kMissing where the file says nothing, or all runs agreed on another value.
  double convert(std::string_view query, std::string_view measure, double value) const;

 private:
  struct Reference {
    double mean = 0, deviation = 0;
  };
  std::map<std::pair<std::string, std::string>, Reference, std::less<>> references_;
};

}  // namespace ragline
