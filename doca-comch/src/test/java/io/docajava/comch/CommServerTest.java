/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.DocaException;
import io.docajava.core.context.ContextState;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.device.RepresentorFilter;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.emulator.EmulatorEnvironment;
import io.docajava.junit.DocaExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests servers without clients: their configuration, and refused calls. */
@ExtendWith(DocaExtension.class)
@Timeout(600)
@DisabledIfEnvironmentVariable(named = EmulatorEnvironment.ROLE, matches = "host")
class CommServerTest {

    private static final String PLACE = "0000:03:00.0 (mlx5_0)";

    private final String name = ServerLab.uniqueName();
    private Device device;
    private DeviceRepresentor representor;
    private ProgressEngine engine;

    @BeforeEach
    void open() {
        device = Device.open(DeviceFilter.pciAddress("03:00.0"));
        representor = DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.0"));
        engine = ProgressEngine.create();
    }

    @AfterEach
    void close() {
        engine.close();
        representor.close();
        device.close();
    }

    private CommServerBuilder builder() {
        return CommServer.builder(device, representor, name);
    }

    private CommServer start(CommServerBuilder builder) {
        return builder.start(engine, (connection, message) -> {});
    }

    @Test
    void readsTheCapabilitiesOfADevice() {
        CommCapabilities capabilities = new CommCapabilities(true, false, 4080, 8192, 8192, 119, 512);

        assertThat(CommCapabilities.of(device.info())).isEqualTo(capabilities);
        try (CommServer server = start(builder())) {
            assertThat(server.capabilities()).isEqualTo(capabilities);
        }
    }

    @Test
    void runsAtOnceAndDescribesItself() {
        List<ContextState> states = new ArrayList<>();
        try (CommServer server = start(builder()
                .maxMessageSize(100)
                .receiveQueueSize(5)
                .maxSends(3)
                .closeTimeout(Duration.ofSeconds(1))
                .listener((context, previous, next) -> states.add(next)))) {
            assertThat(server.state()).isEqualTo(ContextState.RUNNING);
            assertThat(server.name()).isEqualTo(name);
            assertThat(server.limits()).isEqualTo(new CommLimits(100, 5, 3));
            assertThat(server.device()).isSameAs(device);
            assertThat(server.representor()).isSameAs(representor);
            assertThat(server.engine()).isSameAs(engine);
            assertThat(server.connections()).isEmpty();
            assertThat(server.failure()).isEmpty();
            assertThat(server)
                    .hasToString("CommServer \"" + name + "\" on " + PLACE + " for "
                            + representor.info().displayName());
            server.stop();
            assertThat(server.state()).isEqualTo(ContextState.IDLE);
            server.restart();
        }
        assertThat(states)
                .containsExactly(ContextState.RUNNING, ContextState.IDLE, ContextState.RUNNING, ContextState.IDLE);
    }

    @Test
    void refusesWhatNoChannelCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().maxMessageSize(0))
                .withMessage("A comm channel needs 1 or more bytes of a message: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().receiveQueueSize(-1))
                .withMessage("A comm channel needs 1 or more messages of a receive queue: -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().maxSends(0))
                .withMessage("A comm channel needs 1 or more sends in flight: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().closeTimeout(Duration.ofMillis(-1)))
                .withMessage("The close timeout must not be negative: PT-0.001S");
    }

    @Test
    void refusesWhatTheDeviceDoesNotOffer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(builder().maxMessageSize(4081)))
                .withMessage("A comm server on " + PLACE + " can have 4080 bytes in a message at most: 4081");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(builder().receiveQueueSize(8193)))
                .withMessage(
                        "A comm server on " + PLACE + " can have 8192 messages in its receive queue at most: 8193");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(builder().maxSends(8193)))
                .withMessage("A comm server on " + PLACE + " can have 8192 sends in flight at most: 8193");
    }

    @Test
    void refusesNamesThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(CommServer.builder(device, representor, "")))
                .withMessage("The name of a comm server on " + PLACE + " has 1 to 119 bytes in UTF-8 and no NUL: \"\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(CommServer.builder(device, representor, "a\0b")))
                .withMessage(
                        "The name of a comm server on " + PLACE + " has 1 to 119 bytes in UTF-8 and no NUL: \"a\\0b\"");
        String tooLong = "\u00e4".repeat(60);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(CommServer.builder(device, representor, tooLong)))
                .withMessage("The name of a comm server on " + PLACE + " has 1 to 119 bytes in UTF-8 and no NUL: \""
                        + tooLong + "\"");
        String longest = name + "x".repeat(119 - name.length());
        start(CommServer.builder(device, representor, longest)).close();
    }

    @Test
    void refusesNamesThatAreNoText() {
        String refusal =
                "The name of a comm server on " + PLACE + " is a text in UTF-8, and cannot have half of a character: ";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(CommServer.builder(device, representor, "ab\ud83d")))
                .withMessage(refusal + "\\ud83d at index 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> start(CommServer.builder(device, representor, "\ud83d\ude00\ude00")))
                .withMessage(refusal + "\\ude00 at index 2");
        start(CommServer.builder(device, representor, name + "\ud83d\ude00")).close();
    }

    @Test
    void refusesARepresentorOfAnotherDevice() {
        try (Device other = Device.open(DeviceFilter.pciAddress("03:00.0"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> start(CommServer.builder(other, representor, name)))
                    .withMessage(representor + " was not opened on this Device " + PLACE);
        }
    }

    @Test
    void refusesADeviceThatIsNotForServers() {
        try (Device subFunction = Device.open(DeviceFilter.ibDevice("mlx5_2"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> start(CommServer.builder(subFunction, representor, name)))
                    .withMessage("0000:03:00.0 (mlx5_2) cannot have a comm server: servers are on the DPU");
        }
    }

    @Test
    void thereIsOneServerOfAName() {
        try (CommServer server = start(builder())) {
            assertThatThrownBy(() -> start(builder()))
                    .isInstanceOf(DocaException.class)
                    .hasMessageStartingWith(
                            "Starting the " + server + ": doca_ctx_start failed with DOCA_ERROR_CONNECTION_ABORTED (");
        }
        start(builder()).close();
    }

    @Test
    void functionsMayHaveAServerOfTheSameNameEach() {
        try (DeviceRepresentor other = DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.2"));
                CommServer server = start(builder());
                CommServer second = start(CommServer.builder(device, other, name))) {
            assertThat(server.state()).isEqualTo(ContextState.RUNNING);
            assertThat(second.state()).isEqualTo(ContextState.RUNNING);
        }
    }

    @Test
    void clientsAreNotForTheDpu() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommClient.builder(device, name).start(engine, (connection, message) -> {}))
                .withMessage(PLACE + " cannot have a comm client: clients are on the host");
    }

    @Test
    void keepsItsDeviceAndRepresentorOpen() {
        try (CommServer server = start(builder())) {
            assertThatIllegalStateException()
                    .isThrownBy(representor::close)
                    .withMessage(representor + " cannot be closed while in use by: " + server);
            assertThatIllegalStateException()
                    .isThrownBy(device::close)
                    .withMessageStartingWith("Device " + PLACE + " cannot be closed while in use by: ");
        }
    }

    @Test
    void isOfNoUseWhenClosed() {
        CommServer server = start(builder());
        server.close();
        server.close();

        String closed = server + " is closed";
        assertThatIllegalStateException().isThrownBy(server::connections).withMessage(closed);
        assertThatIllegalStateException().isThrownBy(server::stop).withMessage(closed);
        assertThatIllegalStateException().isThrownBy(server::restart).withMessage(closed);
        assertThatIllegalStateException().isThrownBy(server::inFlight).withMessage(closed);
    }

    @Test
    void closedThingsMakeNoServer() {
        DeviceRepresentor gone = DeviceRepresentor.open(device, RepresentorFilter.pciAddress("0b:00.2"));
        gone.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> start(CommServer.builder(device, gone, name)))
                .withMessage(gone + " is closed");
        ProgressEngine ended = ProgressEngine.create();
        ended.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> builder().start(ended, (connection, message) -> {}))
                .withMessageEndingWith(" is closed");
    }
}
