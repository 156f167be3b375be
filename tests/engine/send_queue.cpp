// The order in which rows leave a rank.
#include <gossip/engine/distributed/send_queue.hpp>

#include <vector>

#include "../catch.hpp"

using namespace gossip;

TEST_CASE("the last room is for the first send that has not ended", "[engine]") {
  std::vector<rank_task> tasks(6);
  for (std::uint32_t const t : {1, 3, 4}) tasks[t].kind = task_kind::send;
  send_queue sends;
  sends.begin(tasks);
  CHECK(sends.next(4) == send_queue::none);
  sends.push(4);
  CHECK(sends.next(0) == send_queue::none);
  CHECK(sends.next(1) == send_queue::none);  // 1 may be waited for by all others
  CHECK(sends.next(2) == 4);
  sends.push(3);
  sends.push(1);
  CHECK(sends.next(2) == 1);  // in the order of the stream
  CHECK(sends.next(1) == send_queue::none);
  sends.end(4);
  CHECK(sends.next(1) == send_queue::none);
  sends.end(1);
  CHECK(sends.next(1) == 3);
  sends.end(3);
  CHECK(sends.next(9) == send_queue::none);

  sends.begin(tasks);  // of another window
  sends.push(3);
  CHECK(sends.next(1) == send_queue::none);
  sends.push(1);
  CHECK(sends.next(1) == 1);
}
