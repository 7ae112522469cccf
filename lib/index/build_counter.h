#pragma once
#include <mutex>
#include <set>
#include <string>

#include "index/build.h"

namespace ragline {

// What a build reads and skips, counted from many threads; equal input gives an equal report,
// whatever their number.
class BuildCounter {
 public:
  void read(std::uint64_t bytes, std::uint64_t files = 1);
  void chunks(const std::vector<Chunk>& chunks);
  // detail: the reason in words, where there is one.
  void skip(const std::string& path, SkipReason reason, const std::string& detail);
  // As the inventory has it. What could not be read at all is not in there: it is tried again each
  // time.
  void skip_again(const std::string& path, const std::string& reason);
  void add(const SourceReport& report);
  // Ends the counting.
  BuildReport take();

 private:
  void skip(const std::string& path, const std::string& reason, bool unreadable,
            const std::string& detail);

  std::mutex mutex_;
  BuildReport report_;
  std::set<std::string> unreadable_;  // the first kExamples in the order of bytes
  std::uint64_t first_bad_line_ = 0;
};

}  // namespace ragline
