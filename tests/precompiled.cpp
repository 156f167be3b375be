// Nothing: CMake precompiles headers for a target that has a source.
