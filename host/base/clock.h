/* SPDX-License-Identifier: MIT
 *
 * Times in nanoseconds. The clock of all deadlines is CLOCK_MONOTONIC.
 */
#ifndef TOOLHOST_CLOCK_H
#define TOOLHOST_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_A_SECOND INT64_C(1000000000)

static inline int64_t clock_ns(struct timespec time)
{
	return time.tv_sec * NS_A_SECOND + time.tv_nsec;
}

/* The same time as pthread_cond_clockwait() and the like take it. */
static inline struct timespec clock_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NS_A_SECOND, .tv_nsec = ns % NS_A_SECOND };
}

static inline int64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return clock_ns(now);
}

#endif
