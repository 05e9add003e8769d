/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "capabilities.h"
#include "cq.h"
#include "device.h"
#include "engine.h"
#include "interface.h"
#include "key.h"
#include "log.h"
#include "network.h"
#include "object.h"
#include "peer.h"
#include "pool.h"
#include "qp.h"
#include "settings.h"

/* Distinguishes, in a program's log, commands that the card refuses from those that a test makes it refuse. */
enum {
    SYNDROME_REFUSED = 0xfc0001,
    SYNDROME_NOT_EXPORTED = 0xfc0002,
    SYNDROME_ACCESS_KEY = 0xfc0003,
    SYNDROME_NO_SUCH_KEY = 0xfc0004,
    SYNDROME_OPERATION = 0xfc0005,
};

static int
refuse(void *out, enum card_status status, uint32_t syndrome) {
    card_set_bits(out, 0, 8, status);
    card_set_bits(out, CARD_OUT_SYNDROME, 32, syndrome);
    errno = EREMOTEIO;
    return EREMOTEIO;
}

static int
allow_access(struct ibv_context *context, const void *in, void *out) {
    const uint32_t number = (uint32_t)card_bits(in, CARD_ALLOW_NUMBER, 32);
    card_lock();
    const int error = card_export_key(number, card_vhca(card_function(context)),
                                      (const uint8_t *)in + CARD_ALLOW_ACCESS_KEY_BYTE);
    card_unlock();
    if (error != 0) {
        card_log(CARD_LOG_FAULTS, "key %u cannot be exported: %s", number, strerror(error));
        return refuse(out, CARD_STATUS_BAD_RESOURCE, SYNDROME_NO_SUCH_KEY);
    }
    return 0;
}

int
mlx5dv_devx_general_cmd(struct ibv_context *context, const void *in, size_t in_size, void *out, size_t out_size) {
    const int command = (int)card_bits(in, CARD_IN_OPCODE, 16);
    (void)in_size;
    memset(out, 0, out_size);
    card_log(CARD_LOG_COMMANDS, "command 0x%x", command);
    switch (command) {
    case CARD_QUERY_HCA_CAP:
        card_query_capabilities(card_function(context), in, out, out_size);
        return 0;
    case CARD_QUERY_NIC_VPORT_CONTEXT:
        card_query_vport(card_function(context), out, out_size);
        return 0;
    case CARD_QUERY_ROCE_ADDRESS:
        card_query_roce_address(card_function(context), in, out, out_size);
        return 0;
    case CARD_ALLOW_OTHER_VHCA_ACCESS:
        return allow_access(context, in, out);
    case CARD_ALLOC_PACKET_REFORMAT:
    case CARD_ALLOC_MODIFY_HEADER:
        return refuse(out, CARD_STATUS_BAD_OPERATION, SYNDROME_OPERATION);
    default:
        /* Queries of ports and tables, for which zeros are a valid reply. */
        return 0;
    }
}

static struct mlx5dv_devx_obj *
create_alias(const void *in, void *out) {
    const struct card_export *source = card_acquire_export((uint32_t)card_bits(in, CARD_ALIAS_VHCA, 16),
                                                           (uint32_t)card_bits(in, CARD_ALIAS_NUMBER, 32),
                                                           (const uint8_t *)in + CARD_ALIAS_ACCESS_KEY_BYTE);
    if (source == NULL) {
        card_log(CARD_LOG_COMMANDS, "key %u of function %u: %s", (unsigned int)card_bits(in, CARD_ALIAS_NUMBER, 32),
                 (unsigned int)card_bits(in, CARD_ALIAS_VHCA, 16), strerror(errno));
        if (errno == EACCES) {
            refuse(out, CARD_STATUS_BAD_PARAMETER, SYNDROME_ACCESS_KEY);
        } else {
            refuse(out, CARD_STATUS_BAD_RESOURCE, SYNDROME_NOT_EXPORTED);
        }
        return NULL;
    }
    struct mlx5dv_devx_obj *alias = card_create_alias(source);
    if (alias == NULL) {
        card_release_export(source);
    }
    return alias;
}

static struct mlx5dv_devx_obj *
create_other(void) {
    struct mlx5dv_devx_obj *object = calloc(1, sizeof(*object));
    if (object != NULL) {
        object->kind = CARD_KIND_OTHER;
        object->number = card_new_number(CARD_KIND_OTHER);
    }
    return object;
}

static struct mlx5dv_devx_obj *
create(const void *in, size_t in_size, void *out) {
    switch ((int)card_bits(in, CARD_IN_OPCODE, 16)) {
    case CARD_CREATE_MKEY:
        return card_create_key(in, in_size);
    case CARD_CREATE_CQ:
        card_start_engine();
        return card_create_cq(in);
    case CARD_CREATE_RECEIVE_POOL:
        return card_create_pool(in);
    case CARD_CREATE_QP:
        card_start_engine();
        return card_create_qp(in);
    case CARD_CREATE_GENERAL_OBJECT:
        if (card_bits(in, CARD_IN_OPERATION, 16) == CARD_GENERAL_ALIAS) {
            return create_alias(in, out);
        }
        return create_other();
    default:
        return create_other();
    }
}

struct mlx5dv_devx_obj *
mlx5dv_devx_obj_create(struct ibv_context *context, const void *in, size_t in_size, void *out, size_t out_size) {
    const int command = (int)card_bits(in, CARD_IN_OPCODE, 16);
    (void)context;
    memset(out, 0, out_size);
    if (command == card_settings()->refused_command) {
        refuse(out, CARD_STATUS_BAD_STATE, SYNDROME_REFUSED);
        return NULL;
    }
    card_lock();
    errno = ENOMEM;
    struct mlx5dv_devx_obj *object = create(in, in_size, out);
    if (object != NULL) {
        card_add_object(object);
        if (command == CARD_CREATE_GENERAL_OBJECT || object->kind == CARD_KIND_OTHER) {
            card_set_bits(out, CARD_OUT_GENERAL_NUMBER, 32, object->number);
        } else {
            card_set_bits(out, CARD_OUT_NUMBER, 24, object->number);
        }
    }
    card_unlock();
    card_log(CARD_LOG_COMMANDS, "command 0x%x creates %u", command, object == NULL ? 0 : object->number);
    return object;
}

int
mlx5dv_devx_obj_query(struct mlx5dv_devx_obj *object, const void *in, size_t in_size, void *out, size_t out_size) {
    (void)in_size;
    memset(out, 0, out_size);
    if (object->kind == CARD_KIND_QP && card_bits(in, CARD_IN_OPCODE, 16) == CARD_QUERY_QP) {
        card_lock();
        card_set_bits(out, CARD_QUERY_QP_STATE, 4, ((const struct card_qp *)object)->state);
        card_unlock();
    }
    return 0;
}

int
mlx5dv_devx_obj_modify(struct mlx5dv_devx_obj *object, const void *in, size_t in_size, void *out, size_t out_size) {
    const int command = (int)card_bits(in, CARD_IN_OPCODE, 16);
    (void)in_size;
    memset(out, 0, out_size);
    card_lock();
    const bool known = object->kind == CARD_KIND_QP && card_move_qp(object, (enum card_command)command, in);
    card_unlock();
    card_log(CARD_LOG_COMMANDS, "command 0x%x %s %u", command, known ? "moves queue pair" : "does nothing with object",
             object->number);
    return 0;
}

int
mlx5dv_devx_obj_destroy(struct mlx5dv_devx_obj *object) {
    card_log(CARD_LOG_COMMANDS, "object %u of kind %d is destroyed", object->number, (int)object->kind);
    card_lock();
    card_remove_object(object);
    if (object->kind == CARD_KIND_KEY) {
        card_free_key(object);
    } else if (object->kind == CARD_KIND_QP) {
        card_free_qp(object);
    } else if (object->kind == CARD_KIND_CQ) {
        card_free_cq(object);
    } else {
        free(object);
    }
    card_unlock();
    return 0;
}
