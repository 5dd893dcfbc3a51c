/* SPDX-License-Identifier: MIT
 *
 * References (RFC 3986, section 5).
 */
#ifndef TOOLHOST_URI_H
#define TOOLHOST_URI_H

#include "base/arena.h"

#include <stdbool.h>

/* `reference` against `base`, without its fragment; *ret_fragment is what stands behind the #,
 * percent-decoded, or NULL where there is none. Both are of the arena. NULL: no memory, or a
 * fragment that is wrongly encoded. */
const char *uri_resolve(struct arena *arena, const char *base, const char *reference,
			const char **ret_fragment);

bool uri_is_absolute(const char *uri); /* it has a scheme */

#endif
