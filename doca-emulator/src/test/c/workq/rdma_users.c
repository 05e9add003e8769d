/* SPDX-License-Identifier: Apache-2.0 */
/* The peers of the RDMA contexts of this process. Apart, since the headers of their links need those of a later release. */
#include "../rdma_links.h"
#include "rdma_users.h"

int
change_users(int number) {
    add_users(number);
    return check_result();
}
