/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.progress;

/** Says how an engine is to wait for events; only with an engine is there something to wait for. */
final class EventDrivenIdle implements IdleStrategy {

    private final int spins;

    EventDrivenIdle(int spins) {
        if (spins < 0) {
            throw new IllegalArgumentException("The number of spins must not be negative: " + spins);
        }
        this.spins = spins;
    }

    @Override
    public void idle(int workCount) {
        throw new IllegalStateException("An event-driven strategy is used through the engine that it was given to");
    }

    @Override
    public IdleStrategy forEngine(ProgressEngine engine) {
        return new Bound(engine, spins);
    }

    private static final class Bound implements IdleStrategy {

        private final ProgressEngine engine;
        private final int spins;
        private int rounds;

        Bound(ProgressEngine engine, int spins) {
            this.engine = engine;
            this.spins = spins;
        }

        @Override
        public void idle(int workCount) {
            if (workCount > 0) {
                rounds = 0;
            } else if (rounds < spins) {
                rounds++;
                Thread.onSpinWait();
            } else {
                engine.sleep();
            }
        }
    }
}
