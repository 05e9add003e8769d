/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.internal.lifecycle.Resource;
import io.docajava.core.progress.ProgressEngine;
import io.docajava.core.progress.ProgressLoop;
import io.docajava.emulator.EmulatorFaults;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The resources that a test, or the tests of a class, has opened or received. JUnit closes it if a test does not end normally. */
final class Session implements AutoCloseable {

    /** The types of the parameters of tests. Not in {@link DocaExtension}, which names doca-emulator if that is missing. */
    static final Set<Class<?>> TYPES =
            Set.of(Device.class, ProgressEngine.class, ProgressLoop.class, EmulatorFaults.class, PeerJvm.class);

    /** The resources that are not reported as leaks of this session. */
    private final Set<Resource> others = new HashSet<>(Resource.allOpen());
    /** The resources of the parameters. */
    private final Set<Resource> own = new HashSet<>();

    private final Set<PeerJvm> otherPeers = PeerJvm.started();
    /** The parameters of the tests. */
    private final SequencedMap<Class<?>, AutoCloseable> given = new LinkedHashMap<>();

    Optional<Object> find(Class<?> type) {
        return Optional.ofNullable(given.get(type));
    }

    Object open(Class<?> type) {
        Set<Resource> before = Resource.allOpen();
        AutoCloseable opened = create(type);
        given.put(type, opened);
        Resource.allOpen().stream()
                .filter(resource -> !before.contains(resource))
                .forEach(own::add);
        return opened;
    }

    private static AutoCloseable create(Class<?> type) {
        if (type == Device.class) {
            return Device.open(Device.list().stream()
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("DOCA " + Doca.version() + " lists no device with "
                            + Settings.current() + ", so no parameter can be one")));
        }
        if (type == ProgressEngine.class) {
            return ProgressEngine.create();
        }
        return type == ProgressLoop.class ? ProgressLoop.start() : EmulatorFaults.none();
    }

    /**
     * Ends the session: closes the parameters, and reports leaked resources and failed peers.
     *
     * @param outer the enclosing sessions, which do not report the leaks of this one again
     * @param last an action to run after that
     * @throws AssertionError if the test has left resources open, or a peer has failed
     */
    void end(ExtensionContext context, String owner, List<Session> outer, AutoCloseable last) {
        List<Throwable> failures = new ArrayList<>();
        EmulatorFaults.closeAll();
        Set<PeerJvm> peers = new HashSet<>(PeerJvm.started());
        peers.removeAll(otherPeers);
        for (PeerJvm peer : peers) {
            attempt(peer::end, failures);
            if (!peer.output().isEmpty()) {
                context.publishReportEntry(Map.of(peer.toString(), peer.output()));
            }
        }
        closeGiven(failures);
        Set<Resource> leaked = new HashSet<>(Resource.allOpen());
        leaked.removeAll(others);
        leaked.removeAll(own);
        if (!leaked.isEmpty()) {
            // Failures to close other resources are consequences of the leak.
            failures.addFirst(OpenResources.leaked(leaked, owner));
            closeAll(leaked);
            closeAll(own);
            outer.forEach(session -> {
                session.others.addAll(leaked);
                session.others.addAll(own);
            });
        }
        attempt(last, failures);
        throwFirst(failures);
    }

    /** Closes the parameters of the tests. */
    @Override
    public void close() {
        List<Throwable> failures = new ArrayList<>();
        closeGiven(failures);
        throwFirst(failures);
    }

    private void closeGiven(List<Throwable> failures) {
        while (!given.isEmpty()) {
            attempt(given.pollLastEntry().getValue(), failures);
        }
    }

    /** Closes leaked resources, each one after its users: an open device would prevent a change of settings. */
    private static void closeAll(Set<Resource> resources) {
        Set<Resource> open = new HashSet<>(resources);
        boolean closed;
        do {
            closed = open.removeIf(Session::isClosed);
        } while (closed);
    }

    private static boolean isClosed(Resource resource) {
        if (resource.owner() instanceof AutoCloseable owner) {
            try {
                owner.close();
            } catch (Exception inUse) {
                return false;
            }
        }
        return resource.state() == Resource.State.CLOSED;
    }

    private static void attempt(AutoCloseable action, List<Throwable> failures) {
        try {
            action.close();
        } catch (Exception | AssertionError e) {
            failures.add(e);
        }
    }

    private static void throwFirst(List<Throwable> failures) {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.getFirst();
        failures.stream().skip(1).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof RuntimeException exception) {
            throw exception;
        }
        throw new IllegalStateException(first);
    }
}
