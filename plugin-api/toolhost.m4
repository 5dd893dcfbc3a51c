# SPDX-License-Identifier: MIT
#
# TOOLHOST_PACK([MINIMUM-VERSION])
# --------------------------------
# For configure.ac of a tool pack. Looks for toolhost-plugin.pc and sets
#	TOOLHOST_CFLAGS		where the header is, and that nothing is exported but what the header exports
#	TOOLHOST_LDFLAGS	for a libtool module that is a pack
#	packdir			where packs are installed
#
# In Makefile.am:
#	pack_LTLIBRARIES  = greeter.la
#	greeter_la_CFLAGS  = $(TOOLHOST_CFLAGS)
#	greeter_la_LDFLAGS = $(TOOLHOST_LDFLAGS)
AC_DEFUN([TOOLHOST_PACK], [
AC_REQUIRE([PKG_PROG_PKG_CONFIG])dnl
PKG_CHECK_MODULES([TOOLHOST], [toolhost-plugin m4_ifval([$1], [>= $1])])
TOOLHOST_CFLAGS="$TOOLHOST_CFLAGS -fvisibility=hidden"
TOOLHOST_LDFLAGS="-module -avoid-version -shared -no-undefined -Wl,-z,now -Wl,-z,defs"
AC_SUBST([TOOLHOST_LDFLAGS])
PKG_CHECK_VAR([packdir], [toolhost-plugin], [packdir], [],
	[AC_MSG_ERROR([toolhost-plugin.pc does not say where packs are installed])])
])
