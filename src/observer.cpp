// Functions of gossip/observer/ that are no templates, compiled once for gossip::compiled.
#include <gossip/observer/detail/accuracy.ipp>
#include <gossip/observer/detail/checkpoints.ipp>
#include <gossip/observer/detail/class_accuracy.ipp>
#include <gossip/observer/detail/json_lines.ipp>
#include <gossip/observer/detail/line_file.ipp>
#include <gossip/observer/detail/named_record.ipp>
#include <gossip/observer/detail/norm_dispersion.ipp>
#include <gossip/observer/detail/progress.ipp>
#include <gossip/observer/detail/record.ipp>
#include <gossip/observer/detail/report.ipp>
#include <gossip/observer/detail/shard_contents.ipp>
#include <gossip/observer/detail/state_copy.ipp>
#include <gossip/observer/detail/state_files.ipp>
