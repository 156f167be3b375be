# gossip::mpi: Boost.MPI and Boost.Serialization on an MPI library. Sets gossip_mpi_FOUND.
if(NOT TARGET gossip::mpi)
  find_package(Boost 1.71 QUIET CONFIG OPTIONAL_COMPONENTS mpi serialization)
  if(TARGET Boost::mpi AND TARGET Boost::serialization) # FindMPI speaks of what it misses
    find_package(MPI QUIET COMPONENTS CXX)
  endif()
  if(TARGET MPI::MPI_CXX AND TARGET Boost::mpi)
    add_library(gossip_mpi INTERFACE IMPORTED GLOBAL)
    target_link_libraries(gossip_mpi INTERFACE
      gossip::gossip Boost::mpi Boost::serialization MPI::MPI_CXX)
    add_library(gossip::mpi ALIAS gossip_mpi)
  endif()
endif()
set(gossip_mpi_lacks "")
if(NOT TARGET Boost::mpi OR NOT TARGET Boost::serialization)
  list(APPEND gossip_mpi_lacks
    "Boost.MPI and Boost.Serialization 1.71 or later (libboost-mpi-dev libboost-serialization-dev)")
elseif(NOT TARGET MPI::MPI_CXX)
  list(APPEND gossip_mpi_lacks "an MPI library with its compiler mpicxx (libopenmpi-dev)")
endif()
gossip_component(mpi ${gossip_mpi_lacks})
