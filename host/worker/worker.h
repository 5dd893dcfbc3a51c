/* SPDX-License-Identifier: MIT
 *
 * What the modes of toolhost-worker share.
 */
#ifndef TOOLHOST_WORKER_H
#define TOOLHOST_WORKER_H

#define WORKER_CHANNEL 3 /* the descriptor on which a mode answers */

#endif
