#pragma once
#include <cstdint>
#include <string_view>

#include "core/bitmap.h"
#include "core/result.h"
#include "core/storage.h"

// The side file of a segment that says which of its chunks are deleted ("seg-000001.del-000004").
// Never changed: a commit that deletes more writes another one and names it in the manifest.
namespace ragline {

Status write_deletes(Storage& storage, std::string_view name, const Bitmap& deleted);
// `chunks` and `count` are what the manifest says; every byte is checked, for a wrong bit would
// show what was deleted.
Result<Bitmap> read_deletes(const Storage& storage, std::string_view name, std::uint32_t chunks,
                            std::uint32_t count);

}  // namespace ragline
