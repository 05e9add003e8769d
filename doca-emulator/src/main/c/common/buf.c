/* SPDX-License-Identifier: Apache-2.0 */
#include "buf.h"
#include "buf_owner.h"
#include "property.h"
#include "sdk_log.h"

static bool
is_head(const struct doca_buf *buf) {
    return buf->list_head == buf;
}

static bool
is_alone(const struct doca_buf *buf) {
    return is_head(buf) && buf->next == NULL;
}

/*
 * References
 */

doca_error_t
doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount) {
    if (!IS_LIVE(buf_class, buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!is_head(buf)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Buf %p: only the head of a list has references", buf);
    }
    if (buf->refcount == UINT16_MAX) {
        return SDK_REFUSE(DOCA_ERROR_TOO_BIG, "Buf %p: has %d references already", buf, UINT16_MAX);
    }
    if (refcount != NULL) {
        *refcount = buf->refcount;
    }
    buf->refcount++;
    return DOCA_SUCCESS;
}

static void
return_list(struct doca_buf *head) {
    struct doca_buf *buf = head;
    while (buf != NULL) {
        struct doca_buf *next = buf->next;
        buf_owner_return(buf);
        buf = next;
    }
}

doca_error_t
doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount) {
    if (buf != NULL && __atomic_load_n(&buf->object.class, __ATOMIC_RELAXED) == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Buf %p: has no reference left", buf);
    }
    if (!IS_LIVE(buf_class, buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!is_head(buf)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Buf %p: only the head of a list has references", buf);
    }
    if (refcount != NULL) {
        *refcount = buf->refcount;
    }
    if (--buf->refcount == 0) {
        return_list(buf);
    }
    return DOCA_SUCCESS;
}

/*
 * Placement
 */

doca_error_t
doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len) {
    if (!IS_LIVE(buf_class, buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (buf->owner->strict && !buf_range_contains(buf->head, buf->len, data, data_len)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf %p: %zu bytes of data at %p leave its %zu bytes at %p", buf,
                          data_len, data, buf->len, buf->head);
    }
    buf->data = data;
    buf->data_len = data_len;
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_set_data_len(struct doca_buf *buf, size_t data_len) {
    if (!IS_LIVE(buf_class, buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return doca_buf_set_data(buf, buf->data, data_len);
}

doca_error_t
doca_buf_reset_data_len(struct doca_buf *buf) {
    if (!IS_LIVE(buf_class, buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    buf->data_len = 0;
    return DOCA_SUCCESS;
}

/*
 * Lists
 */

/* Sets the head of all elements from this one on. */
static void
set_head(struct doca_buf *from, struct doca_buf *head) {
    for (struct doca_buf *buf = from; buf != NULL; buf = buf->next) {
        buf->list_head = head;
    }
}

/*
 * The SDK would turn a list that is chained to itself into a cycle, and the next walk over it would never return. The
 * emulator refuses this in strict mode and otherwise.
 */
doca_error_t
doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2) {
    if (!IS_LIVE(buf_class, list1) || !IS_LIVE(buf_class, list2)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_buf *head = list1->list_head;
    if (head == list2->list_head) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf %p: is in the list of %p already", list2, list1);
    }
    if (!is_head(list2)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Buf %p: is not the head of a list", list2);
    }
    if (list2->refcount != 1) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Buf %p: has %u references, must have 1 to become part of a list",
                          list2, list2->refcount);
    }
    head->list_tail->next = list2;
    head->list_tail = list2->list_tail;
    set_head(list2, head);
    return DOCA_SUCCESS;
}

doca_error_t
doca_buf_chain_list_tail(struct doca_buf *list1_head, struct doca_buf *list1_tail, struct doca_buf *list2) {
    if (!IS_LIVE(buf_class, list1_head) || !IS_LIVE(buf_class, list1_tail)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (is_head(list1_head) && list1_head->list_tail != list1_tail) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf %p: is not the last of the list of %p", list1_tail,
                          list1_head);
    }
    return doca_buf_chain_list(list1_head, list2);
}

doca_error_t
doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2) {
    if (!IS_LIVE(buf_class, list1) || !IS_LIVE(buf_class, list2)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (list1 == list2 || list2->list_head != list1) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Buf %p: is no later part of the list of %p", list2, list1);
    }
    struct doca_buf *last = list1;
    while (last->next != list2) {
        last = last->next;
    }
    last->next = NULL;
    list2->list_tail = list1->list_tail;
    list1->list_tail = last;
    set_head(list2, list2);
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

/* NVIDIA's 2.5 and 3.0 answer 2, not 1. */
doca_error_t
doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first) {
    return GET_PROPERTY(buf_class, buf, is_head(buf) ? 2 : 0, is_first);
}

static uint32_t
count_elements(const struct doca_buf *head) {
    uint32_t num_elements = 0;
    for (const struct doca_buf *buf = head; buf != NULL; buf = buf->next) {
        num_elements++;
    }
    return num_elements;
}

#include <getters/buf.h>
