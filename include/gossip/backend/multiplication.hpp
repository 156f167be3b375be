// The precision of matrix products.
#pragma once

namespace gossip {

/// What the factors of a product of 32-bit numbers may be rounded to; sums stay 32 bits wide. The
/// others are for tensor cores and lose what the mantissa says: 10, 7 and 10 bits are left of 23,
/// and fp16 overflows beyond 65,504.
enum class multiplication { fp32, tf32, bf16, fp16 };

}  // namespace gossip
