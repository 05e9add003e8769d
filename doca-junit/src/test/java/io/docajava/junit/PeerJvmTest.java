/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.docajava.core.device.Device;
import io.docajava.core.progress.ProgressEngine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

@Timeout(600)
@DocaEmulator
class PeerJvmTest {

    private static final String NEW_LINE = System.lineSeparator();
    private static final String NUMBERS =
            IntStream.range(0, 10_000).mapToObj(i -> i + NEW_LINE).collect(Collectors.joining());

    private static Events events(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(testClass))
                .execute()
                .allEvents();
    }

    /** Answers each line with a line. */
    static final class Echo {

        public static void main(String[] arguments) throws IOException {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (@Nullable String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(String.join(" ", arguments) + line);
            }
        }
    }

    @Test
    void runsAMainClass(PeerJvm peer) throws InterruptedException {
        peer.start(Echo.class, "you", "said ");

        assertThat(peer.ask("hello")).isEqualTo("you said hello");
        assertThat(peer.ask("bye")).isEqualTo("you said bye");
        peer.close();
        assertThat(peer.await()).isZero();
        assertThat(peer.output()).isEqualTo("you said hello" + NEW_LINE + "you said bye" + NEW_LINE);
    }

    @Test
    void runsALambda(PeerJvm peer) throws InterruptedException {
        String greeting = "hello ";
        peer.start(test -> {
            System.out.println("noise");
            test.send(greeting + test.receive());
        });

        assertThat(peer.ask("test")).isEqualTo("hello test");
        assertThat(peer.await()).isZero();
        assertThat(peer.output()).contains("noise", "hello test");
    }

    @Test
    void hasTheSettingsOfTheTestAndItsOwn(PeerJvm same, PeerJvm host) throws InterruptedException {
        PeerJvm.Program program = test -> test.send(Device.list().getFirst().displayName() + " "
                + System.getenv("OTHER") + " " + System.getProperty("more"));
        same.start(program);
        host.role(DocaEmulator.Role.HOST)
                .environment("OTHER", "variable")
                .options("-Dmore=options")
                .start(program);

        assertThat(same.receive()).isEqualTo("0000:03:00.0 (mlx5_0) null null");
        assertThat(host.receive()).matches("0000:0b:00.0 .* variable options");
    }

    @Test
    void progressesUntilALineIsHere(PeerJvm peer, ProgressEngine engine) throws InterruptedException {
        peer.start(test -> test.send("soon"));

        assertThat(peer.receive(engine)).isEqualTo("soon");
    }

    /** Reads the first byte of the test, and then nothing. */
    static final class Deaf {

        public static void main(String[] arguments) throws Exception {
            System.out.println("read " + (char) System.in.read());
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void closingEndsASendThatThePeerDoesNotRead(PeerJvm peer) throws Exception {
        peer.start(Deaf.class);
        FutureTask<Void> sending = new FutureTask<>(() -> peer.send("x".repeat(1 << 20)), null);
        Thread sender = Thread.ofPlatform().daemon().start(sending);
        // The sender is now blocked, or soon will be: the rest of the line is longer than the pipe.
        assertThat(peer.receive()).isEqualTo("read x");

        peer.timeout(Duration.ofMillis(200));
        assertThatThrownBy(peer::close)
                .isInstanceOf(AssertionError.class)
                .hasMessage("PeerJvm Deaf has not ended within PT0.2S; it printed:" + NEW_LINE + "read x" + NEW_LINE);
        assertThat(sender.join(Duration.ofMinutes(5))).isTrue();
        assertThatThrownBy(sending::get)
                .cause()
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("PeerJvm Deaf has ended with exit code 137 before it read \"xxx");
    }

    @Test
    void failsWhereThePeerSendsNothing(PeerJvm peer, ProgressEngine engine) {
        peer.timeout(Duration.ofMillis(200)).start(PeerJvm.Lines::receive);

        assertThatThrownBy(peer::receive)
                .isInstanceOf(AssertionError.class)
                .hasMessage("PeerJvm of PeerJvmTest has sent no line within PT0.2S, and printed nothing");
        assertThatThrownBy(() -> peer.receive(engine))
                .isInstanceOf(AssertionError.class)
                .hasMessage("PeerJvm of PeerJvmTest has sent no line within PT0.2S, and printed nothing");
        assertThatThrownBy(peer::await)
                .isInstanceOf(AssertionError.class)
                .hasMessage("PeerJvm of PeerJvmTest has not ended within PT0.2S, and printed nothing");
    }

    @Test
    void hasATimeoutOfAnyLength(PeerJvm peer, PeerJvm other, ProgressEngine engine) throws InterruptedException {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
        peer.timeout(longest).start(Echo.class);
        assertThat(peer.ask("hello")).isEqualTo("hello");
        peer.send("bye");
        assertThat(peer.receive(engine)).isEqualTo("bye");
        peer.close();
        assertThat(peer.await()).isZero();

        other.timeout(longest).start(test -> {});
        assertThatThrownBy(other::receive)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("PeerJvm of PeerJvmTest has ended with exit code 0 instead of sending a line");
    }

    @Test
    void theKillOfAPeerThatDoesNotReadEndsASend(PeerJvm peer) throws InterruptedException {
        peer.start(test -> {
            test.send("ready");
            new CountDownLatch(1).await();
        });
        assertThat(peer.receive()).isEqualTo("ready");
        FutureTask<Boolean> send = new FutureTask<>(() -> peer.send("x".repeat(200_000)), true);
        Thread.ofPlatform().start(send);
        peer.kill();

        assertThatThrownBy(send::get)
                .cause()
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("PeerJvm of PeerJvmTest has ended with exit code 137 before it read \"xxx");
    }

    @Test
    void failsWhereThePeerHasEnded(PeerJvm peer) {
        peer.start(test -> test.send("the only line"));

        assertThatThrownBy(() -> {
                    peer.receive();
                    peer.receive();
                })
                .isInstanceOf(AssertionError.class)
                .hasMessage("PeerJvm of PeerJvmTest has ended with exit code 0 instead of sending a line; it printed:"
                        + NEW_LINE + "the only line" + NEW_LINE);
    }

    @Test
    void canBeSuspendedAndKilled(PeerJvm peer) throws InterruptedException {
        peer.start(Echo.class);
        peer.suspend();
        peer.send("late");
        peer.resume();
        assertThat(peer.receive()).isEqualTo("late");

        peer.kill();
        assertThat(peer.await()).isEqualTo(128 + 9);
        assertThat(peer.process().isAlive()).isFalse();
    }

    @Test
    void isKilledWithTheProcessesThatItHasStarted(PeerJvm peer) throws InterruptedException {
        peer.start(test -> {
            Process child = new ProcessBuilder("sleep", "1000").inheritIO().start();
            test.send("has " + child);
            test.receive();
        });
        assertThat(peer.receive()).startsWith("has Process");

        peer.timeout(Duration.ofMinutes(10)).kill(); // which would wait for the end of the child's output

        assertThat(peer.process().isAlive()).isFalse();
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored")
    void saysWhatIsWrongWithIt(PeerJvm peer) {
        assertThatIllegalStateException().isThrownBy(peer::receive).withMessage("PeerJvm was not started");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> peer.timeout(Duration.ZERO))
                .withMessage("The timeout must be positive: PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> peer.start(test -> test.send(toString())))
                .withMessage(
                        "The program captures an object of io.docajava.junit.PeerJvmTest, which is not serializable. "
                                + "Let it use local variables only, whose values are");
        byte[] large = new byte[100_000];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> peer.start(test -> test.send("has " + large.length)))
                .withMessageMatching(
                        "The program and the values that it captures have 100[0-9]{3} bytes; at most 96000 can be "
                                + "passed. Send further values as lines, or in a file");
        peer.start(Echo.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> peer.ask("one\ntwo"))
                .withMessage("A line cannot have line breaks: \"one\ntwo\"");
        assertThatIllegalStateException()
                .isThrownBy(() -> peer.start(Echo.class))
                .withMessage("PeerJvm Echo was started before");
    }

    @DocaEmulator
    static class Runs {

        private static @Nullable ProcessHandle process;

        @Test
        void leavesItRunning(PeerJvm peer) throws InterruptedException {
            peer.start(test -> {
                System.err.println("I wait");
                test.send("ready");
                test.receive();
            });
            assertThat(peer.receive()).isEqualTo("ready");
            process = peer.process();
        }
    }

    @Test
    void isKilledWithTheTestAndReported() {
        Events events = events(Runs.class);

        assertThat(events.failed().count()).isZero();
        assertThat(Objects.requireNonNull(Runs.process).isAlive()).isFalse();
        assertThat(events.reportingEntryPublished().stream()
                        .map(event ->
                                event.getRequiredPayload(ReportEntry.class).getKeyValuePairs()))
                .singleElement()
                .satisfies(report -> assertThat(report)
                        .hasEntrySatisfying(
                                "PeerJvm of PeerJvmTest",
                                output -> assertThat(output).contains("I wait" + NEW_LINE, "ready" + NEW_LINE)));
    }

    @Test
    void keepsTheOutputOfAKilledPeer(PeerJvm peer) throws InterruptedException {
        peer.start(test -> {
            // The output fits into a pipe.
            System.err.print(NUMBERS);
            test.send("ready");
            test.receive();
        });
        peer.receive();
        peer.kill();

        assertThat(peer.output().replace("ready" + NEW_LINE, "")).isEqualTo(NUMBERS);
    }

    @DocaEmulator
    static class Fails {

        @Test
        void doesNotLook(PeerJvm peer) {
            peer.start(test -> {
                throw new IOException("the reason");
            });
            assertThat(peer.process().onExit().join().isAlive()).isFalse();
        }
    }

    @Test
    void failsTheTestByItsExitCode() {
        assertThat(events(Fails.class).failed().stream()
                        .flatMap(event -> event.getRequiredPayload(TestExecutionResult.class).getThrowable().stream()))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .isInstanceOf(AssertionError.class)
                        .hasMessageStartingWith(
                                "PeerJvm of PeerJvmTest has ended with exit code 1; it printed:" + NEW_LINE
                                        + "Exception in thread \"main\" java.io.IOException: the reason" + NEW_LINE));
    }

    @Test
    void isForCodeWithoutParametersToo() throws InterruptedException {
        Map<String, String> none = Map.of();
        try (PeerJvm peer = PeerJvm.create()) {
            peer.without("logback").start(test -> test.send(none + System.getProperty("java.class.path")));
            assertThat(peer.receive()).startsWith("{}").doesNotContain("logback-classic");
        }
    }
}
