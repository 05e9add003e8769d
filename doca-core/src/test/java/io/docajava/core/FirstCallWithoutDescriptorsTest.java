/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.FolderClasses;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.testing.NeedsEmulator;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a process whose first call of DOCA finds no free file descriptor. */
@NeedsEmulator
@Timeout(600)
class FirstCallWithoutDescriptorsTest {

    private static final String REMEDY =
            "The DOCA libraries cannot be loaded now: this process has too many open files: close some,"
                    + " or raise the limit (ulimit -n). The next call tries again; the cause shows what this one could not open.";

    /** Whatever a call can still open, it succeeds or names the limit, and works with more descriptors. */
    @Test
    void namesTheLimitAndSucceedsLater() throws Exception {
        List<String> output = new ChildJvm().run(Probe.class);
        assertThat(output.getLast()).isEqualTo("opened");
        assertThat(output.subList(0, output.size() - 1)).isNotEmpty().containsOnly(REMEDY);
    }

    /** Nothing is known about an installed SDK while its folders cannot be read. */
    @Test
    void doesNotSayThatAnSdkIsInstalled() throws Exception {
        List<String> output = new ChildJvm().option("-Ddoca.backend=sdk").run(Probe.class, "causes");
        assertThat(output)
                .contains("An installed DOCA SDK cannot be searched for now.")
                .doesNotContain("A DOCA SDK is installed, but cannot be loaded.");
    }

    /** Runs in a process of its own, whose descriptors it uses up. */
    static final class Probe {

        private Probe() {}

        public static void main(String[] arguments) throws Exception {
            FolderClasses.load(Probe.class.getClassLoader());
            List<FileInputStream> all = new ArrayList<>();
            List<String> messages = new ArrayList<>();
            try {
                while (true) {
                    all.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException limit) {
                // All are in use.
            }
            boolean opened = false;
            while (!opened) {
                try {
                    Device.open(DeviceFilter.any()).close();
                    opened = true;
                } catch (DocaLibraryException failure) {
                    messages.add(failure.getMessage());
                    if (arguments.length > 0) {
                        Throwable cause = failure.getCause();
                        opened = cause == null;
                        messages.addAll(String.valueOf(cause == null ? failure : cause.getMessage())
                                .lines()
                                .toList());
                    }
                } finally {
                    all.removeLast().close();
                }
            }
            all.forEach(Probe::close);
            messages.forEach(System.out::println);
            System.out.println("opened");
        }

        private static void close(FileInputStream file) {
            try {
                file.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
