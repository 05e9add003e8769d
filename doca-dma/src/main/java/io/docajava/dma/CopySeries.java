/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.context.TaskFailedException;
import io.docajava.core.internal.context.ContextCore;
import io.docajava.core.internal.context.TaskSeries;
import io.docajava.core.internal.context.TaskTable;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.memory.MapState;
import io.docajava.core.memory.Buf;
import io.docajava.ffi.submission.TaskCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The inside of a {@link DmaSeries}: its slots, and what its buffers were like when it was made. */
final class CopySeries {

    private final ContextCore core;
    private final List<CopySlot> slots;
    private final TaskSeries series;
    private final long bytes;
    /** Where the data segment of each target began. */
    private final long[] targetData;
    /** How long the data segment of each target was. */
    private final long[] targetLengths;
    /** Maps whose memory a user may free. */
    private final List<MapState> freeable = new ArrayList<>();

    private @Nullable Listener listener;
    private boolean areTargetsFilled;
    /** Whether the SDK knows the data segments of the targets as Java has them, when nothing is in flight. */
    private boolean areTargetsTold;

    private @Nullable TaskFailedException firstFailure;

    /** Learns how a submission ends. */
    @FunctionalInterface
    interface Listener {

        /** All copies have ended; well, or the first failure is given. */
        void ended(@Nullable TaskFailedException failure);
    }

    /**
     * Makes a series of pairs of buffers, of which each takes a slot of a table that has as many.
     *
     * @throws RuntimeException if a pair cannot be copied; then all is as before
     */
    static CopySeries of(ContextCore core, TaskTable<CopySlot> table, List<Buf> sources, List<Buf> targets) {
        List<CopySlot> slots = new ArrayList<>(sources.size());
        try {
            for (int i = 0; i < sources.size(); i++) {
                CopySlot slot = Objects.requireNonNull(table.take());
                slots.add(slot);
                slot.use(sources.get(i), targets.get(i));
            }
            return new CopySeries(core, slots);
        } catch (Throwable failure) {
            slots.forEach(CopySlot::leave);
            throw failure;
        }
    }

    private CopySeries(ContextCore core, List<CopySlot> slots) {
        this.core = core;
        this.slots = slots;
        targetData = new long[slots.size()];
        targetLengths = new long[slots.size()];
        long sum = 0;
        for (int i = 0; i < slots.size(); i++) {
            CopySlot slot = slots.get(i);
            sum += slot.bytes();
            targetData[i] = slot.to().data();
            targetLengths[i] = slot.to().dataLength();
            noteFreeable(slot.from());
            noteFreeable(slot.to());
        }
        bytes = sum;
        series = new TaskSeries(core, slots, slots.size());
        slots.forEach(slot -> slot.join(this));
    }

    private void noteFreeable(BufElement list) {
        for (BufElement element = list; element != null; element = element.next()) {
            if (element.map().isFreeable() && !freeable.contains(element.map())) {
                freeable.add(element.map());
            }
        }
    }

    void tell(Listener newListener) {
        listener = newListener;
    }

    int size() {
        return slots.size();
    }

    long bytes() {
        return bytes;
    }

    boolean isInFlight() {
        return series.isInFlight();
    }

    /** Submits all copies; if the SDK takes some only, that is the failure of all when these have ended. */
    void submit() {
        for (int i = 0; i < freeable.size(); i++) {
            freeable.get(i).checkAlive();
        }
        firstFailure = null;
        try {
            if (!series.isArmed()) {
                arm();
            }
            firstFailure = series.submit();
        } catch (Throwable refusal) {
            // Some of them may have been emptied before.
            slots.forEach(slot -> slot.to().markListStale());
            areTargetsTold = false;
            throw refusal;
        }
    }

    private void arm() {
        TaskCommands commands = series.arm();
        try {
            for (int i = 0; i < slots.size(); i++) {
                CopySlot slot = slots.get(i);
                slot.allocate(core, series.taskData());
                core.tellNow(slot.from(), slot);
                BufElement target = slot.to();
                if (targetLengths[i] == 0) {
                    // Each submission empties it, which is the cheapest, and leaves where its data begin.
                    core.tellNow(target, targetData[i], 0, slot);
                    series.addSubmissionAfterReset(i, target.pointer());
                } else {
                    commands.setData(target.pointer(), targetData[i], targetLengths[i]);
                    series.addSubmission(i);
                }
            }
        } catch (Throwable failure) {
            series.disarm();
            throw failure;
        }
        series.armed();
    }

    /** The slot whose native task this is. */
    CopySlot slotOf(long copy) {
        return slots.stream()
                .filter(slot -> slot.isOf(copy))
                .findFirst()
                .orElseThrow(() -> new AssertionError("A task of a series that is not in it"));
    }

    /** A copy failed, or was not submitted. */
    void failed(TaskFailedException failure) {
        if (firstFailure == null) {
            firstFailure = failure;
        }
    }

    /** All copies have ended. */
    void ended() {
        TaskFailedException failure = firstFailure;
        if (failure == null) {
            noteCopied();
        } else {
            restoreTargets();
        }
        Objects.requireNonNull(listener).ended(failure);
    }

    /** The targets have what was copied, in the SDK as in Java. Mostly that was so before. */
    private void noteCopied() {
        if (!areTargetsFilled) {
            slots.forEach(slot -> slot.to().grow(slot.bytes()));
            areTargetsFilled = true;
        }
        if (!areTargetsTold) {
            slots.forEach(slot -> slot.to().markListTold());
            areTargetsTold = true;
        }
    }

    /** Nobody will learn how the copies end. Each slot says so. */
    void abandoned(CopySlot slot, TaskFailedException failure) {
        if (slots.getFirst().equals(slot)) {
            Objects.requireNonNull(listener).ended(failure);
            listener = end -> {};
        }
    }

    /** The targets count as they were when the series was made, whatever was copied to them. */
    private void restoreTargets() {
        for (int i = 0; i < slots.size(); i++) {
            slots.get(i).to().setData(targetData[i], targetLengths[i]);
        }
        areTargetsFilled = false;
        areTargetsTold = false;
    }

    /** Gives the buffers and the slots back. */
    void close() {
        series.close();
        slots.forEach(CopySlot::leave);
    }
}
