/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BundledEmulatorTest {

    @BeforeAll
    static void chooseTheEmulator() {
        System.setProperty("doca.backend", "emulator");
    }

    @Test
    void docaFfiFindsTheEmulatorInTheJar() {
        DocaLibrary library = DocaLibrary.load();

        assertThat(library.backend()).isEqualTo(Backend.EMULATOR);
        assertThat(library.version()).isEqualTo(new DocaVersion(3, 0, 58));
    }

    @ParameterizedTest
    @ValueSource(strings = {"common", "dma", "rdma", "comch"})
    void everyLibraryIsLoadedFromTheUnpackedFolder(String library) {
        Path path = Path.of(DocaLibrary.load().libraryPath(library));

        assertThat(path).hasFileName("libdoca_" + library + ".so.2").isRegularFile();
        assertThat(path)
                .hasParentRaw(Path.of(DocaLibrary.load().libraryPath("common")).getParent());
    }
}
