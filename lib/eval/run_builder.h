#pragma once
#include <string_view>
#include <unordered_map>

#include "eval/run.h"

namespace ragline {

// Whether the text is a run of records (or a ranx file).
bool is_record_run(std::string_view text);

// Fills a Run with parts in the order of the file, and orders its queries in the end.
class RunBuilder {
 public:
  explicit RunBuilder(Run& run) : run_(run) {}

  // Notes where the lines of each query stand.
  void index_lines();
  // The rows of a ranx file.
  Status take_json();
  // Records: hit_run.cc.
  Status take_records(const RunOptions& options);
  // Gives the hits of the other forms the gold evidence that their ids name.
  Status attach(const Gold& gold);
  // A query, so that it is there even without hits.
  void add_query(std::string_view query);
  // One hit of other forms. The views must stay valid: keep() makes them so.
  void add_hit(std::string_view query, const RunHit& hit);
  std::string_view keep(std::string text);
  std::span<const std::uint32_t> keep(std::vector<std::uint32_t> evidence);
  void set_tag(std::string_view tag) { run_.tag_ = tag; }
  // kData when there is no query.
  Status finish();

 private:
  void add(std::string_view query, std::uint64_t begin, std::uint64_t end);

  Run& run_;
  std::unordered_map<std::string_view, std::uint32_t> places_;
};

}  // namespace ragline
