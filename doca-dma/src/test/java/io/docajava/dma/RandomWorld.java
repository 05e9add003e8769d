/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.docajava.core.DocaError;
import io.docajava.core.ResourceExhaustedException;
import io.docajava.core.context.ContextNotRunningException;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.Handler;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.memory.Buf;
import io.docajava.core.progress.Completion;
import io.docajava.testing.Await;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** Contexts, buffers and tasks that are used at random, and the model of their state. */
final class RandomWorld implements AutoCloseable {

    /** The size of a buffer's own place in the memory, in bytes. */
    private static final int PLACE = 256;

    private static final int MAX_PIECES = 60;
    private static final int MAX_CONTEXTS = 3;

    private final Random random;
    private final Lab lab;
    private final ArrayDeque<Integer> places = new ArrayDeque<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<Prepared> tasks = new ArrayList<>();
    private final RandomRanges ranges;
    private int copying;
    private int ended;
    private boolean inCallback;
    private boolean resting;

    RandomWorld(Random random) {
        this.random = random;
        boolean optimized = random.nextBoolean();
        lab = new Lab(builder -> builder.maxTasks(4).optimizeReports(optimized));
        for (int place = 0; place < Lab.MEMORY / PLACE; place++) {
            places.add(place);
        }
        lines.add(new Line(lab.dma));
        ranges = new RandomRanges(this, random, lab);
    }

    void doAnything() {
        switch (random.nextInt(44)) {
            case 0, 1, 2, 3 -> newPiece();
            case 4 -> append();
            case 5 -> clear();
            case 6, 7 -> closePiece();
            case 8, 9, 10, 11, 12 -> copyForFuture();
            case 13, 14, 15, 16 -> copyWithHandler();
            case 17 -> newTask();
            case 18, 19 -> submitTask();
            case 20 -> closeTask();
            case 21, 22, 23, 24 -> progress();
            case 25 -> drain();
            case 26 -> stopOrRestart();
            case 27 -> openOrCloseLine();
            case 28 -> closeWhatIsInUse();
            case 29, 30, 31, 32 -> flush();
            case 33, 34, 35, 36, 37, 38, 39, 40 -> ranges.copy();
            case 41 -> ranges.closeMap();
            default -> callFromAnotherThread();
        }
    }

    /** Acts at random in a callback, where waiting is refused. */
    private void doAnythingInACallback() {
        inCallback = true;
        try {
            switch (random.nextInt(20)) {
                case 0 -> copyForFuture();
                case 1, 2 -> copyWithHandler();
                case 3 -> submitTask();
                case 4 -> closePiece();
                case 5 -> any(lines).stop();
                case 6 -> any(lines).restart();
                case 7 -> openOrCloseLine();
                case 8 -> expect(false, lab.engine::progress);
                case 9 -> throw new OnPurpose();
                case 10, 11 -> flush();
                case 12, 13 -> ranges.copy();
                default -> {}
            }
        } finally {
            inCallback = false;
        }
    }

    /** Compares the observable state with the model. */
    void check() {
        assertThat(lab.reported).allMatch(failure -> failure instanceof OnPurpose);
        lab.reported.clear();
        for (Line line : lines) {
            if (!line.closed) {
                assertThat(line.dma.inFlight()).isEqualTo(line.inFlight);
            }
        }
        for (Piece piece : pieces) {
            if (!piece.closed) {
                assertThat(piece.buf.dataLength()).isEqualTo(piece.dataLength);
            }
        }
    }

    /** Waits for all copies, and checks that nothing was lost and every task is available again. */
    void quiesce() {
        resting = true;
        for (Line line : lines) {
            if (!line.closed) {
                assertThat(catchThrowable(() -> line.dma.drain(Await.LIMIT))).isNull();
            }
        }
        tasks.forEach(task -> task.task.close());
        for (Line line : lines) {
            line.closed = true;
            line.dma.close();
            assertThat(line.inFlight).isZero();
        }
        assertThat(copying).isZero();
        assertThat(ended).isGreaterThan(100);
        assertThat(ranges.succeeded()).isGreaterThan(50);
        check();
    }

    @Override
    public void close() {
        lines.forEach(line -> line.dma.close());
        ranges.close();
        lab.close();
    }

    private void newPiece() {
        if (pieces.size() >= MAX_PIECES) {
            pieces.removeIf(piece -> piece.closed);
            return;
        }
        long offset = (long) places.remove() * PLACE;
        boolean data = random.nextBoolean();
        long length = 1L + random.nextInt(data ? PLACE / 4 : PLACE);
        if (data) {
            byte[] bytes = new byte[(int) length];
            random.nextBytes(bytes);
            lab.memory.segment().asSlice(offset, length).copyFrom(MemorySegment.ofArray(bytes));
        }
        Buf buf = data ? lab.buffers.data(lab.memory, offset, length) : lab.buffers.space(lab.memory, offset, length);
        pieces.add(new Piece(buf, offset, length, data ? length : 0));
    }

    private void append() {
        Piece list = anyPiece();
        Piece tail = anyPiece();
        if (list == null || tail == null || list.spoiled || tail.spoiled) {
            return;
        }
        if (expect(list.isIdle() && tail.isIdle() && list != tail, () -> list.buf.append(tail.buf))) {
            list.list.addAll(tail.list);
            for (Piece piece : tail.list) {
                piece.list = list.list;
            }
        }
    }

    private void clear() {
        Piece piece = anyPiece();
        if (piece != null
                && !piece.spoiled
                && expect(!piece.closed && piece.list.getFirst().tasks == 0, piece.buf::clear)) {
            piece.dataLength = 0;
        }
    }

    private void closePiece() {
        Piece piece = anyPiece();
        if (piece == null || piece.spoiled) {
            return;
        }
        boolean returns = piece.isIdle();
        // A later buffer of a list returns together with the first one, and stays unchanged until then.
        if (expect(!piece.isUsable() || returns, piece.buf::close) && returns) {
            for (Piece part : piece.list) {
                part.closed = true;
                places.add((int) (part.offset / PLACE));
            }
        }
    }

    /** Throws the reason if a copy could not be started. */
    private static Completion<Long> begun(Completion<Long> copy) {
        if (copy.isCompletedExceptionally()) {
            throw (RuntimeException) copy.exceptionNow();
        }
        return copy;
    }

    private void copyForFuture() {
        Copy copy = anyCopy(anyLine());
        if (copy != null) {
            copy.submit(() -> watch(copy.line.dma.copy(copy.source.buf, copy.target.buf), copy::end));
        }
    }

    /** Passes the end of a copy to a callback, or throws the reason if it could not be started. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the end
    void watch(Completion<Long> copy, BiConsumer<@Nullable Long, @Nullable Throwable> end) {
        begun(copy).whenComplete((bytes, failure) -> {
            try {
                end.accept(bytes, failure);
            } catch (Throwable wrong) {
                // A completion stage does not propagate the exceptions of its function.
                lab.reported.add(wrong);
            }
        });
    }

    /**
     * Submits a copy, and counts it. Returns false if it was refused as expected.
     *
     * @param tasks the number of tasks of the context that the copy takes until it has ended
     */
    boolean submit(Line line, boolean acceptable, int tasks, ThrowingCallable call) {
        // The failure that stopped the context may be from the same round of progress, and be delivered later.
        Throwable thrown = catchThrowable(call);
        boolean stoppedMeanwhile = thrown != null && inCallback && !line.isRunning();
        if (!expect(acceptable && !stoppedMeanwhile, thrown)) {
            return false;
        }
        copying++;
        line.inFlight++;
        line.taken += tasks;
        return true;
    }

    /** Counts a copy that has ended. */
    void countEnd(Line line, int tasks) {
        copying--;
        ended++;
        line.inFlight--;
        line.taken -= tasks;
    }

    /** Called at the end of the callback of a copy. */
    void goOn() {
        if (!resting && !inCallback) {
            doAnythingInACallback();
        }
    }

    private void copyWithHandler() {
        Copy copy = anyCopy(anyLine());
        if (copy != null) {
            copy.submit(() -> copy.line.dma.copy(copy.source.buf, copy.target.buf, copy));
        }
    }

    private void flush() {
        Line line = any(lines);
        expect(!line.closed, line.dma::flush);
    }

    /** Returns usually an acceptable copy, otherwise any two buffers. */
    private @Nullable Copy anyCopy(Line line) {
        boolean sensible = random.nextInt(5) > 0;
        Piece source = sensible ? anyPiece(piece -> piece.isUsable() && piece.hasDataOnly()) : anyPiece();
        Piece target = sensible ? anyPiece(piece -> piece.isUsable() && piece.room() > 0) : anyPiece();
        return source == null || target == null || target.spoiled ? null : new Copy(line, source, target);
    }

    private void newTask() {
        tasks.removeIf(task -> task.closed && random.nextBoolean());
        Line line = any(lines);
        Piece piece = anyPiece();
        if (piece != null && tasks.size() < 40) {
            List<DmaTask> taken = new ArrayList<>();
            if (expect(!line.closed && line.hasFreeTask(), () -> taken.add(line.dma.task(piece.buf, piece.buf)))) {
                line.taken++;
                tasks.add(new Prepared(line, taken.getFirst()));
            }
        }
    }

    private void submitTask() {
        if (tasks.isEmpty()) {
            return;
        }
        Prepared task = any(tasks);
        Copy copy = anyCopy(task.line);
        if (copy != null) {
            boolean usable = !task.line.closed && !task.closed && task.copy == null;
            if (expect(usable, () -> task.task.source(copy.source.buf).target(copy.target.buf))) {
                copy.task = task;
                task.copy = copy;
                if (!copy.submit(task.task::submit)) {
                    task.copy = null;
                }
            }
        }
    }

    private void closeTask() {
        if (!tasks.isEmpty()) {
            Prepared task = any(tasks);
            boolean first = !task.closed;
            if (expect(task.closed || task.copy == null, task.task::close) && first) {
                task.closed = true;
                task.line.taken--;
            }
        }
    }

    private void progress() {
        lab.engine.progress();
    }

    private void drain() {
        Line line = any(lines);
        expect(!line.closed, () -> line.dma.drain(Await.LIMIT));
    }

    private void stopOrRestart() {
        Line line = any(lines);
        if (random.nextInt(3) == 0) {
            line.stop();
        } else {
            line.restart();
        }
    }

    private void openOrCloseLine() {
        long open = lines.stream().filter(line -> !line.closed).count();
        if (lines.size() > 2 * MAX_CONTEXTS && !inCallback) {
            // Closing one may deliver completions, whose callbacks open others.
            lines.removeAll(List.copyOf(lines).stream().filter(Line::hasEnded).toList());
        }
        if (open < MAX_CONTEXTS) {
            int maxTasks = 1 + random.nextInt(6);
            lines.add(new Line(DmaContext.builder(lab.device)
                    .maxTasks(maxTasks)
                    .optimizeReports(random.nextBoolean())
                    .start(lab.engine)));
        } else {
            Line line = any(lines);
            line.closed = true;
            line.dma.close();
            assertThat(inCallback || line.inFlight == 0).isTrue();
        }
    }

    private void closeWhatIsInUse() {
        boolean idle = lines.stream().allMatch(line -> line.closed && line.inFlight == 0);
        if (!idle) {
            expect(false, lab.engine::close);
        }
        expect(false, lab.device::close);
        if (pieces.stream().anyMatch(piece -> !piece.closed)) {
            expect(false, lab.memory::close);
        }
        if (pieces.stream().anyMatch(piece -> piece.tasks > 0)) {
            expect(false, lab.buffers::close);
        }
    }

    private void callFromAnotherThread() {
        Line line = any(lines);
        Piece piece = anyPiece();
        if (piece != null) {
            List<Throwable> thrown = new ArrayList<>();
            Thread other = Thread.startVirtualThread(() -> {
                thrown.add(catchThrowable(() -> line.dma.copy(piece.buf, piece.buf)));
                thrown.add(catchThrowable(lab.engine::progress));
            });
            assertThat(catchThrowable(other::join)).isNull();
            assertThat(thrown).hasSize(2).allMatch(failure -> failure instanceof IllegalStateException);
        }
    }

    private @Nullable Piece anyPiece() {
        return anyPiece(piece -> true);
    }

    private @Nullable Piece anyPiece(Predicate<Piece> condition) {
        List<Piece> fitting = pieces.stream().filter(condition).toList();
        return fitting.isEmpty() ? null : any(fitting);
    }

    Line anyLine() {
        List<Line> running = lines.stream().filter(Line::isRunning).toList();
        return running.isEmpty() || random.nextInt(5) == 0 ? any(lines) : any(running);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** Runs the call, and compares whether it was accepted with the model. */
    static boolean expect(boolean accepted, ThrowingCallable call) {
        return expect(accepted, catchThrowable(call));
    }

    private static boolean expect(boolean accepted, @Nullable Throwable thrown) {
        if (accepted) {
            assertThat(thrown).isNull();
        } else {
            assertThat(thrown)
                    .isInstanceOfAny(
                            IllegalStateException.class,
                            IllegalArgumentException.class,
                            ContextNotRunningException.class,
                            ResourceExhaustedException.class);
            assertThat(thrown.getMessage()).isNotBlank();
        }
        return accepted;
    }

    /** The exception that callbacks throw on purpose, which must be harmless. */
    private static final class OnPurpose extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    /** A context. */
    final class Line {

        final DmaContext dma;
        private int taken;
        private int inFlight;
        private boolean closed;

        Line(DmaContext dma) {
            this.dma = dma;
        }

        boolean hasFreeTask() {
            return taken < dma.maxTasks();
        }

        boolean isRunning() {
            return !closed && dma.state() == ContextState.RUNNING;
        }

        /** Returns whether the context is closed. One that a callback has closed is not, until it has stopped. */
        boolean hasEnded() {
            if (!closed || inFlight > 0) {
                return false;
            }
            dma.close();
            return true;
        }

        void stop() {
            expect(!closed, dma::stop);
        }

        void restart() {
            ContextState state = dma.state();
            boolean possible = state == ContextState.IDLE || (state == ContextState.STOPPING && !inCallback);
            boolean accepted = !closed && possible;
            Throwable thrown = catchThrowable(dma::restart);
            // Callbacks may close the context while it is stopping.
            expect(accepted && !closed, thrown);
        }
    }

    /** A task that is submitted repeatedly. */
    private static final class Prepared {

        private final Line line;
        private final DmaTask task;
        private @Nullable Copy copy;
        private boolean closed;

        Prepared(Line line, DmaTask task) {
            this.line = line;
            this.task = task;
            task.onCompletion(done -> {
                Copy ended = copy;
                copy = null;
                assertThat(ended).isNotNull();
                if (ended != null) {
                    ended.end(
                            done.failure().isPresent() ? null : done.bytes(),
                            done.failure().orElse(null));
                }
            });
        }
    }

    /** A buffer. */
    private static final class Piece {

        private final Buf buf;
        private final long offset;
        private final long length;
        private long dataLength;
        private boolean closed;
        /** The list that contains the buffer. */
        private List<Piece> list = new ArrayList<>();
        /** For the first of a list: the copies in flight with this list, and whether one of them writes to it. */
        private int tasks;

        private boolean isTarget;
        /** True if the native buffer was changed so that its copy fails. */
        private boolean spoiled;

        Piece(Buf buf, long offset, long length, long dataLength) {
            this.buf = buf;
            this.offset = offset;
            this.length = length;
            this.dataLength = dataLength;
            list.add(this);
        }

        boolean isUsable() {
            return !closed && list.getFirst() == this;
        }

        boolean isIdle() {
            return isUsable() && tasks == 0;
        }

        long data() {
            return list.stream().mapToLong(piece -> piece.dataLength).sum();
        }

        boolean hasDataOnly() {
            return list.stream().allMatch(piece -> piece.dataLength > 0);
        }

        long room() {
            return list.stream()
                    .mapToLong(piece -> piece.length - piece.dataLength)
                    .sum();
        }
    }

    /** A copy that is in flight or will be submitted. */
    private final class Copy implements Handler<CopyEnd> {

        private final Line line;
        private final Piece source;
        private final Piece target;
        private @Nullable Prepared task;
        private byte[] bytes = {};
        private boolean mustFail;
        private boolean inFlight;

        Copy(Line line, Piece source, Piece target) {
            this.line = line;
            this.source = source;
            this.target = target;
        }

        /** Submits the copy and records its expected result. Returns false if it was refused as expected. */
        boolean submit(ThrowingCallable call) {
            boolean acceptable = isAcceptable();
            spoilSometimes();
            if (!RandomWorld.this.submit(line, acceptable, tasks(), call)) {
                repair();
                return false;
            }
            bytes = sourceBytes();
            mustFail = source.spoiled && !hasListAsTarget();
            inFlight = true;
            source.tasks++;
            target.tasks++;
            target.isTarget = true;
            return true;
        }

        private boolean isAcceptable() {
            return line.isRunning()
                    && (task != null ? !hasListAsTarget() : line.hasFreeTask())
                    && source.isUsable()
                    && target.isUsable()
                    && source != target
                    && target.tasks == 0
                    && !source.isTarget
                    && source.hasDataOnly()
                    && target.room() >= source.data();
        }

        private boolean hasListAsTarget() {
            return target.list.size() > 1;
        }

        /**
         * Spoils only an acceptable copy without lists, which then fails as the SDK finds its buffer empty. A copy to a list
         * has its own native buffers.
         */
        private void spoilSometimes() {
            if (source.isIdle()
                    && source.list.size() == 1
                    && !hasListAsTarget()
                    && isAcceptable()
                    && random.nextInt(50) == 0) {
                Lab.spoil(source.buf);
                source.spoiled = true;
            }
        }

        private void repair() {
            if (source.spoiled && source.tasks == 0) {
                Lab.repair(source.buf);
                source.spoiled = false;
            }
        }

        private byte[] sourceBytes() {
            byte[] all = new byte[(int) source.data()];
            int done = 0;
            for (Piece piece : source.list) {
                MemorySegment.copy(
                        lab.memory.segment(), piece.offset, MemorySegment.ofArray(all), done, piece.dataLength);
                done += (int) piece.dataLength;
            }
            return all;
        }

        void end(@Nullable Long copied, @Nullable Throwable failure) {
            assertThat(inFlight).as("completed once").isTrue();
            inFlight = false;
            countEnd(line, tasks());
            source.tasks--;
            target.tasks--;
            target.isTarget = false;
            repair();
            if (failure == null) {
                assertThat(mustFail).isFalse();
                assertThat(copied).isEqualTo(bytes.length);
                checkTarget();
            } else {
                assertThat(failure)
                        .isInstanceOfSatisfying(
                                TaskFailedException.class,
                                // The second error is that of copies that were deferred when the context failed.
                                reason -> assertThat(reason.error()).isIn(DocaError.IO_FAILED, DocaError.BAD_STATE));
            }
            goOn();
        }

        /** Returns the number of tasks that the copy takes itself. A prepared task has one already. */
        private int tasks() {
            return task == null ? 1 : 0;
        }

        private void checkTarget() {
            int done = 0;
            for (Piece piece : target.list) {
                int here = (int) Math.min(bytes.length - done, piece.length - piece.dataLength);
                MemorySegment written = lab.memory.segment().asSlice(piece.offset + piece.dataLength, here);
                assertThat(written.mismatch(MemorySegment.ofArray(bytes).asSlice(done, here)))
                        .isEqualTo(-1);
                piece.dataLength += here;
                done += here;
            }
        }

        @Override
        public void ended(CopyEnd copy, @Nullable TaskFailedException failure) {
            Piece first = target.list.getFirst();
            assertThat(copy.bytes()).isEqualTo(bytes.length);
            assertThat(copy.source()).isEqualTo(lab.memory.range(source.offset, source.dataLength));
            assertThat(copy.target())
                    .isEqualTo(lab.memory.range(
                            first.offset + first.dataLength, Math.min(bytes.length, first.length - first.dataLength)));
            end(failure == null ? copy.bytes() : null, failure);
        }
    }
}
