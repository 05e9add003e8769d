/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds the probes of the present modules, which are services. The probes of doca-java are also found by their class names, since
 * a tool that merges jars may keep the list of services of only one jar.
 */
final class ProvidedFeatures {

    private static final List<String> OWN = List.of(
            "io.docajava.comch.internal.CommProbe",
            "io.docajava.dma.internal.DmaProbe",
            "io.docajava.rdma.internal.RdmaProbe");

    private ProvidedFeatures() {}

    /** Finds the probes, and adds the problems of probes that cannot be used. */
    static List<FeatureProbe> find(List<Problem> problems) {
        Map<String, FeatureProbe> found = new LinkedHashMap<>();
        ClassLoader loader = FeatureProbe.class.getClassLoader();
        try {
            ServiceLoader.load(FeatureProbe.class, loader)
                    .forEach(probe -> found.put(probe.getClass().getName(), probe));
        } catch (ServiceConfigurationError e) {
            problems.add(new Problem(
                    "A module of doca-java is damaged: " + e.getMessage(),
                    "Let the tool that merges or shrinks jars keep META-INF/services and the classes that it names."));
        }
        // On the module path no jars are merged, and classes of other modules are not accessible by name.
        if (!FeatureProbe.class.getModule().isNamed()) {
            OWN.stream().filter(name -> !found.containsKey(name)).forEach(name -> addByName(name, loader, found));
        }
        return List.copyOf(found.values());
    }

    private static void addByName(String name, ClassLoader loader, Map<String, FeatureProbe> found) {
        try {
            found.put(
                    name,
                    Class.forName(name, true, loader)
                            .asSubclass(FeatureProbe.class)
                            .getConstructor()
                            .newInstance());
        } catch (ClassNotFoundException e) {
            // The module is absent, which is no problem.
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name + " cannot be created", e);
        }
    }
}
