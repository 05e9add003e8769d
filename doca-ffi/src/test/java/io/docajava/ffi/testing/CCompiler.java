/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the machine's C compiler. On a machine without one, a test that calls it is skipped. */
public final class CCompiler {

    private CCompiler() {}

    /** Compiles C source text to a shared library. */
    public static Path library(Path library, String source, String... options) {
        List<String> command = command(options);
        command.addAll(List.of("-shared", "-fPIC", "-o", library.toString(), "-x", "c", write(library, source)));
        Command.output(command);
        return library;
    }

    /** Compiles C source text to a program, runs it, and returns its output. */
    public static String runProgram(Path program, String source, String... options) {
        List<String> command = command(options);
        command.addAll(List.of("-o", program.toString(), "-x", "c", write(program, source)));
        Command.output(command);
        return Command.output(List.of(program.toString()));
    }

    /** Returns the prototypes of all functions that C source text declares, one a line, as the compiler understands them. */
    public static List<String> prototypes(Path output, String source, String... options) {
        List<String> command = command(options);
        command.addAll(List.of("-fsyntax-only", "-aux-info", output.toString(), "-x", "c", write(output, source)));
        Command.output(command);
        try {
            return Files.readAllLines(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(String... options) {
        assumeThat(System.getenv("PATH").split(File.pathSeparator))
                .as("gcc on the PATH")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "gcc")));
        List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of(options));
        return command;
    }

    private static String write(Path beside, String source) {
        try {
            Path file = beside.resolveSibling(beside.getFileName() + ".c");
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.writeString(file, source).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
