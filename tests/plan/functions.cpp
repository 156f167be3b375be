// Functions that a plan names, and their numbers.
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/plan/function_names.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <typeinfo>
#include <vector>

#include "../exchange/late_functions.hpp"
#include "plans.hpp"

using namespace gossip::test;
using gossip::function_kind;
using gossip::function_names;
using gossip::library_functions;
using gossip::named_function;

namespace {

/// The types of functions that are no function of the library.
std::vector<std::type_info const *> own(std::vector<named_function> const &named) {
  std::vector<std::type_info const *> types;
  for (auto const &[number, entry] : named)
    for (auto const *type :
         {&typeid(shrunk), &typeid(bent), &typeid(fourth_power), &typeid(damping)})
      if (*entry->type == *type) types.push_back(type);
  return types;
}

}  // namespace

TEST_CASE("functions of one's own have numbers behind the library's, as they are first named",
          "[plan]") {
  function_names names({}, false);
  std::vector<named_function> named;
  constexpr std::size_t library = library_functions::size;
  CHECK(names.number<bent>(named) == library);
  CHECK(names.number<gossip::op::clear>(named) == library_functions::number_of<gossip::op::clear>);
  CHECK(names.number<shrunk>(named) == library + 1);
  CHECK(names.number<bent>(named) == library);
  CHECK(names.number<fourth_power>(named) == gossip::library_reductions::size);
  CHECK(names.number<damping>(named) == gossip::library_scalars::size);
  REQUIRE(named.size() == 5);  // each once
  CHECK(named[0].number == library);
  CHECK(*named[0].entry->type == typeid(bent));
  CHECK(named[0].entry->kind() == function_kind::column);
  CHECK(*named[1].entry->type == typeid(gossip::op::clear));
  CHECK(named[3].entry->kind() == function_kind::row);
  CHECK(named[4].entry->kind() == function_kind::scalar);
}

TEST_CASE("functions that an exchange lists have numbers in the order of the list", "[plan]") {
  struct listing {
    using functions = gossip::function_list<shrunk, damping, gossip::op::clear, fourth_power, bent>;
  };
  auto const listed = gossip::functions_listed_by<listing>;
  using of_device = gossip::functions_of<listing>;
  for (bool const closed : {false, true}) {
    function_names names(listed, closed);
    std::vector<named_function> named;
    CHECK(names.number<bent>(named) == of_device::columns::number_of<bent>);
    CHECK(names.number<shrunk>(named) == of_device::columns::number_of<shrunk>);
    CHECK(names.number<gossip::op::clear>(named) ==
          of_device::columns::number_of<gossip::op::clear>);
    CHECK(names.number<damping>(named) == of_device::scalars::number_of<damping>);
    CHECK(named.size() == 4);
  }
  CHECK(of_device::columns::size == library_functions::size + 2);
}

TEST_CASE("a device's plan refuses a function that its exchange does not list", "[plan]") {
  struct listing {
    using functions = gossip::function_list<shrunk>;
  };
  function_names names(gossip::functions_listed_by<listing>, true);
  std::vector<named_function> named;
  CHECK_NOTHROW(names.number<shrunk>(named));
  CHECK_THROWS_WITH(names.number<bent>(named),
                    "exchange: names the function gossip::test::bent, which a device does not "
                    "know; expected it in using functions = gossip::function_list<...> of the "
                    "exchange, or of the basic_any_exchange that holds it. See "
                    "docs/policies/exchange.md");
}

TEST_CASE("a window has the functions that it is the first to name", "[plan]") {
  auto settings = rounds_of(6, 8);
  settings.row_bytes = settings.message_bytes;
  gossip::planner<late_functions> plan(
      {}, gossip::ring{6}.build(),
      gossip::virtual_clock{.compute = gossip::constant_time{}, .network = instant()}, settings);
  std::vector<std::vector<std::type_info const *>> seen;
  for (gossip::plan_window window; plan.next(window, (seen.size() + 1) * 6);)
    seen.push_back(own(window.functions));
  REQUIRE(seen.size() == 8);
  using types = std::vector<std::type_info const *>;
  for (std::size_t k = 0; k < 8; ++k)
    CHECK(seen[k] == (k == 2   ? types{&typeid(shrunk)}
                      : k == 5 ? types{&typeid(fourth_power), &typeid(damping), &typeid(bent)}
                               : types{}));
}
