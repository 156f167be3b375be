// The zoo in double.
#include "train.hpp"

template gossip::parity::json gossip::parity::train_zoo<double>(std::string const &,
                                                                dataset const &);
