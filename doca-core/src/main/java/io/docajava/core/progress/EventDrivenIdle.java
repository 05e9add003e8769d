/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

/** Spins and then waits for events by way of the engine; only with an engine is there something to wait for. */
final class EventDrivenIdle implements IdleStrategy {

    private static final int LOOKS_PER_YIELD = 16;

    private final int spins;
    private final long spinNanos;

    /** Spins for a time, or for a number of rounds when that is 0. */
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
        /** Rounds without work, as far as they are counted. */
        private int rounds;
        /** All rounds without work. */
        private int looks;
        /** Time of the first idle round; only set if there is a time limit. */
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
                engine.sleep();
            }
        }

        /** Lets others run now and then, who may be about to bring work when there are few processors. */
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
