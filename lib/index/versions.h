#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/storage.h"

// The side file that lists the ids of documents with more than one live version
// ("versions-000007"), sorted by bytes, so that a search knows where it must choose one.
namespace ragline {

Status write_versions(Storage& storage, std::string_view name, const std::vector<std::string>& ids);
// Every byte is checked.
Result<std::vector<std::string>> read_versions(const Storage& storage, std::string_view name);

}  // namespace ragline
