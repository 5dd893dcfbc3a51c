#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The template builds as a stranger builds it, from a copy of its folder and the installed .pc file alone, and passes
# `toolhost pack check`; so does a pack with configure and toolhost.m4.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=${TOP_BUILDDIR:?}:$PATH

# What would be installed, with the header still in the source tree.
{
	echo "includedir=${TOP_SRCDIR:?}/plugin-api"
	echo "packdir=/usr/lib/toolhost/packs"
	sed '/^[a-z_]*=/d' "$TOP_BUILDDIR/plugin-api/toolhost-plugin.pc"
} >"$work/toolhost-plugin.pc"
export PATH PKG_CONFIG_PATH="$work"

mkdir "$work/my template"
cp "$TOP_SRCDIR"/plugin-api/template/* "$work/my template"
cd "$work/my template"
make -s CFLAGS="-std=c99 -pedantic -Werror" CXXFLAGS="-std=c++11 -pedantic -Werror"
for pack in greeter.so words.so; do
	exported=$(nm -D --defined-only "$pack" | grep -c -v ' [Wwu] ')
	[ "$exported" = 1 ] || { echo "FAIL: $pack exports $exported symbols"; exit 1; }
done
make -s check
make -s install DESTDIR="$work/root"
[ -f "$work/root/usr/lib/toolhost/packs/greeter.so" ]

greeting=$(toolhost --no-default-packs --pack-dir "$work/my template" call greet '{"name": "Ada"}' | tr -d '\n ')
[ "$greeting" = '{"greetings":["Hello,Ada."]}' ] || { echo "FAIL: $greeting"; exit 1; }

if ! command -v autoconf >/dev/null; then
	echo "without autoconf, toolhost.m4 is not tried"
	exit 0
fi
mkdir "$work/configured"
cd "$work/configured"
cat >configure.ac <<'END'
AC_INIT([greeter], [1.0])
AC_PROG_CC
TOOLHOST_PACK([0.1])
AC_CONFIG_FILES([found])
AC_OUTPUT
END
echo 'cflags="@TOOLHOST_CFLAGS@" ldflags="@TOOLHOST_LDFLAGS@" packdir="@packdir@"' >found.in
aclocal -I "$TOP_SRCDIR/plugin-api"
autoconf
./configure -q
# shellcheck disable=SC1091
. ./found
[ "$packdir" = /usr/lib/toolhost/packs ]
# shellcheck disable=SC2086,SC2154
cc $cflags -fPIC -shared -Wl,-z,now -o greeter.so "$TOP_SRCDIR/plugin-api/template/greeter.c"
case "$ldflags" in *-module*-Wl,-z,now*) ;; *) echo "FAIL: $ldflags"; exit 1 ;; esac
toolhost pack check "$PWD/greeter.so"
