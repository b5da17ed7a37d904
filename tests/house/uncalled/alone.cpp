// SPDX-License-Identifier: Apache-2.0
// Nothing here is called, so that the linker does not even take this out of the archive.

namespace weft::madeup {

int alone();

int alone() { return 4; }

} // namespace weft::madeup
