/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.fuzz;

import io.docajava.DocaException;
import io.docajava.core.device.DeviceNotFoundException;
import io.docajava.core.device.RepresentorNotFoundException;
import io.docajava.core.memory.HugePagesException;
import io.docajava.core.progress.Completion;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.sync.SyncWait;
import io.docajava.emulator.EmulatorFaults;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.samples.PublicApi;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls public methods at random: on open and closed objects that earlier calls returned, with any arguments, on the wrong
 * thread, in callbacks, and on a nearly full stack. Each call is written to a file before it is made. The program ends with
 * an error when a call throws an unexpected exception, takes too long, or leaks native objects after everything is closed, or
 * when a future of an operation is not done by then.
 */
final class HostileCalls {

    private static final List<String> MODULES =
            List.of("io.docajava.core", "io.docajava.dma", "io.docajava.rdma", "io.docajava.comch");

    /** The number of calls of a seed, without those in callbacks. */
    private static final int CALLS = 400;

    /** The average number of calls after which a new set of working objects is created. */
    private static final int CALLS_OF_KIT = 60;

    /** The maximum depth of callbacks that call methods that run callbacks. */
    private static final int MAX_NESTING = 2;

    /** The maximum number of calls in callbacks of one seed, so that callbacks that submit again come to an end. */
    private static final int MAX_NESTED_CALLS = 600;

    private static final long STACK_SIZE = 512 * 1024;

    /** The time after which a call counts as hanging. */
    private static final long MAX_CALL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Calls that wait until another call ends the wait, or that are not the subject of this test. */
    private static final Set<String> EXCLUDED = Set.of(
            "Completion.get",
            "Completion.join",
            "Completion.await/0",
            "ProgressEngine.await/1",
            "SyncWait.timeout",
            "IdleStrategy.idle",
            "Doca.setSdkLogLevel",
            "Doca.sdkLogLevel/1",
            "SyncEventBuilder.memoryUnchecked",
            "MmapBuilder.registerUnchecked",
            "Mmap.registerUnchecked");

    private static final List<Class<? extends Throwable>> ACCEPTED = List.of(
            IllegalStateException.class,
            IllegalArgumentException.class,
            IndexOutOfBoundsException.class,
            UnsupportedOperationException.class,
            TimeoutException.class,
            DocaException.class,
            DocaFunctionException.class,
            DeviceNotFoundException.class,
            RepresentorNotFoundException.class,
            HugePagesException.class,
            IOException.class,
            RejectedExecutionException.class,
            CompletionException.class,
            HostileArguments.Thrown.class);

    private static final AtomicLong CALL_STARTED = new AtomicLong();
    private static final AtomicReference<@Nullable String> DEFECT = new AtomicReference<>();
    private static long calls;

    private final List<Method> statics = new ArrayList<>();
    private final Map<Class<?>, List<Method>> methods;
    private final OutputStream record;
    private final Random random;
    private final Objects objects;
    private final HostileArguments arguments;
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private int nestedCalls;
    /** True while a call runs on a nearly full stack. The stack may overflow in its callbacks as well. */
    private volatile boolean deep;

    private HostileCalls(Map<Class<?>, List<Method>> methods, OutputStream record, long seed) {
        this.methods = methods;
        this.record = record;
        this.random = new Random(seed);
        this.objects = new Objects(random);
        this.arguments = new HostileArguments(random, objects, this::callInCallback);
        methods.values()
                .forEach(list -> list.stream()
                        .filter(method -> Modifier.isStatic(method.getModifiers()))
                        .forEach(statics::add));
    }

    /** Takes the file for the calls, the first seed, and the number of seeds. */
    public static void main(String[] args) throws Exception {
        Map<Class<?>, List<Method>> methods = methods();
        long first = Long.parseLong(args[1]);
        int seeds = Integer.parseInt(args[2]);
        startWatchdog();
        try (OutputStream record = Files.newOutputStream(Path.of(args[0]))) {
            // Some objects are created on first use and live as long as the process.
            HostileCalls warmUp = new HostileCalls(methods, record, 0);
            warmUp.newKit();
            warmUp.closeAll();
            for (long seed = first; seed < first + seeds; seed++) {
                record.write(("seed " + seed + "\n").getBytes(StandardCharsets.UTF_8));
                HostileCalls run = new HostileCalls(methods, record, seed);
                Thread thread = new Thread(null, run::run, "hostile", STACK_SIZE);
                thread.start();
                thread.join();
                String defect = DEFECT.get();
                if (defect != null) {
                    System.out.println("With -Ddoca.seed=" + seed + ": " + defect);
                    System.out.flush();
                    Runtime.getRuntime().halt(1);
                }
            }
        }
        System.out.println("calls: " + calls);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static Map<Class<?>, List<Method>> methods() throws Exception {
        Map<Class<?>, List<Method>> methods = new LinkedHashMap<>();
        for (Class<?> type : PublicApi.types(MODULES)) {
            if (type.getPackageName().endsWith(".doctor")
                    || type.getPackageName().endsWith(".exchange")) {
                continue;
            }
            List<Method> own = Arrays.stream(type.getMethods())
                    .filter(method -> method.getDeclaringClass().getName().startsWith("io.docajava."))
                    .filter(method -> !method.isSynthetic() && !isExcluded(method))
                    .sorted(Comparator.comparing(Method::toGenericString))
                    .toList();
            // Some methods are declared by a class that is not public.
            own.forEach(method -> method.setAccessible(true));
            methods.put(type, own);
        }
        return methods;
    }

    private static boolean isExcluded(Method method) {
        String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        // The JDK generates these methods for records and enums. A stack overflow meanwhile makes them unusable.
        boolean isGenerated = method.getDeclaringClass().isEnum()
                || (method.getDeclaringClass().isRecord()
                        && Set.of("toString", "hashCode", "equals").contains(method.getName()));
        return isGenerated || EXCLUDED.contains(name) || EXCLUDED.contains(name + "/" + method.getParameterCount());
    }

    private static void startWatchdog() {
        Thread watchdog = new Thread(
                () -> {
                    while (true) {
                        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                        long started = CALL_STARTED.get();
                        if (started != 0 && System.nanoTime() - started > MAX_CALL_NANOS) {
                            System.out.println("A call hangs:");
                            Thread.getAllStackTraces()
                                    .forEach((thread, stack) ->
                                            System.out.println(thread + "\n  " + Arrays.toString(stack)));
                            System.out.flush();
                            Runtime.getRuntime().halt(2);
                        }
                    }
                },
                "watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    private void run() {
        try {
            long before = EmulatorFaults.liveObjects();
            for (int i = 0; i < CALLS && DEFECT.get() == null; i++) {
                if (i == 0 || random.nextInt(CALLS_OF_KIT) == 0) {
                    newKit();
                }
                callAnything();
                if (random.nextInt(4) == 0) {
                    progress();
                }
            }
            closeAll();
            long left = EmulatorFaults.liveObjects() - before;
            if (left > 0) {
                defect(left + " native objects are left when all is closed; open: " + objects.notClosed(), null);
            }
            if (objects.notClosed().isEmpty() && !objects.notDone().isEmpty()) {
                defect("futures that are not done when all is closed: " + objects.notDone(), null);
            }
        } catch (Throwable failure) {
            defect("the fuzzer failed", failure);
        }
    }

    private void newKit() {
        note("new kit");
        CALL_STARTED.set(System.nanoTime());
        try {
            Kit.make(objects, this::reported);
        } catch (IllegalStateException | DocaException e) {
            // A limited object, such as a sync event or a device, is exhausted.
            note("  no kit: " + e);
        } catch (Exception e) {
            defect("making objects that work", e);
        } finally {
            CALL_STARTED.set(0);
        }
    }

    private void progress() {
        progress(objects.all(ProgressEngine.class));
    }

    private void progress(List<ProgressEngine> engines) {
        for (ProgressEngine engine : engines) {
            CALL_STARTED.set(System.nanoTime());
            try {
                engine.progress();
            } catch (IllegalStateException e) {
                // The object is closed, or belongs to another thread.
                note("  " + e);
            } catch (Throwable e) {
                defect("progress()", e);
            } finally {
                CALL_STARTED.set(0);
            }
        }
    }

    private void callAnything() throws Exception {
        int kind = random.nextInt(100);
        if (kind < 4) {
            CALL_STARTED.set(System.nanoTime());
            Future<?> done = other.submit(() -> call("other thread: ", 0));
            done.get();
            CALL_STARTED.set(0);
        } else if (kind < 8) {
            deep = true;
            descend(new int[1]);
            deep = false;
        } else {
            call("", 0);
        }
    }

    /** Makes calls on a full stack, and higher up until no overflow interrupts the call. */
    @SuppressWarnings("InfiniteRecursion") // recursion is intended
    private void descend(int[] overflows) {
        try {
            descend(overflows);
            return;
        } catch (StackOverflowError e) {
            if (++overflows[0] % 97 != 0) {
                throw e;
            }
        }
        call("deep: ", 0);
    }

    /** Makes calls in a callback. */
    private void callInCallback(int nesting) {
        if (nesting <= MAX_NESTING && nestedCalls < MAX_NESTED_CALLS && DEFECT.get() == null) {
            nestedCalls++;
            call("callback: ", nesting);
        }
    }

    private void call(String where, int nesting) {
        Method method;
        Object receiver = null;
        if (random.nextInt(8) == 0) {
            method = statics.get(random.nextInt(statics.size()));
        } else {
            receiver = objects.anyOfAnyType();
            List<Method> own = receiver == null ? List.of() : methodsOf(receiver.getClass());
            if (own.isEmpty()) {
                return;
            }
            method = own.get(random.nextInt(own.size()));
            // Most objects should live for some time.
            if (isEnd(method) && random.nextInt(5) != 0) {
                return;
            }
        }
        @Nullable Object[] values = arguments.of(method, nesting);
        note(where + describe(method, receiver, values));
        calls++;
        long outer = CALL_STARTED.getAndSet(System.nanoTime());
        try {
            Object result = method.invoke(Modifier.isStatic(method.getModifiers()) ? null : receiver, values);
            keep(result);
            if (result instanceof Completion<?> future && !(receiver instanceof Completion<?>)) {
                objects.addFuture(future, describe(method, receiver, values));
            }
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            if (thrown instanceof StackOverflowError overflow && where.startsWith("deep")) {
                throw overflow;
            }
            note("  " + name(thrown));
            if (!(deep && thrown instanceof StackOverflowError) && !isAccepted(thrown, method, values)) {
                defect(describe(method, receiver, values), thrown);
            }
        } catch (IllegalAccessException | IllegalArgumentException e) {
            defect("calling " + method, e);
        } finally {
            CALL_STARTED.set(outer);
        }
    }

    private static boolean isEnd(Method method) {
        return Set.of("close", "stop", "disconnect").contains(method.getName());
    }

    private List<Method> methodsOf(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            List<Method> own = methods.get(at);
            if (own != null) {
                return own;
            }
        }
        return List.of();
    }

    private void keep(@Nullable Object result) {
        switch (result) {
            case null -> {}
            case SyncWait wait -> objects.add(wait.timeout(Duration.ofMillis(1)));
            case Optional<?> optional -> optional.ifPresent(this::keep);
            case Collection<?> collection -> collection.stream().limit(4).forEach(this::keep);
            default -> objects.add(result);
        }
    }

    private void reported(Throwable failure) {
        if (!isAccepted(failure, null, new Object[0]) && !(failure instanceof StackOverflowError)) {
            defect("reported to the error handler", failure);
        }
    }

    private static boolean isAccepted(Throwable thrown, @Nullable Method method, @Nullable Object[] values) {
        if (thrown instanceof NullPointerException) {
            if (String.valueOf(thrown.getMessage()).contains(" returned null")) {
                return true;
            }
            // The message is the name of a parameter.
            return Arrays.asList(values).contains(null)
                    && method != null
                    && Arrays.stream(method.getParameters())
                            .anyMatch(parameter -> parameter.getName().equals(thrown.getMessage()));
        }
        String message = thrown.getMessage();
        if (thrown instanceof OutOfMemoryError) {
            return message != null && message.startsWith("There is no memory for");
        }
        return ACCEPTED.stream().anyMatch(type -> type.isInstance(thrown)) && message != null && !message.isBlank();
    }

    /** Closes all objects in an order that the library accepts, which it finds by trying. */
    private void closeAll() throws Exception {
        note("close all");
        arguments.silenceCallbacks();
        other.shutdown();
        if (!other.awaitTermination(60, TimeUnit.SECONDS)) {
            defect("the other thread does not end", null);
        }
        for (int round = 0; round < 20; round++) {
            // A callback that is still running may add objects until its loop is closed.
            List<AutoCloseable> open = new ArrayList<>(objects.closeables());
            Collections.reverse(open);
            boolean refused = false;
            objects.forgetRefusals();
            for (AutoCloseable object : open) {
                CALL_STARTED.set(System.nanoTime());
                try {
                    object.close();
                } catch (IllegalStateException | DocaException e) {
                    objects.noteRefusal(object, e);
                    refused = true;
                } catch (Throwable e) {
                    defect("closing " + object, e);
                } finally {
                    CALL_STARTED.set(0);
                }
            }
            if (!refused && open.size() == objects.closeables().size()) {
                return;
            }
            progress(open.stream()
                    .filter(ProgressEngine.class::isInstance)
                    .map(ProgressEngine.class::cast)
                    .toList());
        }
    }

    private void note(String line) {
        try {
            synchronized (record) {
                record.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new IllegalStateException("The calls cannot be written down", e);
        }
    }

    private static String describe(Method method, @Nullable Object receiver, @Nullable Object[] values) {
        return (receiver == null ? "" : name(receiver) + ": ")
                + method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(values).map(HostileCalls::name).toList();
    }

    static String name(@Nullable Object object) {
        String text;
        try {
            text = object instanceof Record ? object.getClass().getSimpleName() : String.valueOf(object);
        } catch (IllegalStateException e) {
            text = "?";
        }
        String shortText = text.length() > 160 ? text.substring(0, 160) + "..." : text;
        boolean plain = object == null || object instanceof Number || object instanceof Boolean;
        return (plain ? shortText : shortText + "#" + Integer.toHexString(System.identityHashCode(object)))
                .replace('\n', ' ');
    }

    private static void defect(String what, @Nullable Throwable failure) {
        StringWriter text = new StringWriter();
        text.write(what + "\n");
        if (failure != null) {
            failure.printStackTrace(new PrintWriter(text));
        }
        DEFECT.compareAndSet(null, text.toString());
    }

    /** The receivers and arguments of calls. */
    static final class Objects {

        /** The number of remembered objects of one type; older ones are only closed at the end. */
        private static final int LAST = 6;

        private final Random random;
        private final Map<Class<?>, List<Object>> byType = new LinkedHashMap<>();
        private final List<AutoCloseable> closeables = new ArrayList<>();
        private final IdentityHashMap<AutoCloseable, String> refusals = new IdentityHashMap<>();
        /** The futures of operations, with the calls that returned them. */
        private final IdentityHashMap<Completion<?>, String> futures = new IdentityHashMap<>();

        Objects(Random random) {
            this.random = random;
        }

        @SuppressWarnings("ReferenceEquality") // equal objects are different objects here
        synchronized void add(Object object) {
            if (!object.getClass().getName().startsWith("io.docajava.")
                    || object.getClass().isEnum()) {
                return;
            }
            List<Object> same = byType.computeIfAbsent(object.getClass(), any -> new ArrayList<>());
            if (same.stream().anyMatch(known -> known == object)) {
                return;
            }
            same.add(object);
            if (same.size() > LAST) {
                same.remove(0);
            }
            if (object instanceof AutoCloseable closeable) {
                closeables.add(closeable);
            }
        }

        synchronized @Nullable Object anyOfAnyType() {
            List<List<Object>> all = new ArrayList<>(byType.values());
            return all.isEmpty() ? null : any(all.get(random.nextInt(all.size())));
        }

        /** Returns an object of a type, usually a recent one, or null if there is none. */
        synchronized @Nullable Object any(Class<?> type) {
            List<Object> fitting = new ArrayList<>();
            byType.forEach((key, list) -> {
                if (type.isAssignableFrom(key)) {
                    fitting.addAll(list);
                }
            });
            return fitting.isEmpty() ? null : any(fitting);
        }

        private Object any(List<Object> list) {
            return list.get(random.nextInt(list.size()));
        }

        synchronized <T> List<T> all(Class<T> type) {
            return byType.getOrDefault(type, List.of()).stream().map(type::cast).toList();
        }

        synchronized List<AutoCloseable> closeables() {
            return List.copyOf(closeables);
        }

        synchronized void addFuture(Completion<?> future, String call) {
            futures.put(future, call);
        }

        synchronized List<String> notDone() {
            return futures.entrySet().stream()
                    .filter(entry -> !entry.getKey().isDone())
                    .map(Map.Entry::getValue)
                    .limit(20)
                    .toList();
        }

        void forgetRefusals() {
            refusals.clear();
        }

        void noteRefusal(AutoCloseable object, Exception refusal) {
            refusals.put(object, String.valueOf(refusal.getMessage()));
        }

        List<String> notClosed() {
            return closeables.stream()
                    .filter(refusals::containsKey)
                    .map(object -> name(object) + ": " + refusals.get(object))
                    .limit(20)
                    .toList();
        }
    }
}
