// The C part of the runtime, which the stand-in has in one header.
#pragma once

#include <cuda_runtime.h>
