# TOOLHOST_COMPILER_FLAGS
# Warnings and hardening for everything that is compiled here, in TH_CFLAGS and TH_CXXFLAGS.
AC_DEFUN([TOOLHOST_COMPILER_FLAGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [warnings are errors])], [], [enable_werror=no])
TH_WARNINGS="-Wall -Wextra"
AS_IF([test "$enable_werror" = yes], [TH_WARNINGS="$TH_WARNINGS -Werror"])
TH_CFLAGS="-std=gnu11 $TH_WARNINGS -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -fno-math-errno -fvisibility=hidden"
TH_CXXFLAGS="-std=c++17 $TH_WARNINGS -fvisibility=hidden"
AC_SUBST([TH_CFLAGS])
AC_SUBST([TH_CXXFLAGS])
])

# TOOLHOST_SANITIZERS
# --enable-asan: AddressSanitizer and UBSan. --enable-fuzz: libFuzzer targets, with clang.
AC_DEFUN([TOOLHOST_SANITIZERS], [
AC_ARG_ENABLE([asan], [AS_HELP_STRING([--enable-asan], [build with AddressSanitizer and UBSan])], [], [enable_asan=no])
AC_ARG_ENABLE([fuzz], [AS_HELP_STRING([--enable-fuzz], [build the libFuzzer targets (needs clang)])], [], [enable_fuzz=no])
th_sanitizers=none
TH_SANITIZE=
AS_IF([test "$enable_asan" = yes], [
	TH_SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	th_sanitizers="address, undefined"
	AC_DEFINE([TH_ASAN], [1], [Built with AddressSanitizer: limits on memory cannot be borne])])
AS_IF([test "$enable_fuzz" = yes], [
	TH_SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
	th_sanitizers="fuzzer, address, undefined"
	AC_DEFINE([TH_ASAN], [1])])
AM_CONDITIONAL([ASAN], [test "$enable_asan" = yes])
AM_CONDITIONAL([FUZZ], [test "$enable_fuzz" = yes])
# A pack has no undefined symbols but those of its libraries; with clang the sanitizers' are in the program.
TH_NO_UNDEFINED=-Wl,-z,defs
AS_IF([test -n "$TH_SANITIZE"], [TH_NO_UNDEFINED=])
AC_SUBST([TH_NO_UNDEFINED])
AC_SUBST([TH_SANITIZE])
])

# TOOLHOST_WORKER_LIBRARIES
# What the worker is linked with, in WORKER_LIBS: archives, where the compiler's own folders have them. Of a shared
# library each fork copies five mappings, and each child faults its pages in again, which is a fifth of an isolated call.
AC_DEFUN([TOOLHOST_WORKER_LIBRARIES], [
AC_ARG_ENABLE([static-worker], [AS_HELP_STRING([--disable-static-worker],
	[link the worker with shared libraries, with which isolated calls are slower])], [], [enable_static_worker=yes])
WORKER_LIBS=
for th_library in $JSONC_LIBS $LIBLTDL $SECCOMP_LIBS $PCRE2_LIBS; do
	AS_CASE([$th_library],
		[-L*], [enable_static_worker=no],
		[-l*], [th_archive=$($CC -print-file-name="lib${th_library#-l}.a")
			AS_IF([test "$enable_static_worker" = yes && test -f "$th_archive"], [th_library=$th_archive])])
	WORKER_LIBS="$WORKER_LIBS $th_library"
done
AC_SUBST([WORKER_LIBS])
])
