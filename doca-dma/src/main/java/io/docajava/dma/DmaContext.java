/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.DocaException;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.Context;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.memory.Buf;
import io.docajava.core.memory.MapRange;
import io.docajava.core.memory.Mmap;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.dma.internal.DmaContextImpl;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * A context that copies memory with the DMA engine of a device ({@code struct doca_dma}).
 *
 * <p>A copy reads one {@link MapRange}, the source, and writes another of the same length, the target. With a future it has any
 * length: {@link #copy(MapRange, MapRange)} divides it. On a {@link ProgressLoop}, any thread may request it. Until the copy has
 * ended, the program must not change the source, nor read or change the target. If the ranges of two copies in flight overlap, and
 * one of them is a target, its bytes are undefined.
 *
 * <p>A context belongs to the thread of its engine, as {@link Context} describes.
 *
 * <p>Lists, and programs ported from C, copy buffers: the data of the source, or of all buffers of a list in their order, is
 * appended to the data of the target. A buffer can be the source of many copies at the same time, or the target of one.
 *
 * <p>The device writes to one contiguous range. A copy to a list of buffers is therefore made range by range and completes with
 * the last range. If one range fails, none of the buffers counts as written.
 *
 * <p>A copy has one of four forms. {@link #copy(MapRange, MapRange)} returns a future. {@link #copy(MapRange, MapRange, Handler)}
 * calls a handler. {@link #task} returns a {@link DmaTask}, which can be submitted many times. A {@link #series} submits the same
 * group of copies many times, at the lowest cost. Copies are submitted together with the next progress, or by {@link #flush()}.
 *
 * <p>All forms check their arguments first, because the device may execute an invalid copy wrongly, or stop the context. They
 * throw an {@link IllegalArgumentException} if the operands do not fit together or exceed the {@link #capabilities()} of the
 * device, and an {@link IllegalStateException} if a map or a buffer is closed, or a buffer is in use. A {@link DocaException} means
 * that the context has stopped, no task is free, or the SDK refuses. It completes the future; the forms without a future throw it.
 *
 * <p>Copies may complete in a different order than they were submitted; see {@link DmaContextBuilder#orderedCompletions}. The buffers may
 * belong to any inventory that was created on the engine's thread. Their memory must be registered with this context's device.
 *
 * <p>A program that polls the target, such as one on the other side of the PCI bus, may see the bytes of several copies arrive in
 * a different order than the copies were submitted or completed. This is most likely with copies of two contexts. Copy a flag
 * that marks data as complete only when the copy of the data has completed:
 *
 * {@snippet :
 * dma.copy(data, remoteData).thenCompose(bytes -> dma.copy(flag, remoteFlag));
 * }
 */
public sealed interface DmaContext extends Context permits DmaContextImpl {

    /**
     * Returns whether a device has a DMA engine that copies ({@code doca_dma_cap_task_memcpy_is_supported}). Any thread
     * may call.
     *
     * @param device a listed device, which need not be open
     * @return whether a context can be started on the device; false if the device has been removed
     */
    static boolean isSupported(DeviceInfo device) {
        return DmaContextImpl.isSupported(device);
    }

    /**
     * Begins to configure a context.
     *
     * @param device an open device, which cannot be closed before the context
     * @return a builder with the defaults: 64 tasks, and completions in any order
     */
    static DmaContextBuilder builder(Device device) {
        return DmaContextImpl.builder(device);
    }

    /** {@return the limits of the device for copies, read when this context was created} Any thread may call. */
    DmaCapabilities capabilities();

    /**
     * {@return the number of tasks that copies in flight, open {@link DmaTask}s and open {@link DmaSeries} can use
     * together} Any thread may call.
     */
    int maxTasks();

    /**
     * Submits a copy and returns a future ({@code doca_task_submit}). On the engine of a {@link ProgressLoop}, the copy
     * waits while other copies in flight use all tasks. Waiting copies are submitted in order. Their buffers are in use
     * meanwhile. Errors found when a copy is finally submitted fail its future.
     *
     * @param source a buffer with data, or the first one of a list
     * @param target a buffer with room behind its data for all data of {@code source}, or the first one of a list
     * @return a future of the number of bytes copied. It fails with a {@link TaskFailedException} if the task fails, a
     *     {@link ContextNotRunningException} if the context is not running, a {@link ResourceExhaustedException} if no
     *     task is free, or another {@link DocaException} if the SDK refuses the task
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device
     * @throws IllegalStateException if the context or a buffer is closed, or another copy in flight uses the target or writes to
     *     the source
     */
    Completion<Long> copy(Buf source, Buf target);

    /**
     * Submits a copy of one range to another with the next progress, and returns a future ({@code doca_task_submit}). If the context
     * is on a loop, any thread may call, and the copy waits while other copies in flight use all tasks. What is wrong with the ranges
     * is thrown; what is wrong when the loop starts the copy fails the future.
     *
     * <p>A copy of more than {@link DmaCapabilities#maxBufferSize()} bytes divides itself into pieces of that length. The pieces of
     * all such copies use at most half of the tasks, take turns, and wait for a free task. The future completes when no piece is in
     * flight any more. If a piece fails, no further one is submitted, any bytes of the target may have been written, and the
     * {@link TaskFailedException} names the offset of the piece. If the future is cancelled, pieces in flight are carried out, and no
     * further ones are submitted; the maps can be closed when those in flight have ended.
     *
     * @param source the range to read
     * @param target a range of the same length to write to, which does not overlap with the source
     * @return a future of the number of bytes copied; it fails as that of {@link #copy(Buf, Buf)}
     * @throws IllegalArgumentException if the lengths differ, the ranges overlap, or the device cannot read the source or write to the
     *     target
     * @throws IllegalStateException if the context or a map is closed
     * @throws RejectedExecutionException if the context is on a loop that does not accept the copy; see {@link ProgressLoop#call}
     */
    Completion<Long> copy(MapRange source, MapRange target);

    /**
     * Does the same as {@link #copy(MapRange, MapRange)}, and reports how many bytes were copied.
     *
     * @param source the range to read
     * @param target a range of the same length to write to, which does not overlap with the source
     * @param progress called by the engine's thread after each piece that was copied, and once for a copy that is not divided; not for
     *     a copy of 0 bytes
     * @return a future as that of {@link #copy(MapRange, MapRange)}
     * @throws IllegalArgumentException as {@link #copy(MapRange, MapRange)}
     * @throws IllegalStateException as {@link #copy(MapRange, MapRange)}
     * @throws RejectedExecutionException as {@link #copy(MapRange, MapRange)}
     */
    Completion<Long> copy(MapRange source, MapRange target, CopyProgress progress);

    /**
     * Submits a copy of one range to another with the next progress. This allocates nothing. It is one task, and does not divide
     * itself as {@link #copy(MapRange, MapRange)} does.
     *
     * @param source the range to read, of at most {@link DmaCapabilities#maxBufferSize()} bytes
     * @param target a range of the same length to write to, which does not overlap with the source
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException as {@link #copy(MapRange, MapRange)}, and if the ranges exceed the limit of the device
     * @throws IllegalStateException as {@link #copy(MapRange, MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void copy(MapRange source, MapRange target, Handler<? super CopyEnd> handler);

    /**
     * Does the same as {@link #copy(MapRange, MapRange, Handler)}, with plain numbers and a tag.
     *
     * @param source the map to read
     * @param sourceOffset the offset of the first byte in that map
     * @param target the map to write to
     * @param targetOffset the offset of the first byte in that map
     * @param length the number of bytes to copy
     * @param tag a number for the handler ({@link CopyEnd#tag()})
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IndexOutOfBoundsException if a range is not inside its map
     * @throws IllegalArgumentException as {@link #copy(MapRange, MapRange, Handler)}
     * @throws IllegalStateException as {@link #copy(MapRange, MapRange)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void copy(
            Mmap source,
            long sourceOffset,
            Mmap target,
            long targetOffset,
            long length,
            long tag,
            Handler<? super CopyEnd> handler);

    /**
     * Submits all operations that wait for the next progress ({@code doca_task_submit_ex}, {@code doca_ctx_flush_tasks}). Progress and
     * waits of the engine do so by themselves; call it before the thread blocks elsewhere.
     *
     * @throws IllegalStateException if the context is closed
     */
    void flush();

    /**
     * Submits a copy that calls a handler when it has ended. This allocates nothing, unless the target is a list. On the
     * engine of a loop it does not wait for a free task. The task and the buffers are free when the handler is called, so that it may
     * use them for the next copy.
     *
     * @param source a buffer with data, or the first one of a list
     * @param target a buffer with room behind its data for all data of {@code source}, or the first one of a list
     * @param handler called once by the engine's thread, unless this method throws
     * @throws IllegalArgumentException if the buffers do not fit together or exceed a limit of the device
     * @throws IllegalStateException as {@link #copy(Buf, Buf)}
     * @throws ContextNotRunningException if the context is not running
     * @throws ResourceExhaustedException if no task is free
     * @throws DocaException if the SDK refuses the task
     */
    void copy(Buf source, Buf target, Handler<? super CopyEnd> handler);

    /**
     * Prepares a task that can be submitted any number of times, or run by a graph. The buffers are checked when it is
     * submitted.
     *
     * @param source a buffer, or the first one of a list
     * @param target a buffer that is in no list
     * @return the task, which belongs to the caller until it is closed, and counts as one of {@link #maxTasks()}
     * @throws IllegalStateException if the context is closed
     * @throws ResourceExhaustedException if no task is free
     */
    DmaTask task(Buf source, Buf target);

    /**
     * Prepares a task that copies ranges, and can be submitted any number of times or run by a graph.
     *
     * @param source the range to read, of 1 byte or more
     * @param target a range of the same length, which does not overlap with the source
     * @return the task, which belongs to the caller until it is closed, and counts as one of {@link #maxTasks()}
     * @throws IllegalArgumentException as {@link DmaTask#ranges}
     * @throws IllegalStateException if the context is closed
     * @throws ResourceExhaustedException if no task is free
     */
    DmaTask task(MapRange source, MapRange target);

    /**
     * Prepares copies that are submitted together many times: of the first source to the first target, and so on. This is the cheapest
     * way to copy.
     *
     * @param sources ranges of 1 byte or more
     * @param targets as many ranges, of the same lengths, which do not overlap with their sources
     * @return the series, which belongs to the caller until it is closed, and uses one of {@link #maxTasks()} for each
     *     copy
     * @throws IllegalArgumentException if the lists are empty or of different sizes, the lengths of a source and its target differ, they
     *     overlap or exceed a limit of the device, or the device cannot read the source or write to the target
     * @throws IllegalStateException if the context is closed
     * @throws ResourceExhaustedException if fewer tasks are free than there are copies
     */
    DmaSeries series(List<MapRange> sources, List<MapRange> targets);
}
