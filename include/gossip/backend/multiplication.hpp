// The precision of matrix products.
#pragma once

namespace gossip {

/// Formats for the factors of a product of 32-bit numbers; sums stay 32 bits wide. All but fp32 are
/// for tensor cores and shorten the mantissa: 10, 7 and 10 bits are left of 23, and fp16 overflows
/// beyond 65,504.
enum class multiplication { fp32, tf32, bf16, fp16 };

}  // namespace gossip
