/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.internal.memory.BufImpl;
import io.docajava.core.testing.ChildJvm;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.testing.NeedsEmulator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests an SDK without functions of later releases: the emulator, some functions of which are renamed. */
@Timeout(600)
@NeedsEmulator
class OlderSdkTest {

    private static final String AIM = "doca_buf_inventory_buf_reuse_by_args";
    private static final String EXPAND = "doca_buf_inventory_expand";
    private static final String MKEY = "doca_mmap_get_mkey";

    @Test
    void aimsBuffersAsWellAndSaysWhatItCannotDo(@TempDir Path folder) throws Exception {
        Path library = Path.of(DocaLibrary.load().libraryPath("common"));
        // The files are identical except for the names. Only the end of a name is compared,
        // as a name may be the end of a longer one.
        String bytes = Files.readString(library, StandardCharsets.ISO_8859_1);
        Files.writeString(
                folder.resolve("libdoca_common.so.2"),
                bytes.replace(AIM + "\0", AIM.replace("doca", "none") + "\0")
                        .replace(EXPAND + "\0", EXPAND.replace("doca", "none") + "\0")
                        .replace(MKEY + "\0", MKEY.replace("doca", "none") + "\0"),
                StandardCharsets.ISO_8859_1);

        assertThat(new ChildJvm().option("-Ddoca.library.path=" + folder).run(Main.class))
                .last()
                .isEqualTo("all is well");
    }

    /** Runs with that SDK. */
    static final class Main {

        private Main() {}

        public static void main(String[] args) {
            assertThat(DocaLibrary.load().has(AIM)).isFalse();
            assertThat(DocaLibrary.load().has(EXPAND)).isFalse();
            try (Device device = Device.open(DeviceFilter.any());
                    Mmap memory = Mmap.allocate(device, 8192, Access.LOCAL_READ_WRITE);
                    BufInventory inventory = BufInventory.create(2)) {
                inventory.data(memory, 0, 10);
                aims(inventory.data(memory, 0, 10));
                assertThat(inventory.available()).isZero();
                assertThatExceptionOfType(DocaFunctionException.class)
                        .isThrownBy(() -> inventory.expand(1))
                        .withMessageContaining(EXPAND)
                        .withMessageEndingWith("it came with DOCA 3.0.");
                assertThat(inventory.size()).isEqualTo(2);
                assertThatExceptionOfType(DocaFunctionException.class)
                        .isThrownBy(() -> RdmaBridge.mkey(memory, device))
                        .withMessageContaining(MKEY)
                        .withMessageEndingWith("it came with DOCA 3.2.");
            }
            System.out.println("all is well");
        }

        private static void aims(Buf buf) {
            for (int i = 0; i < 100; i++) {
                assertThat(buf.reuseAsData(i, 100)).isSameAs(buf);
                assertThat(buf.offset()).isEqualTo(i);
                assertThat(buf.dataLength()).isEqualTo(100);
                Mirrors.assertTrue(buf);
                assertThat(buf.reuseAsSpace(4096, i).remaining()).isEqualTo(i);
                Mirrors.assertTrue(buf);
            }
            assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> buf.reuseAsData(8192, 1));
            assertThat(BufImpl.list(buf).isSingle()).isTrue();
        }
    }
}
