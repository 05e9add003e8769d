/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_INTERFACE_H
#define CARD_INTERFACE_H

/*
 * Numbers of the mlx5 device interface that are missing in the public headers of rdma-core: commands, and the offsets
 * of the fields that the fake card reads and writes. Offsets are in bits, from the start of a command's input unless
 * stated otherwise.
 */

enum card_command {
    CARD_QUERY_HCA_CAP = 0x100,
    CARD_CREATE_MKEY = 0x200,
    CARD_CREATE_CQ = 0x400,
    CARD_CREATE_QP = 0x500,
    CARD_RST_TO_INIT_QP = 0x502,
    CARD_INIT_TO_RTR_QP = 0x503,
    CARD_RTR_TO_RTS_QP = 0x504,
    CARD_RTS_TO_RTS_QP = 0x505,
    CARD_ANY_TO_ERR_QP = 0x507,
    CARD_ANY_TO_RST_QP = 0x50a,
    CARD_QUERY_QP = 0x50b,
    CARD_QUERY_NIC_VPORT_CONTEXT = 0x754,
    CARD_QUERY_ROCE_ADDRESS = 0x760,
    CARD_CREATE_RECEIVE_POOL = 0x90c,
    CARD_CREATE_GENERAL_OBJECT = 0xa00,
    CARD_ALLOW_OTHER_VHCA_ACCESS = 0xb16,
    /* Both of packet processing, which the card does not have. */
    CARD_ALLOC_PACKET_REFORMAT = 0xb22,
    CARD_ALLOC_MODIFY_HEADER = 0xb23,
};

/* In the first byte of a command's output. */
enum card_status {
    CARD_STATUS_OK = 0x0,
    CARD_STATUS_BAD_OPERATION = 0x2,
    CARD_STATUS_BAD_PARAMETER = 0x3,
    CARD_STATUS_BAD_STATE = 0x4,
    CARD_STATUS_BAD_RESOURCE = 0x5,
};

/* All commands. */
enum {
    CARD_IN_OPCODE = 0,
    CARD_IN_OPERATION = 48,
    CARD_OUT_SYNDROME = 32,
    CARD_OUT_NUMBER = 72,
    CARD_OUT_GENERAL_NUMBER = 64,
};

/* CARD_QUERY_NIC_VPORT_CONTEXT, from the start of its output. */
enum {
    CARD_VPORT_MAC_HIGH = 2096,
    CARD_VPORT_MAC_LOW = 2112,
};

/* CARD_QUERY_ROCE_ADDRESS: the index, and the other fields from the start of its output. */
enum {
    CARD_ROCE_INDEX = 64,
    CARD_ROCE_ADDRESS_BYTE = 16,
    CARD_ROCE_MAC_HIGH = 272,
    CARD_ROCE_MAC_LOW = 288,
    CARD_ROCE_L3_TYPE = 340,
    CARD_ROCE_VERSION = 344,
    CARD_ROCE_L3_IPV4 = 0,
    CARD_ROCE_L3_IPV6 = 1,
    CARD_ROCE_V1 = 0,
    CARD_ROCE_V2 = 2,
};

/* CARD_CREATE_GENERAL_OBJECT: the alias of another function's object. */
enum {
    CARD_GENERAL_ALIAS = 0xff01,
    CARD_ALIAS_VHCA = 128,
    CARD_ALIAS_NUMBER = 160,
    CARD_ALIAS_ACCESS_KEY_BYTE = 32,
};

/* CARD_ALLOW_OTHER_VHCA_ACCESS. */
enum {
    CARD_ALLOW_NUMBER = 160,
    CARD_ALLOW_ACCESS_KEY_BYTE = 32,
    CARD_ACCESS_KEY_BYTES = 32,
};

/* CARD_CREATE_MKEY. */
enum {
    CARD_MKEY_MODE_HIGH = 131,
    CARD_MKEY_ATOMIC = 145,
    CARD_MKEY_REMOTE_WRITE = 146,
    CARD_MKEY_REMOTE_READ = 147,
    CARD_MKEY_LOCAL_WRITE = 148,
    CARD_MKEY_MODE_LOW = 150,
    CARD_MKEY_VARIANT = 184,
    CARD_MKEY_ALL_MEMORY = 224,
    CARD_MKEY_START = 256,
    CARD_MKEY_LENGTH = 320,
    CARD_MKEY_TRANSLATIONS = 768,
    CARD_MKEY_UMEM = 800,
    CARD_MKEY_UMEM_OFFSET = 832,
    CARD_MKEY_TRANSLATION_BYTE = 272,
    CARD_MKEY_MODE_KLM = 2,
    /* The start of the properties of the key, which the fields from CARD_MKEY_MODE_HIGH to CARD_MKEY_LENGTH belong to. */
    CARD_MKEY_PROPERTIES = 128,
};

/* An entry of an indirect key, from its own start. */
enum {
    CARD_KLM_LENGTH = 0,
    CARD_KLM_KEY = 32,
    CARD_KLM_ADDRESS = 64,
    CARD_KLM_BYTES = 16,
};

/* CARD_CREATE_CQ. */
enum {
    CARD_CQ_ENTRY_SIZE = 136,
    CARD_CQ_DOORBELL_UMEM = 160,
    CARD_CQ_LOG_ENTRIES = 227,
    CARD_CQ_DOORBELL_OFFSET = 576,
    CARD_CQ_UMEM_OFFSET = 640,
    CARD_CQ_UMEM = 704,
};

/* CARD_CREATE_QP. */
enum {
    CARD_QP_LOG_RECEIVES = 265,
    CARD_QP_RECEIVE_STRIDE = 269,
    CARD_QP_NO_SEND_QUEUE = 272,
    CARD_QP_LOG_SENDS = 273,
    CARD_QP_USER_INDEX = 328,
    CARD_QP_SEND_CQ = 1192,
    CARD_QP_RECEIVE_CQ = 1448,
    CARD_QP_DOORBELL_OFFSET = 1472,
    CARD_QP_RECEIVE_TYPE = 1573,
    CARD_QP_RECEIVE_POOL = 1576,
    CARD_QP_DOORBELL_UMEM = 2016,
    CARD_QP_UMEM_OFFSET = 2048,
    CARD_QP_UMEM = 2112,
};

/* The possible values of CARD_QP_RECEIVE_TYPE. */
enum card_receive_type {
    CARD_RECEIVES_OWN = 0,
    CARD_RECEIVES_OF_POOL = 1,
};

/* CARD_CREATE_RECEIVE_POOL. */
enum {
    CARD_POOL_TYPE = 640,
    CARD_POOL_DOORBELL_OFFSET = 768,
    CARD_POOL_LOG_STRIDE = 908,
    CARD_POOL_LOG_RECEIVES = 923,
    CARD_POOL_DOORBELL_UMEM = 960,
    CARD_POOL_UMEM = 992,
    CARD_POOL_UMEM_OFFSET = 1024,
    /* Each receive contains the index of its successor. */
    CARD_POOL_TYPE_LINKED = 0,
};

/* Commands that move a queue pair to another state. */
enum {
    CARD_MOVE_REMOTE_QP = 360,
    CARD_MOVE_RNR_RETRY = 1104,
    CARD_MOVE_REMOTE_READ = 1360,
    CARD_MOVE_REMOTE_WRITE = 1361,
    CARD_MOVE_REMOTE_ATOMIC = 1362,
};

/* CARD_QUERY_QP, from the start of its output. */
enum {
    CARD_QUERY_QP_STATE = 192,
};

enum card_qp_state {
    CARD_QP_RESET = 0,
    CARD_QP_INIT = 1,
    CARD_QP_READY_TO_RECEIVE = 2,
    CARD_QP_READY_TO_SEND = 3,
    CARD_QP_ERROR = 6,
};

/* A copy by the DMA engine: the last two segments of the work request are its source and its destination. */
enum {
    CARD_OPCODE_MMO = 0x2f,
    CARD_MMO_SOURCE_BYTE = 32,
    CARD_MMO_TARGET_BYTE = 48,
};

/*
 * A request that changes a key: after its header come the selection of changes, the properties of the key, and the entries
 * of the key or a segment with their place in memory.
 */
enum {
    CARD_CHANGE_SELECTION_BYTE = 16,
    CARD_CHANGE_PROPERTIES_BYTE = 64,
    CARD_CHANGE_ENTRIES_BYTE = 128,
};

#endif
