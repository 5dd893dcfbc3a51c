#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The plugin headers compile alone, and every macro, in each language and with each compiler, without a warning and
# without padding in any struct; and a field of the wrong type compiles in none, with warnings off too.
# shellcheck disable=SC2086 # a compiler with its options is several words
set -u

source=${TOP_SRCDIR:?}/tests/unit/abi-macros.c
headers=$(echo "$TOP_SRCDIR"/plugin-api/toolhost/*.h)
include=-I$TOP_SRCDIR/plugin-api
strict="-Wall -Wextra -pedantic -Werror"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failures=0
compilers=0

fail()
{
	echo "FAIL: $*"
	sed 's/^/    /' "$log" | head -20
	failures=$((failures + 1))
}

# The rest are options of the compiler and the file.
has_to_compile()
{
	"$@" -fsyntax-only >"$log" 2>&1 || fail "does not compile: $*"
}

must_not_compile()
{
	! "$@" -fsyntax-only >"$log" 2>&1 || fail "compiles: $*"
}

try()
{
	compiler=$1 language=$2 standard=$3
	base="$compiler -std=$standard $include -x $language"

	for header in $headers; do
		has_to_compile $base $strict "$header"
		has_to_compile $base $strict -Wpadded -Wshadow "$header"
	done
	has_to_compile $base $strict -Wshadow "$source"
	for wrong in float int64_t uint64_t "const char *" "struct point" th_maybe_number; do
		must_not_compile $base -w "-DWRONG_TYPE=$wrong" "$source"
	done
	# So the failures above were those of the type.
	has_to_compile $base $strict -DWRONG_TYPE=double "$source"
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	compilers=$((compilers + 1))
	for standard in c99 c11 gnu17; do
		try $compiler c $standard
	done
done
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	compilers=$((compilers + 1))
	for standard in c++11 c++17 c++20; do
		try $compiler c++ $standard
	done
done

[ $compilers -gt 0 ] || { echo "SKIP: neither gcc nor clang is here"; exit 77; }
echo "$compilers compilers, $failures failures"
[ $failures -eq 0 ]
