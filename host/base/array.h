/* SPDX-License-Identifier: MIT */
#ifndef TOOLHOST_ARRAY_H
#define TOOLHOST_ARRAY_H

/* How many elements an array has; not for a pointer to them. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
