/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

import io.docajava.core.internal.engine.EngineImpl;

/** Spins and then sleeps in the engine until there is an event. Works only when bound to an engine. */
final class EventDrivenIdle implements IdleStrategy {

    private static final int LOOKS_PER_YIELD = 16;

    private final int spins;
    private final long spinNanos;

    /** Creates a strategy that spins for a time, or for a number of rounds if the time is 0. */
    EventDrivenIdle(int spins, long spinNanos) {
        this.spins = spins;
        this.spinNanos = spinNanos;
    }

    @Override
    public void idle(int workCount) {
        throw new IllegalStateException("An event-driven strategy is used through the engine that it was given to");
    }

    @Override
    public IdleStrategy forEngine(ProgressEngine engine) {
        return new Bound(engine);
    }

    private final class Bound implements IdleStrategy {

        private final ProgressEngine engine;
        /** The number of rounds without work, up to the limit; only 0 or 1 if there is a time limit. */
        private int rounds;
        /** The number of all rounds without work. */
        private int looks;
        /** The time of the first idle round; only set if there is a time limit. */
        private long idleSince;

        Bound(ProgressEngine engine) {
            this.engine = engine;
        }

        @Override
        public void idle(int workCount) {
            if (workCount > 0) {
                rounds = 0;
            } else if (spinsOn()) {
                spin();
            } else {
                EngineImpl.of(engine).waits().sleep();
            }
        }

        /** Yields in some rounds: on a machine with few processors, the thread that submits work may be waiting to run. */
        @SuppressWarnings("ThreadPriorityCheck") // yielding is what is meant
        private void spin() {
            looks++;
            if (looks % LOOKS_PER_YIELD == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }

        private boolean spinsOn() {
            if (spinNanos == 0) {
                boolean more = rounds < spins;
                rounds += more ? 1 : 0;
                return more;
            }
            long now = System.nanoTime();
            if (rounds == 0) {
                rounds = 1;
                idleSince = now;
            }
            return now - idleSince < spinNanos;
        }
    }
}
