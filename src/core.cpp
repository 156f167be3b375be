// Functions of gossip/core/ that are no templates, compiled once for gossip::compiled.
#include <gossip/core/compiled.hpp>
#include <gossip/core/detail/error.ipp>
#include <gossip/core/detail/hash.ipp>
#include <gossip/core/detail/lines.ipp>
#include <gossip/core/detail/named_state.ipp>
#include <gossip/core/detail/processor.ipp>
#include <gossip/core/detail/random.ipp>
#include <gossip/core/detail/whole_file.ipp>

namespace gossip::detail {

template <>
char const compiled_as_this_file::here = 0;

void warn_of_library() {
  warn_of_compilation("gossip::compiled");
}

}  // namespace gossip::detail
