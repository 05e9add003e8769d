/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.DocaException;
import io.docajava.ffi.internal.Downcalls;
import io.docajava.ffi.internal.LibC;
import io.docajava.ffi.internal.NativeMemory;
import io.docajava.ffi.internal.OpenFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/** System calls that throw exceptions on failure. Used by one thread at a time. */
final class LinuxCalls {

    private static final int EINTR = 4;

    /** EPOLL_CLOEXEC and EFD_CLOEXEC. */
    private static final int CLOSE_ON_EXEC = 0x80000;

    private static final int EFD_NONBLOCK = 0x800;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;

    private static final int EINVAL = 22;

    /** The process has no free file descriptor. */
    private static final int EMFILE = 24;

    /** PROT_READ and PROT_WRITE. */
    private static final int READ_WRITE = 3;

    /** MAP_PRIVATE, MAP_ANONYMOUS and MAP_HUGETLB, the same on x86_64 and aarch64. */
    private static final int PRIVATE_ANONYMOUS_HUGE_PAGES = 0x40022;

    /** Position of the binary logarithm of the huge page size in the flags of mmap. */
    private static final int HUGE_SHIFT = 26;

    private static final int MADV_POPULATE_WRITE = 23;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MemorySegment callState;

    LinuxCalls(Arena arena) {
        callState = arena.allocate(CALL_STATE);
    }

    /** Initializes the classes of the calls. */
    static void initialize() {
        Objects.requireNonNull(Handles.EPOLL_WAIT);
    }

    int epollCreate() {
        try {
            return check("epoll_create1", (int) Handles.EPOLL_CREATE.invokeExact(callState, CLOSE_ON_EXEC));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    void epollAdd(int epoll, int descriptor, MemorySegment event) {
        control("epoll_ctl(EPOLL_CTL_ADD)", epoll, EPOLL_CTL_ADD, descriptor, event);
    }

    /** Removes a descriptor. The event is not read, but old kernels require one. */
    void epollRemove(int epoll, int descriptor, MemorySegment event) {
        control("epoll_ctl(EPOLL_CTL_DEL)", epoll, EPOLL_CTL_DEL, descriptor, event);
    }

    private void control(String call, int epoll, int operation, int descriptor, MemorySegment event) {
        try {
            check(call, (int) Handles.EPOLL_CTL.invokeExact(callState, epoll, operation, descriptor, event));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the number of events, or -1 if a signal has interrupted the wait. */
    int epollWait(int epoll, MemorySegment events, int maxEvents, int timeoutMillis) {
        try {
            int count = (int) Handles.EPOLL_WAIT.invokeExact(callState, epoll, events, maxEvents, timeoutMillis);
            return count < 0 && errno() == EINTR ? -1 : check("epoll_wait", count);
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    int eventfd() {
        try {
            return check("eventfd", (int) Handles.EVENTFD.invokeExact(callState, 0, CLOSE_ON_EXEC | EFD_NONBLOCK));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Reads all of a small segment. */
    void read(int descriptor, MemorySegment into) {
        try {
            check("read", (long) Handles.READ.invokeExact(callState, descriptor, into, into.byteSize()));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Writes all of a small segment. */
    void write(int descriptor, MemorySegment from) {
        try {
            check("write", (long) Handles.WRITE.invokeExact(callState, descriptor, from, from.byteSize()));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    void close(int descriptor) {
        try {
            check("close", (int) Handles.CLOSE.invokeExact(callState, descriptor));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Returns the address of new memory in huge pages, whose size is a power of two. */
    long mapHugePages(long bytes, int binaryLogarithm) {
        int flags = PRIVATE_ANONYMOUS_HUGE_PAGES | binaryLogarithm << HUGE_SHIFT;
        try {
            return check("mmap(MAP_HUGETLB)", (long)
                    Handles.MMAP.invokeExact(callState, 0L, bytes, READ_WRITE, flags, -1, 0L));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Allocates each page of new memory. Kernels before 5.14 cannot do this, so their reservation must be enough. */
    void populate(long address, long bytes) {
        try {
            int result = (int) Handles.MADVISE.invokeExact(callState, address, bytes, MADV_POPULATE_WRITE);
            if (result < 0 && errno() != EINVAL) {
                check("madvise(MADV_POPULATE_WRITE)", result);
            }
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    void unmap(long address, long bytes) {
        try {
            check("munmap", (int) Handles.MUNMAP.invokeExact(callState, address, bytes));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private int check(String call, int result) {
        return (int) check(call, (long) result);
    }

    private long check(String call, long result) {
        if (result >= 0) {
            return result;
        }
        int errno = errno();
        throw new DocaException(call + " failed: errno " + errno + " (" + text(errno) + ")"
                + (errno == EMFILE ? ": " + OpenFiles.REMEDY : ""));
    }

    private int errno() {
        return (int) ERRNO.get(callState, 0L);
    }

    private static String text(int errno) {
        try {
            return NativeMemory.string((long) Handles.STRERROR.invokeExact(errno));
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    /** Initialised at the first call, when native access is known to be granted. */
    private static final class Handles {

        static final MethodHandle EPOLL_CREATE = bind("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle EPOLL_CTL =
                bind("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
        static final MethodHandle EPOLL_WAIT =
                bind("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
        static final MethodHandle EVENTFD = bind("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        static final MethodHandle READ = bind("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle WRITE = bind("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
        static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        static final MethodHandle MMAP = bind(
                "mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        static final MethodHandle MADVISE =
                bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
        static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        static final MethodHandle STRERROR = LibC.bind("strerror", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));

        private static MethodHandle bind(String function, FunctionDescriptor descriptor) {
            return LibC.bind(function, descriptor, Linker.Option.captureCallState("errno"));
        }
    }
}
