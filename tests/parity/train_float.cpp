// The zoo in float.
#include "train.hpp"

template gossip::parity::json gossip::parity::train_zoo<float>(std::string const &,
                                                               dataset const &);
