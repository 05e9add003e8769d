/* SPDX-License-Identifier: Apache-2.0 */
/* The native part of JniDma: one DMA context, a task for each index, and a call into Java for each completion. */
#include <jni.h>
#include <stdbool.h>
#include <stdlib.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_docajava_benchmarks_peer_jni_JniDma_##name

struct slot {
    struct doca_task *task;
    struct doca_buf *src;
    struct doca_buf *dst;
    bool in_flight;
};

struct jni_dma {
    struct doca_dev *dev;
    struct doca_mmap *source;
    struct doca_mmap *target;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct slot *slots;
    uint32_t depth;
    uint32_t num_in_flight;
    /* The first failure of a copy. */
    doca_error_t failure;
    /* Valid during a call of progress; NULL if completions must not be reported. */
    JNIEnv *env;
    jobject listener;
};

static jmethodID completed;

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved) {
    JNIEnv *env;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) {
        return JNI_ERR;
    }
    jclass type = (*env)->FindClass(env, "io/docajava/benchmarks/peer/jni/JniDma");
    if (type == NULL) {
        return JNI_ERR;
    }
    completed = (*env)->GetMethodID(env, type, "completed", "(I)V");
    return completed == NULL ? JNI_ERR : JNI_VERSION_10;
}

static void
throw_state(JNIEnv *env, const char *message) {
    jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, message);
    }
}

/*
 * Completions
 */

static void
end(struct jni_dma *dma, struct slot *slot) {
    slot->in_flight = false;
    dma->num_in_flight--;
}

static void
succeeded(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    struct jni_dma *dma = ctx_data.ptr;
    struct slot *slot = &dma->slots[task_data.u64];

    (void)task;
    end(dma, slot);
    doca_buf_reset_data_len(slot->dst);
    if (dma->env != NULL && !(*dma->env)->ExceptionCheck(dma->env)) {
        (*dma->env)->CallVoidMethod(dma->env, dma->listener, completed, (jint)task_data.u64);
    }
}

static void
failed(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    struct jni_dma *dma = ctx_data.ptr;

    end(dma, &dma->slots[task_data.u64]);
    if (dma->failure == DOCA_SUCCESS) {
        dma->failure = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    }
}

/* Life cycle. The first failure aborts the operation, and the objects created so far can be destroyed. */

#define RETURN_FAILURE(call)                \
    do {                                    \
        const doca_error_t result_ = (call); \
        if (result_ != DOCA_SUCCESS) {      \
            return result_;                 \
        }                                   \
    } while (0)

static bool
is_wanted(const struct doca_devinfo *devinfo, const char *pci_addr) {
    uint8_t is_equal = 0;

    if (pci_addr == NULL) {
        return doca_dma_cap_task_memcpy_is_supported(devinfo) == DOCA_SUCCESS;
    }
    return doca_devinfo_is_equal_pci_addr(devinfo, pci_addr, &is_equal) == DOCA_SUCCESS && is_equal != 0;
}

static doca_error_t
open_device(struct jni_dma *dma) {
    const char *pci_addr = getenv("DOCA_BENCH_PCI");
    struct doca_devinfo **devices;
    uint32_t num_devices;
    doca_error_t result = DOCA_ERROR_NOT_FOUND;

    RETURN_FAILURE(doca_devinfo_create_list(&devices, &num_devices));
    for (uint32_t i = 0; i < num_devices && result == DOCA_ERROR_NOT_FOUND; i++) {
        if (is_wanted(devices[i], pci_addr)) {
            result = doca_dev_open(devices[i], &dma->dev);
        }
    }
    doca_devinfo_destroy_list(devices);
    return result;
}

static doca_error_t
map(struct jni_dma *dma, void *memory, size_t len, uint32_t permissions, struct doca_mmap **mmap) {
    RETURN_FAILURE(doca_mmap_create(mmap));
    RETURN_FAILURE(doca_mmap_add_dev(*mmap, dma->dev));
    RETURN_FAILURE(doca_mmap_set_permissions(*mmap, permissions));
    RETURN_FAILURE(doca_mmap_set_memrange(*mmap, memory, len));
    return doca_mmap_start(*mmap);
}

static doca_error_t
start_context(struct jni_dma *dma) {
    RETURN_FAILURE(doca_pe_create(&dma->pe));
    RETURN_FAILURE(doca_dma_create(dma->dev, &dma->dma));
    struct doca_ctx *ctx = doca_dma_as_ctx(dma->dma);
    RETURN_FAILURE(doca_pe_connect_ctx(dma->pe, ctx));
    RETURN_FAILURE(doca_dma_task_memcpy_set_conf(dma->dma, succeeded, failed, dma->depth));
    RETURN_FAILURE(doca_ctx_set_user_data(ctx, (union doca_data){.ptr = dma}));
    return doca_ctx_start(ctx);
}

static doca_error_t
make_task(struct jni_dma *dma, uint32_t index, uint8_t *source, uint8_t *target, size_t size) {
    struct slot *slot = &dma->slots[index];
    const size_t offset = index * size;
    struct doca_dma_task_memcpy *task;

    RETURN_FAILURE(
            doca_buf_inventory_buf_get_by_data(dma->inventory, dma->source, source + offset, size, &slot->src));
    RETURN_FAILURE(
            doca_buf_inventory_buf_get_by_addr(dma->inventory, dma->target, target + offset, size, &slot->dst));
    RETURN_FAILURE(
            doca_dma_task_memcpy_alloc_init(dma->dma, slot->src, slot->dst, (union doca_data){.u64 = index}, &task));
    slot->task = doca_dma_task_memcpy_as_task(task);
    return DOCA_SUCCESS;
}

static doca_error_t
open_all(struct jni_dma *dma, uint8_t *source, uint8_t *target, size_t size) {
    RETURN_FAILURE(open_device(dma));
    RETURN_FAILURE(map(dma, source, size * dma->depth, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, &dma->source));
    RETURN_FAILURE(map(dma, target, size * dma->depth, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, &dma->target));
    RETURN_FAILURE(doca_buf_inventory_create(2 * (size_t)dma->depth, &dma->inventory));
    RETURN_FAILURE(doca_buf_inventory_start(dma->inventory));
    RETURN_FAILURE(start_context(dma));
    for (uint32_t i = 0; i < dma->depth; i++) {
        RETURN_FAILURE(make_task(dma, i, source, target, size));
    }
    return DOCA_SUCCESS;
}

static void
stop_context(struct jni_dma *dma) {
    struct doca_ctx *ctx = doca_dma_as_ctx(dma->dma);
    enum doca_ctx_states state;

    while (dma->num_in_flight > 0) {
        (void)doca_pe_progress(dma->pe);
    }
    for (uint32_t i = 0; i < dma->depth; i++) {
        if (dma->slots[i].task != NULL) {
            doca_task_free(dma->slots[i].task);
        }
    }
    doca_ctx_stop(ctx);
    while (doca_ctx_get_state(ctx, &state) == DOCA_SUCCESS && state != DOCA_CTX_STATE_IDLE) {
        (void)doca_pe_progress(dma->pe);
    }
    doca_dma_destroy(dma->dma);
}

static void
release_buffers(struct jni_dma *dma) {
    for (uint32_t i = 0; i < dma->depth; i++) {
        if (dma->slots[i].src != NULL) {
            doca_buf_dec_refcount(dma->slots[i].src, NULL);
        }
        if (dma->slots[i].dst != NULL) {
            doca_buf_dec_refcount(dma->slots[i].dst, NULL);
        }
    }
    doca_buf_inventory_destroy(dma->inventory);
}

/* Destroys all objects. */
static void
close_all(struct jni_dma *dma) {
    if (dma->dma != NULL) {
        stop_context(dma);
    }
    if (dma->pe != NULL) {
        doca_pe_destroy(dma->pe);
    }
    if (dma->inventory != NULL) {
        release_buffers(dma);
    }
    if (dma->target != NULL) {
        doca_mmap_destroy(dma->target);
    }
    if (dma->source != NULL) {
        doca_mmap_destroy(dma->source);
    }
    if (dma->dev != NULL) {
        doca_dev_close(dma->dev);
    }
    free(dma->slots);
    free(dma);
}

/*
 * For Java
 */

/* The buffers stay reachable as long as the object. */
NATIVE(jlong, open)(JNIEnv *env, jclass type, jobject source, jobject target, jint size, jint depth) {
    struct jni_dma *dma = calloc(1, sizeof(*dma));
    struct slot *slots = calloc((size_t)depth, sizeof(*slots));

    (void)type;
    if (dma == NULL || slots == NULL) {
        free(dma);
        free(slots);
        throw_state(env, "no memory");
        return 0;
    }
    dma->slots = slots;
    dma->depth = (uint32_t)depth;
    const doca_error_t result = open_all(dma, (*env)->GetDirectBufferAddress(env, source),
                                         (*env)->GetDirectBufferAddress(env, target), (size_t)size);
    if (result != DOCA_SUCCESS) {
        close_all(dma);
        throw_state(env, doca_error_get_descr(result));
        return 0;
    }
    return (jlong)(intptr_t)dma;
}

NATIVE(void, submit)(JNIEnv *env, jclass type, jlong handle, jint index) {
    struct jni_dma *dma = (struct jni_dma *)(intptr_t)handle;
    struct slot *slot = &dma->slots[index];

    (void)type;
    if (slot->in_flight) {
        throw_state(env, "the copy is in flight");
        return;
    }
    const doca_error_t result = doca_task_submit(slot->task);
    if (result != DOCA_SUCCESS) {
        throw_state(env, doca_error_get_descr(result));
        return;
    }
    slot->in_flight = true;
    dma->num_in_flight++;
}

NATIVE(jint, progress)(JNIEnv *env, jclass type, jlong handle, jobject listener) {
    struct jni_dma *dma = (struct jni_dma *)(intptr_t)handle;
    const uint32_t before = dma->num_in_flight;

    (void)type;
    dma->env = env;
    dma->listener = listener;
    while (doca_pe_progress(dma->pe) != 0) {
    }
    dma->env = NULL;
    if (dma->failure != DOCA_SUCCESS && !(*env)->ExceptionCheck(env)) {
        throw_state(env, doca_error_get_descr(dma->failure));
    }
    return (jint)(before - dma->num_in_flight);
}

NATIVE(void, close)(JNIEnv *env, jclass type, jlong handle) {
    (void)env;
    (void)type;
    close_all((struct jni_dma *)(intptr_t)handle);
}
