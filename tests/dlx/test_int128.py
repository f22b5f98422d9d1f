"""The kernel's integers of 128 bits, which stand in for `__int128`: against Python's integers."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from folders import KERNEL

COMPILER = shutil.which("c++")

PROGRAM = """
#include <cstdio>
#include "core/int128.hpp"
using dlx::Int128;

Int128 of(long long high, unsigned long long low) { return (Int128(high) << 64) + Int128(low); }

void print(const Int128& number) {
    const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
    const Int128 high = (number - Int128(low)) / (Int128(1) << 64);
    std::printf("%lld %llu ", static_cast<long long>(static_cast<std::int64_t>(high)),
                static_cast<unsigned long long>(low));
}

int main() {
    long long a, c;
    unsigned long long b, d;
    while (std::scanf("%lld %llu %lld %llu", &a, &b, &c, &d) == 4) {
        const Int128 one = of(a, b), other = of(c, d);
        Int128 sum = one, difference = one;
        print(sum += other);
        print(difference -= other);
        print(one * other);
        print(other == 0 ? Int128(0) : one / other);
        print(-one);
        print(one << (d % 127));
        print(Int128(static_cast<double>(one)));
        std::printf("%d %d %d\\n", one < other, one >= other, one == other);
    }
}
"""


def wrapped(number: int) -> int:
    """In two's complement of 128 bits."""
    return (number + 2**127) % 2**128 - 2**127


@pytest.mark.skipif(
    COMPILER is None or not KERNEL.parent.exists(), reason="needs a compiler and sources"
)
def test_arithmetic(tmp_path: Path) -> None:
    (tmp_path / "program.cpp").write_text(PROGRAM)
    command = [str(COMPILER), "-std=c++20", f"-I{KERNEL}", "program.cpp", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True)
    rng = random.Random(1)
    borders = [0, 1, -1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, 2**64, 2**126, -(2**126)]
    numbers = [rng.choice((-1, 1)) * rng.getrandbits(rng.randint(0, 126)) for _ in range(3000)]
    pairs = [(one, other) for one in borders for other in borders]
    pairs += list(zip(numbers, reversed(numbers), strict=True))
    pairs += [(one, one) for one in numbers[:50]]
    lines = [f"{n >> 64} {n % 2**64} {m >> 64} {m % 2**64}" for n, m in pairs]
    done = subprocess.run(
        [tmp_path / "program"], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = done.stdout.splitlines()
    assert len(answers) == len(pairs)
    for (one, other), answer in zip(pairs, answers, strict=True):
        *halves, less, not_less, equal = map(int, answer.split())
        found = [(high << 64) + low for high, low in zip(halves[::2], halves[1::2], strict=True)]
        quotient = abs(one) // abs(other) if other else 0
        assert found[:6] == [
            wrapped(one + other),
            wrapped(one - other),
            wrapped(one * other),
            quotient if one * other >= 0 else -quotient,
            wrapped(-one),
            wrapped(one << (other % 2**64 % 127)),
        ]
        assert abs(found[6] - one) <= abs(one) >> 51  # it went through a double and back
        assert (less, not_less, equal) == (one < other, one >= other, one == other)
