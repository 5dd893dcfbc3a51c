/* SPDX-License-Identifier: MIT
 *
 * What comes of a call, and the policy that decides where it runs.
 */
#include "config.h"

#include "execute/execute.h"

#include "base/settings.h"

#include <stdlib.h>
#include <string.h>

void outcome_free(struct outcome *outcome)
{
	error_clear(&outcome->error);
	free(outcome->result);
	free(outcome->content);
	free(outcome->warnings);
	json_drop(outcome->repaired);
	memset(outcome, 0, sizeof(*outcome));
}
