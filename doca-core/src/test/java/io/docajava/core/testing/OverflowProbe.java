/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.testing;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.memory.Access;
import io.docajava.core.memory.Mmap;
import io.docajava.core.memory.MmapCapabilities;
import io.docajava.core.memory.MmapExport;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.core.sync.SyncEvent;
import io.docajava.core.sync.SyncEventExport;
import io.docajava.core.sync.SyncLocation;
import io.docajava.core.sync.SyncWait;
import io.docajava.ffi.DocaVersion;
import io.docajava.testing.IsolatedLoader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/**
 * Makes the first call of doca-java at the end of the stack, and again some frames higher each time that it overflows. Each kind of
 * call is the first one in its own class loader, except for the calls in its constructor that create what it needs. A class whose initialization overflows the stack cannot be used again; prints
 * for each kind of call what it and all of doca-java does afterwards.
 */
public final class OverflowProbe {

    private static final long STACK_SIZE = 512 * 1024;

    /** The number of frames between two attempts. */
    private static final int STEP = 8;

    private static final List<Class<? extends Runnable>> CALLS = List.of(
            LoaderProbe.Load.class,
            GetLogLevel.class,
            ListDevices.class,
            CreateEngine.class,
            StartLoop.class,
            CreateMmapExport.class,
            ParseSyncEventExport.class,
            ParseVersion.class,
            RegisterMemory.class,
            ExportMemory.class,
            ReadSyncEvent.class,
            AwaitSyncEvent.class,
            ExportSyncEvent.class);

    private OverflowProbe() {}

    /** Runs without arguments. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] none) throws Exception {
        for (Class<? extends Runnable> call : CALLS) {
            System.out.println(call.getSimpleName() + ": " + outcome(call));
        }
    }

    private static String outcome(Class<? extends Runnable> call) throws Exception {
        try (IsolatedLoader loader = new IsolatedLoader()) {
            loader.loadAll();
            List<Throwable> failures = new ArrayList<>();
            Runnable first = loader.create(call);
            int overflows = onSmallStack(first, failures);
            try {
                close(first);
                for (Class<? extends Runnable> later : CALLS) {
                    Runnable again = loader.create(later);
                    again.run();
                    close(again);
                }
                // The thread of the log uses the loader, which is closed now.
                loader.run(Shutdown.class);
            } catch (Throwable failure) {
                failures.add(failure);
            }
            if (overflows == 0) {
                return "has not overflowed";
            }
            return failures.isEmpty() ? "works after overflows" : failures + " after " + overflows + " overflows";
        }
    }

    private static void close(Runnable call) throws Exception {
        if (call instanceof AutoCloseable objects) {
            objects.close();
        }
    }

    private static int onSmallStack(Runnable call, List<Throwable> failures) throws Exception {
        int[] overflows = new int[1];
        FutureTask<Void> descent = new FutureTask<>(() -> {
            try {
                attempt(call, overflows);
            } catch (Throwable failure) {
                failures.add(failure);
            }
            return null;
        });
        new Thread(null, descent, "small stack", STACK_SIZE).start();
        descent.get();
        return overflows[0];
    }

    @SuppressWarnings("InfiniteRecursion") // recursion is intended
    private static void attempt(Runnable call, int[] overflows) {
        try {
            attempt(call, overflows);
            return;
        } catch (StackOverflowError e) {
            overflows[0]++;
            if (overflows[0] % STEP != 0) {
                throw e;
            }
        }
        call.run();
    }

    /** {@code Doca.sdkLogLevel()}. */
    public static final class GetLogLevel implements Runnable {
        @Override
        public void run() {
            Doca.sdkLogLevel();
        }
    }

    /** {@code Device.list()}. */
    public static final class ListDevices implements Runnable {
        @Override
        public void run() {
            Device.list();
        }
    }

    /** {@code ProgressEngine.create()}. */
    public static final class CreateEngine implements Runnable {
        @Override
        public void run() {
            ProgressEngine.create().close();
        }
    }

    /** {@code ProgressLoop.start()}. */
    public static final class StartLoop implements Runnable {
        @Override
        public void run() {
            ProgressLoop.start().close();
        }
    }

    /** {@code MmapExport.of(...)}. */
    public static final class CreateMmapExport implements Runnable {
        @Override
        public void run() {
            MmapExport.of(new byte[1], 4096, 4096);
        }
    }

    /** {@code SyncEventExport.parse(...)}. */
    public static final class ParseSyncEventExport implements Runnable {
        @Override
        public void run() {
            try {
                SyncEventExport.parse(new byte[1]);
            } catch (IllegalArgumentException e) {
                // One byte is no export.
            }
        }
    }

    /** {@code DocaVersion.parse(...)}. */
    public static final class ParseVersion implements Runnable {
        @Override
        public void run() {
            DocaVersion.parse("3.0");
        }
    }

    /** {@code Doca.shutdown()}. */
    public static final class Shutdown implements Runnable {
        @Override
        public void run() {
            Doca.shutdown();
        }
    }

    /** A call that needs a device. */
    public abstract static class DeviceCall implements Runnable, AutoCloseable {

        final Device device = Device.open(DeviceFilter.pciAddress("03:00.0"));

        @Override
        public void close() {
            device.close();
        }
    }

    /** A call that needs a sync event. */
    public abstract static class EventCall extends DeviceCall {

        final SyncEvent event;

        EventCall(SyncLocation publisher) {
            event = SyncEvent.builder(device)
                    .publisher(publisher)
                    .subscriber(SyncLocation.CPU)
                    .start();
        }

        @Override
        public void close() {
            event.close();
            super.close();
        }
    }

    /** {@code Mmap.register(...)}. */
    public static final class RegisterMemory extends DeviceCall {
        private final MemorySegment memory = Arena.ofAuto().allocate(64, 64);
        private final Access access = Access.LOCAL_READ_ONLY;

        @Override
        public void run() {
            Mmap.register(device, memory, access).close();
        }
    }

    /** {@code Mmap.exportPci(...)}. */
    public static final class ExportMemory extends DeviceCall {
        private final Mmap memory = Mmap.allocate(device, 64, Access.PCI_READ_ONLY);

        @Override
        public void run() {
            // Before release 2.5, only a host can.
            if (MmapCapabilities.isExportPciSupported(device.info())) {
                memory.exportPci(device);
            }
        }

        @Override
        public void close() {
            memory.close();
            super.close();
        }
    }

    /** {@code SyncEvent.get()}. */
    public static final class ReadSyncEvent extends EventCall {
        public ReadSyncEvent() {
            super(SyncLocation.CPU);
        }

        @Override
        public void run() {
            event.get();
        }
    }

    /** {@code SyncWait.untilEqual(...)}. */
    public static final class AwaitSyncEvent extends EventCall {
        private final SyncWait await = event.newWait();

        public AwaitSyncEvent() {
            super(SyncLocation.CPU);
        }

        @Override
        public void run() {
            try {
                await.untilEqual(0);
            } catch (TimeoutException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** {@code SyncEvent.exportPci(...)}. */
    public static final class ExportSyncEvent extends EventCall {
        public ExportSyncEvent() {
            super(SyncLocation.REMOTE_PCI);
        }

        @Override
        public void run() {
            event.exportPci(device);
        }
    }
}
