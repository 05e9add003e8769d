/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal;

import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.internal.memory.BufElement;
import io.docajava.core.internal.sync.RemoteEvent;
import io.docajava.core.memory.Buf;
import io.docajava.core.sync.RemoteSyncEvent;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the packages and modules of doca-java reach the native side of public types, which users do not see. Each public
 * type hands its access over when its class is initialised.
 */
public final class Handles {

    private static volatile @Nullable Devices devices;
    private static volatile @Nullable Representors representors;
    private static volatile @Nullable Bufs bufs;
    private static volatile @Nullable RemoteEvents remoteEvents;

    private Handles() {}

    /** Access to {@link Device} and {@link DeviceInfo}. */
    public interface Devices {
        /** The pointer to the open {@code doca_dev}. */
        long address(Device device);

        /** The life of an open device. */
        Resource resource(Device device);

        /** Adds to the number of bytes that are registered with an open device. */
        void addRegistered(Device device, long bytes);

        /** Puts a question to the native {@code doca_devinfo} of a listed device; empty if it is there no more. */
        <T> Optional<T> ask(DeviceInfo info, Function<MemorySegment, T> question);
    }

    /** Access to {@link DeviceRepresentor}. */
    public interface Representors {
        /** The pointer to the open {@code doca_dev_rep}. */
        long address(DeviceRepresentor representor);

        /** The life of an open representor. */
        Resource resource(DeviceRepresentor representor);

        /** The open device that it was opened on. */
        Device device(DeviceRepresentor representor);
    }

    /** Access to {@link Buf}. */
    public interface Bufs {
        /** The first element of the list that a buffer stands for. */
        BufElement list(Buf buf);
    }

    /** Access to {@link RemoteSyncEvent}. */
    public interface RemoteEvents {
        /** Returns the internal view of an event. */
        RemoteEvent inside(RemoteSyncEvent event);
    }

    /** Called by {@link Device} once. */
    public static void setDevices(Devices access) {
        devices = access;
    }

    /** Called by {@link DeviceRepresentor} once. */
    public static void setRepresentors(Representors access) {
        representors = access;
    }

    /** Called by {@link Buf} once. */
    public static void setBufs(Bufs access) {
        bufs = access;
    }

    /** Called by {@link RemoteSyncEvent} once. */
    public static void setRemoteEvents(RemoteEvents access) {
        remoteEvents = access;
    }

    /**
     * The pointer to the open {@code doca_dev}.
     *
     * @throws IllegalStateException if the device is closed
     */
    public static long address(Device device) {
        return devices().address(device);
    }

    /** The life of an open device. */
    public static Resource resource(Device device) {
        return devices().resource(device);
    }

    /** Adds to the number of bytes that are registered with an open device. */
    public static void addRegistered(Device device, long bytes) {
        devices().addRegistered(device, bytes);
    }

    /**
     * The pointer to the open {@code doca_dev_rep}.
     *
     * @throws IllegalStateException if the representor is closed
     */
    public static long address(DeviceRepresentor representor) {
        return representors().address(representor);
    }

    /** The life of an open representor. */
    public static Resource resource(DeviceRepresentor representor) {
        return representors().resource(representor);
    }

    /** Returns whether a representor was opened on an open device. */
    public static boolean isOf(DeviceRepresentor representor, Device device) {
        return representors().device(representor).equals(device);
    }

    /**
     * Puts a question to the native {@code doca_devinfo} of a listed device, which is valid during the question only. Its
     * failure is an answer as well: nothing of it is logged as an error.
     *
     * @return the answer; empty if the device is there no more
     */
    public static <T> Optional<T> ask(DeviceInfo info, Function<MemorySegment, T> question) {
        return devices().ask(info, question);
    }

    /**
     * The first element of the list that a buffer stands for. Allocates nothing.
     *
     * @throws IllegalStateException if the buffer is closed, part of a longer list, or used by the wrong thread
     */
    public static BufElement list(Buf buf) {
        return BufAccess.BUFS.list(buf);
    }

    /** A constant for the compiler. Its initialisation cannot fail, or no buffer could ever be used after that. */
    private static final class BufAccess {

        static final Bufs BUFS = handedOver(Buf.class, () -> bufs);
    }

    /** Returns the internal view of a peer's event. Allocates nothing. */
    public static RemoteEvent inside(RemoteSyncEvent event) {
        return RemoteEventAccess.EVENTS.inside(event);
    }

    /** A constant for the compiler, as {@link BufAccess}. */
    private static final class RemoteEventAccess {

        static final RemoteEvents EVENTS = handedOver(RemoteSyncEvent.class, () -> remoteEvents);
    }

    private static Representors representors() {
        Representors access = representors;
        return access == null ? handedOver(DeviceRepresentor.class, () -> representors) : access;
    }

    private static Devices devices() {
        Devices access = devices;
        return access == null ? handedOver(Device.class, () -> devices) : access;
    }

    /** The access that a class hands over when it is initialised, which is done here if need be. */
    private static <A> A handedOver(Class<?> type, Supplier<? extends @Nullable A> access) {
        try {
            MethodHandles.lookup().ensureInitialized(type);
        } catch (IllegalAccessException e) {
            throw new AssertionError(type + " is public", e);
        }
        return Objects.requireNonNull(access.get(), type + " has not handed over its access");
    }
}
