// expect: gossip::quadratic: it is computed on the host, which cannot read a GPU's memory
#include <gossip/data/batch_source.hpp>
#include <gossip/model/quadratic.hpp>

struct host_worker {};
struct gpu_worker {
  static constexpr bool on_gpu = true;
};

#ifdef GOSSIP_FAILS
using worker = gpu_worker;
#else
using worker = host_worker;
#endif

void run(worker &one, gossip::training_task<float, gossip::no_samples> const &task) {
  gossip::quadratic<3>{}.gradient(one, task);
}
