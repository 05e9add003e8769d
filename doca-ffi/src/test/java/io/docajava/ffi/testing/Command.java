/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Runs a command to its end. */
public final class Command {

    private Command() {}

    /**
     * The result of a command.
     *
     * @param exitCode 0 for success
     * @param output both streams, in the order of their output
     */
    public record Result(int exitCode, String output) {}

    /** Runs a command with additional environment variables; an empty value removes a variable. */
    public static Result run(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + command, e);
        }
    }

    /** Runs a command that must succeed, and returns its output. */
    public static String output(List<String> command) {
        Result result = run(command, Map.of());
        if (result.exitCode() != 0) {
            throw new IllegalStateException(command + " ended with " + result.exitCode() + ":\n" + result.output());
        }
        return result.output();
    }
}
