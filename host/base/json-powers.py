#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes json-powers.c: the first 128 bits of each power of ten that a double needs.

Usage: json-powers.py > json-powers.c
"""

LEAST, MOST = -342, 324


def significand(exponent):
    """10^exponent = f * 2^e with 2^127 <= f < 2^128: the whole part of f."""
    if exponent >= 0:
        power = 10**exponent
        shift = power.bit_length() - 128
        return power >> shift if shift > 0 else power << -shift
    power = 10**-exponent
    # 2^(length + 127) / power lies between 2^127 and 2^128; powers of ten below 1 are never exact.
    return (1 << (power.bit_length() + 127)) // power


print("/* SPDX-License-Identifier: MIT")
print(" *")
print(" * Made by json-powers.py; not to be edited. The exponent of each line stands behind it.")
print(" */")
print('#include "base/json-number.h"')
print()
print("/* clang-format off */")
print("const uint64_t json_powers[JSON_POWER_MOST - JSON_POWER_LEAST + 1][2] = {")
for q in range(LEAST, MOST + 1):
    f = significand(q)
    assert 1 << 127 <= f < 1 << 128
    print(f"\t{{ 0x{f >> 64:016x}, 0x{f & (1 << 64) - 1:016x} }}, /* {q} */")
print("};")
