/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.memory.Mmap;
import io.docajava.rdma.ConnectionDetails;
import io.docajava.rdma.RdmaConnection;
import io.docajava.rdma.RdmaTaskType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Runs two peers with two connections each against this process. All sides perform all operations of all sizes, check every byte,
 * and lose a peer now and then. The run fails on a wrong byte, a hang or a leak.
 *
 * <p>It cannot run on NVIDIA's 3.0.0058: when a lost peer stops a context, that library may complete a receive twice, and the context
 * stays STOPPING.
 *
 * <p>This is not one of the normal tests: run it with {@code mvn verify -Psoak}. {@code -Ddoca.soak.minutes=10} sets the duration.
 * {@code -Ddoca.seed=...} repeats the random choices, but not their timing.
 */
class RdmaSoak {

    private static final Duration TIME = Duration.ofMinutes(Long.getLong("doca.soak.minutes", 10));
    private static final long SEED =
            Long.getLong("doca.seed", ThreadLocalRandom.current().nextLong());
    private static final int PEERS = 2;
    private static final int LANES = PEERS * SoakPeer.LANES;
    private static final long SHORTEST_RUN_MS = 100;
    private static final long LONGEST_RUN_MS = 4000;
    /** The number of runs after which the resources of a process no longer grow. */
    private static final int WARM_UP = 3;

    private final RandomGenerator random = new SplittableRandom(SEED);
    private final List<SoakProcess> peers = new ArrayList<>();
    private final Map<SoakProcess, Needs> needsOfPeers = new HashMap<>();
    private final Needs needs = new Needs();
    private Endpoint own;
    private int runs;
    private int kills;
    private int stops;

    /** The resources of a process after its first runs, which must not grow afterwards. */
    private static final class Needs {

        private int runs;
        private @Nullable Resources first;

        void check(Resources now) {
            runs++;
            if (first == null) {
                first = runs >= WARM_UP ? now : null;
            } else {
                assertThat(now.isAsSmallAs(first))
                        .as("whether after %s runs %s is no more than %s", runs, now, first)
                        .isTrue();
            }
        }

        @Override
        public String toString() {
            return String.valueOf(first);
        }
    }

    @BeforeEach
    void open() {
        own = new Endpoint("mlx5_0", LANES);
    }

    @AfterEach
    void close() throws Exception {
        peers.forEach(SoakProcess::kill);
        for (SoakProcess peer : peers) {
            peer.awaitEnd();
        }
        own.close();
    }

    @Test
    void nothingIsWrongHangsOrIsLeftOver() throws Exception {
        System.out.println("RDMA soak of " + TIME.toMinutes() + " min with -Ddoca.seed=" + SEED);
        List<Path> sharedBefore = sharedFiles();
        long begin = System.nanoTime();
        long reported = 0;
        while (System.nanoTime() - begin < TIME.toNanos()) {
            startPeers();
            needs.check(Resources.now());
            run();
            runs++;
            long minutes = Duration.ofNanos(System.nanoTime() - begin).toMinutes();
            if (minutes > reported) {
                reported = minutes;
                System.out.println("After " + minutes + " min: " + summary());
            }
        }
        System.out.println(summary());
        System.out.print(own.counts());
        assertThat(kills).isPositive();
        for (RdmaTaskType type : Counts.TYPES) {
            assertThat(own.counts().of(type)).as(type.name()).isPositive();
        }
        assertThat(sharedFiles()).isEqualTo(sharedBefore);
    }

    private String summary() throws IOException {
        return runs + " runs, " + kills + " peers killed, " + stops + " contexts stopped, "
                + own.counts().sum() + " operations; at first " + needs + ", now " + Resources.now();
    }

    private static List<Path> sharedFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.sorted().toList();
        }
    }

    private void startPeers() throws Exception {
        while (peers.size() < PEERS) {
            peers.add(new SoakProcess(
                    random.nextBoolean() ? "threaded" : "inline",
                    () -> own.engine().wakeUp()));
            needsOfPeers.put(peers.getLast(), new Needs());
        }
        for (SoakProcess peer : peers) {
            if (needsOf(peer).runs == 0) {
                answer(peer, "ready");
            }
        }
    }

    private Needs needsOf(SoakProcess peer) {
        return Objects.requireNonNull(needsOfPeers.get(peer));
    }

    /** Runs from the connections to their end. */
    private void run() throws Exception {
        connect();
        long millis = random.nextLong(SHORTEST_RUN_MS, LONGEST_RUN_MS);
        own.run(this::hasEnded, Duration.ofMillis(millis));
        if (hasEnded()) {
            throw new AssertionError("It has ended by itself: " + own.brokenBy() + ", "
                    + peers.stream().map(SoakProcess::takeAnswer).toList());
        }
        List<SoakProcess> victims = disturb();
        own.run(() -> own.brokenBy().isPresent(), Endpoint.PATIENCE);
        assertThat(own.brokenBy()).as("why it has ended").isPresent();
        own.end();
        for (SoakProcess victim : victims) {
            victim.awaitEnd();
            needsOfPeers.remove(victim);
        }
        peers.removeAll(victims);
        for (SoakProcess peer : peers) {
            peer.send("end");
            String[] words = answer(peer, "ended");
            own.counts().addLine(words[1]);
            needsOf(peer).check(Resources.ofLine(words[2]));
        }
    }

    private boolean hasEnded() {
        return own.brokenBy().isPresent() || peers.stream().anyMatch(SoakProcess::hasAnswered);
    }

    private void connect() throws Exception {
        long key = random.nextLong();
        Base64.Encoder encoder = Base64.getEncoder();
        String export = encoder.encodeToString(own.export());
        List<RdmaConnection> connections = own.open();
        int lane = 0;
        for (SoakProcess peer : peers) {
            peer.send("open");
            String[] words = answer(peer, "opened");
            Mmap remote = own.attach(Base64.getDecoder().decode(words[1]));
            StringBuilder line = new StringBuilder("connect " + key + " " + lane + " " + export);
            for (int i = 0; i < SoakPeer.LANES; i++, lane++) {
                ConnectionDetails details =
                        ConnectionDetails.of(Base64.getDecoder().decode(words[2 + i]));
                own.connect(lane, details, remote, i, key + lane, true);
                line.append(' ')
                        .append(encoder.encodeToString(
                                connections.get(lane).details().bytes()));
            }
            peer.send(line.toString());
        }
        own.start();
        for (SoakProcess peer : peers) {
            answer(peer, "started");
        }
    }

    /** Ends a run and returns the killed peers. */
    private List<SoakProcess> disturb() throws IOException {
        SoakProcess one = peers.get(random.nextInt(PEERS));
        switch (random.nextInt(10)) {
            case 0 -> own.stop();
            case 1, 2 -> one.send("stop");
            case 3 -> {
                return kill(List.copyOf(peers));
            }
            default -> {
                return kill(List.of(one));
            }
        }
        stops++;
        return List.of();
    }

    private List<SoakProcess> kill(List<SoakProcess> victims) {
        victims.forEach(SoakProcess::kill);
        kills += victims.size();
        return victims;
    }

    /** Returns the words of the next answer of this kind. The end of the peer's run may be reported before it. */
    private String[] answer(SoakProcess peer, String kind) throws Exception {
        for (; ; ) {
            own.run(peer::hasAnswered, Endpoint.PATIENCE);
            String answer = peer.takeAnswer().orElseThrow(() -> new AssertionError("A peer does not say " + kind));
            String[] words = answer.split(" ", -1);
            if (words[0].equals(kind)) {
                return words;
            }
            if (!words[0].equals("broken")) {
                throw new AssertionError("A peer says " + answer + " in place of " + kind);
            }
        }
    }
}
