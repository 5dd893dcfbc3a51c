/* SPDX-License-Identifier: MIT */
#ifndef TOOLHOST_SCAN_H
#define TOOLHOST_SCAN_H

/* toolhost-worker scan FILE: loads the pack behind walls, and writes one object to the channel,
 * {"manifest": {...}} or {"refused": "why, and what to do"}. Does not return. */
int scan_main(int count, char **arguments);

#endif
