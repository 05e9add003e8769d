/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.samples.cli.SampleRunner;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs one sample after the other, as a part of their module: each that its standard input asks for, until that ends. */
final class SampleLoop {

    /** Begins the line that ends what a run prints to either stream; the exit code follows. */
    static final String END = "End of run, exit code ";

    private static final long PATIENCE_MILLIS = 10_000;

    private SampleLoop() {}

    /** Reads the number of arguments, and the arguments, of one run after the other. */
    @SuppressWarnings("SystemOut") // as the samples
    public static void main(String[] none) throws IOException, ReflectiveOperationException {
        DataInputStream runs = new DataInputStream(System.in);
        for (int count = runs.read(); count >= 0; count = runs.read()) {
            String[] arguments = new String[count];
            for (int i = 0; i < count; i++) {
                arguments[i] = runs.readUTF();
            }
            String end = END + new SampleRunner(Launcher.class).run(arguments);
            awaitSdkLog();
            System.out.println(end);
            System.err.println(end);
        }
    }

    /** The SDK's records come on a thread of their own: those of one run must not be printed in the next one. */
    private static void awaitSdkLog() throws ReflectiveOperationException {
        Method awaitDelivery = Class.forName("io.docajava.ffi.log.SdkLog").getMethod("awaitDelivery", long.class);
        try {
            awaitDelivery.invoke(null, PATIENCE_MILLIS);
        } catch (InvocationTargetException refusal) {
            // The run did not come as far as to load the libraries.
            if (!(refusal.getCause() instanceof IllegalStateException)) {
                throw refusal;
            }
        }
    }
}
