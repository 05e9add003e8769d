/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.core.DocaLogLevel;
import io.docajava.ffi.NativeEmulator;
import io.docajava.samples.cli.SampleRunner;
import io.docajava.samples.log.LogLevels;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Runs the samples that its standard input names, one after the other, until the input ends. It is a part of their module. */
final class SampleLoop {

    /** The line of standard output that says that it reads runs. */
    static final String READY = "Ready for runs";

    /** The beginning of the line that ends the output of a run on either stream. The exit code follows. */
    static final String END = "End of run, exit code ";

    private static final long PATIENCE_MILLIS = 300_000;

    private SampleLoop() {}

    /** Reads the runs: for each of them the number of arguments, the arguments, and the settings of the emulator. */
    @SuppressWarnings("SystemOut") // as the samples do
    public static void main(String[] none) throws IOException, ReflectiveOperationException {
        DataInputStream runs = new DataInputStream(System.in);
        EmulatorSettings before = EmulatorSettings.NONE;
        System.out.println(READY);
        for (int count = runs.read(); count >= 0; count = runs.read()) {
            String[] arguments = new String[count];
            for (int i = 0; i < count; i++) {
                arguments[i] = runs.readUTF();
            }
            EmulatorSettings settings = EmulatorSettings.read(runs);
            if (!settings.equals(EmulatorSettings.NONE) || !before.equals(EmulatorSettings.NONE)) {
                apply(settings);
            }
            before = settings;
            String end = END + new SampleRunner(Launcher.class).run(arguments);
            awaitSdkLog();
            System.out.println(end);
            System.err.println(end);
        }
    }

    /** Applies the settings, which the emulator logs at INFO. An earlier run may have set a lower level. The faults count from here. */
    private static void apply(EmulatorSettings settings) {
        LogLevels.setSdk(DocaLogLevel.WARNING);
        NativeEmulator.configure(orNull(settings.role()), orNull(settings.topology()), orNull(settings.engine()));
        NativeEmulator.setFaults(settings.faults());
    }

    private static @Nullable String orNull(String value) {
        return value.isEmpty() ? null : value;
    }

    /** Waits for the SDK's records, which a separate thread prints, so that they do not appear in the next run. */
    private static void awaitSdkLog() throws ReflectiveOperationException {
        Method awaitDelivery = Class.forName("io.docajava.ffi.log.SdkLog").getMethod("awaitDelivery", long.class);
        try {
            awaitDelivery.invoke(null, PATIENCE_MILLIS);
        } catch (InvocationTargetException refusal) {
            // The run has ended before it loaded the libraries.
            if (!(refusal.getCause() instanceof IllegalStateException)) {
                throw refusal;
            }
        }
    }
}
