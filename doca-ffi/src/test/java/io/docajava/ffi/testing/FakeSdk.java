/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Libraries with the names and functions of a DOCA release, but without an implementation. */
public final class FakeSdk {

    /** The functions by which doca-java recognizes a release. */
    private static final List<String> SINCE_2_5 = List.of("doca_pe_connect_ctx", "doca_devinfo_create_list");

    private final List<String> functions = new ArrayList<>();
    private final StringBuilder source = new StringBuilder();
    private final List<String> options = new ArrayList<>();

    /** Creates a library that exports nothing. */
    public FakeSdk() {}

    /** Creates a libdoca_common that reports this version and has the functions of every release since 2.5. */
    public static FakeSdk common(String version) {
        return new FakeSdk().version(version).functions(SINCE_2_5);
    }

    /** Sets the version to report. */
    public FakeSdk version(String version) {
        return code("const char *doca_version_runtime(void) { return \"" + version + "\"; }");
    }

    /** Adds functions that have no parameters and return 0. */
    public FakeSdk functions(List<String> names) {
        functions.addAll(names);
        return this;
    }

    /** Adds functions that have no parameters and return 0. */
    public FakeSdk functions(String... names) {
        return functions(List.of(names));
    }

    /** Adds C code. */
    public FakeSdk code(String code) {
        source.append(code).append('\n');
        return this;
    }

    /** Adds options for the compiler. */
    public FakeSdk options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Compiles the library to a file. The name of the file is also its soname. */
    public Path compile(Path file) {
        StringBuilder all = new StringBuilder(source);
        functions.forEach(name -> all.append("int ").append(name).append("(void) { return 0; }\n"));
        List<String> compilerOptions = new ArrayList<>(options);
        compilerOptions.add("-Wl,-soname," + file.getFileName());
        return CCompiler.library(file, all.toString(), compilerOptions.toArray(String[]::new));
    }
}
