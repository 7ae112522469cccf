#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include "analysis/analyzer.h"
#include "core/result.h"
#include "core/storage.h"
#include "lexical/field.h"

namespace ragline {

// What of a chunk is searched. `title` is put in front of the content only when title_in_content is set (documents that came
// as records; a file's title already stands in its text).
struct ChunkText {
  Language language = Language::kEnglish;
  std::string_view title, section, path, context, text;
  bool title_in_content = false;
};

// The inverted index of one segment while it is built: postings with positions in memory, compressed.
//   Input    chunks in order; their ordinals are 0, 1, 2, ...
//   Cost     about 50 ns a word; memory() bytes, about 2.5 a word plus the vocabulary
//   Output   write(): the files "terms", "postings", "positions" and "lengths" in a folder (lexical/postings.h reads them)
//   Threads  one object per thread
class PostingsBuilder {
 public:
  PostingsBuilder();
  ~PostingsBuilder();
  PostingsBuilder(PostingsBuilder&&) noexcept;
  PostingsBuilder& operator=(PostingsBuilder&&) noexcept;

  // Returns the chunk's ordinal.
  std::uint32_t add(const ChunkText& chunk);
  // Marks the chunk added last as having this exact filter value. Repeats are harmless.
  void add_filter(std::string_view name, std::string_view value);

  std::uint32_t chunk_count() const;
  std::size_t memory() const;
  // Leaves the builder empty, ready for the next segment.
  Status write(Storage& storage, std::string_view folder);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ragline
