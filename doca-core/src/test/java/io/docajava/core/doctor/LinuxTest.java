/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.doctor.MachineReport.LockedMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinuxTest {

    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    private Path process;

    @Test
    void readsHowMuchMemoryMayBeLocked() throws IOException {
        write("8388608", "0000000000000000");

        LockedMemory memory = Linux.lockedMemory(process);

        assertThat(memory).isEqualTo(new LockedMemory(OptionalLong.of(8 * MEBIBYTE), false));
        assertThat(memory.allows(8 * MEBIBYTE)).isTrue();
        assertThat(memory.allows(8 * MEBIBYTE + 1)).isFalse();
    }

    @Test
    void readsThatThereIsNoLimit() throws IOException {
        write("unlimited", "0000000000000000");

        LockedMemory memory = Linux.lockedMemory(process);

        assertThat(memory).isEqualTo(new LockedMemory(OptionalLong.empty(), false));
        assertThat(memory.allows(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void readsThatTheLimitDoesNotBind() throws IOException {
        write("0", "0000000000004000");

        LockedMemory memory = Linux.lockedMemory(process);

        assertThat(memory).isEqualTo(new LockedMemory(OptionalLong.of(0), true));
        assertThat(memory.allows(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void trustsTheCapabilityInTheNamespaceOfTheMachine() throws IOException {
        write("65536", "0000000000004000");
        Files.writeString(process.resolve("uid_map"), "         0          0 4294967295\n");

        assertThat(Linux.lockedMemory(process).privileged()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"         0       1000          1\n         1     100000      65536\n", "0 0 65536\n", ""})
    void ignoresTheCapabilityInOtherUserNamespaces(String users) throws IOException {
        write("65536", "000001ffffffffff");
        Files.writeString(process.resolve("uid_map"), users);

        LockedMemory memory = Linux.lockedMemory(process);

        assertThat(memory).isEqualTo(new LockedMemory(OptionalLong.of(65536), false));
        assertThat(memory.allows(65537)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"18446744073709551615", "99999999999999999999", "-1", "many"})
    void takesWhatIsNoLimitForNone(String limit) throws IOException {
        write(limit, "no capabilities");

        assertThat(Linux.lockedMemory(process)).isEqualTo(new LockedMemory(OptionalLong.empty(), false));
    }

    @Test
    void readsWhatNamesOfProcessesMakeNoTextOfUtf8() throws IOException {
        Files.write(process.resolve("status"), "Name:\t\u00e4\nCapEff:\t4000\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(Linux.lockedMemory(process).privileged()).isTrue();
    }

    @Test
    void interruptedThreadsReadTheLimit() throws IOException {
        write("65536", "0000000000004000");
        Thread.currentThread().interrupt();
        try {
            assertThat(Linux.lockedMemory(process)).isEqualTo(new LockedMemory(OptionalLong.of(65536), true));
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void takesWhatCannotBeReadForNoLimit() throws IOException {
        Files.createDirectory(process.resolve("limits"));
        Files.createDirectory(process.resolve("status"));

        assertThat(Linux.lockedMemory(process)).isEqualTo(new LockedMemory(OptionalLong.empty(), false));
    }

    @Test
    void takesSilenceForNoLimit() {
        assertThat(Linux.lockedMemory(process)).isEqualTo(new LockedMemory(OptionalLong.empty(), false));
    }

    private void write(String limit, String capabilities) throws IOException {
        Files.writeString(process.resolve("limits"), """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             95951                95951                processes
                Max locked memory         %s              8388608              bytes
                """.formatted(limit));
        Files.writeString(process.resolve("status"), "CapPrm:\tffffffffffffffff\nCapEff:\t" + capabilities + "\n");
    }
}
