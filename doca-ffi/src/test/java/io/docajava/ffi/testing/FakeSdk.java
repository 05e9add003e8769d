/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Libraries that have the names and the functions of a DOCA release, and nothing behind them. */
public final class FakeSdk {

    /** The functions that doca-java tells a release by. */
    private static final List<String> SINCE_2_5 = List.of("doca_pe_connect_ctx", "doca_devinfo_create_list");

    private final List<String> functions = new ArrayList<>();
    private final StringBuilder source = new StringBuilder();
    private final List<String> options = new ArrayList<>();

    /** A library that exports nothing. */
    public FakeSdk() {}

    /** A libdoca_common that says it is a release from 2.5 on, and has what every such release has. */
    public static FakeSdk common(String version) {
        return new FakeSdk().version(version).functions(SINCE_2_5);
    }

    /** With a version to report. */
    public FakeSdk version(String version) {
        return code("const char *doca_version_runtime(void) { return \"" + version + "\"; }");
    }

    /** With functions that take nothing and give 0. */
    public FakeSdk functions(List<String> names) {
        functions.addAll(names);
        return this;
    }

    /** With functions that take nothing and give 0. */
    public FakeSdk functions(String... names) {
        return functions(List.of(names));
    }

    /** With C code. */
    public FakeSdk code(String code) {
        source.append(code).append('\n');
        return this;
    }

    /** With options for the compiler. */
    public FakeSdk options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Compiles the library to a file whose name is its soname as well. */
    public Path compile(Path file) {
        StringBuilder all = new StringBuilder(source);
        functions.forEach(name -> all.append("int ").append(name).append("(void) { return 0; }\n"));
        List<String> compilerOptions = new ArrayList<>(options);
        compilerOptions.add("-Wl,-soname," + file.getFileName());
        return CCompiler.library(file, all.toString(), compilerOptions.toArray(String[]::new));
    }
}
