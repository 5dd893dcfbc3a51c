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

# TOOLHOST_ARCHIVES
# The libraries that host and worker share become archives, where the compiler's own folders have them. To load a shared
# one takes as long as a dozen calls; of each, a fork copies five mappings, and every child faults its pages in again.
AC_DEFUN([TOOLHOST_ARCHIVES], [
AC_ARG_ENABLE([archives], [AS_HELP_STRING([--disable-archives],
	[link with shared libraries, with which the start and isolated calls are slower])], [], [enable_archives=yes])
TOOLHOST_ARCHIVE([JSONC_LIBS])
TOOLHOST_ARCHIVE([PCRE2_LIBS])
TOOLHOST_ARCHIVE([CONFUSE_LIBS])
TOOLHOST_ARCHIVE([SECCOMP_LIBS])
TOOLHOST_ARCHIVE([LIBLTDL])
])

# TOOLHOST_ARCHIVE(VARIABLE)
# Those in folders of their own, which -L names, stay as they are.
AC_DEFUN([TOOLHOST_ARCHIVE], [
th_library=$(echo $$1)
AS_CASE([$th_library], [*" "*], [], [-l*],
	[th_archive=$($CC -print-file-name="lib${th_library#-l}.a")
	AS_IF([test "$enable_archives" = yes && test -f "$th_archive"], [$1=$th_archive])])
])
])
