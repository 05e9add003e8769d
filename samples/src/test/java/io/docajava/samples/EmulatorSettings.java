/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples;

import io.docajava.emulator.EmulatorEnvironment;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The variables of the emulator that a running process can change. A variable that is not set is an empty text. */
record EmulatorSettings(String role, String topology, String engine, String faults) {

    static final EmulatorSettings NONE = new EmulatorSettings("", "", "", "");

    /** Returns the settings of an environment. */
    static EmulatorSettings of(Map<String, String> environment) {
        return new EmulatorSettings(
                environment.getOrDefault(EmulatorEnvironment.ROLE, ""),
                environment.getOrDefault(EmulatorEnvironment.TOPOLOGY, ""),
                environment.getOrDefault(EmulatorEnvironment.ENGINE, ""),
                environment.getOrDefault(EmulatorEnvironment.FAULTS, ""));
    }

    /** Returns the variables that are not such settings. */
    static Map<String, String> others(Map<String, String> environment) {
        Map<String, String> others = new HashMap<>(environment);
        others.remove(EmulatorEnvironment.ROLE);
        others.remove(EmulatorEnvironment.TOPOLOGY);
        others.remove(EmulatorEnvironment.ENGINE);
        others.remove(EmulatorEnvironment.FAULTS);
        return others;
    }

    static EmulatorSettings read(DataInputStream in) throws IOException {
        return new EmulatorSettings(in.readUTF(), in.readUTF(), in.readUTF(), in.readUTF());
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(role);
        out.writeUTF(topology);
        out.writeUTF(engine);
        out.writeUTF(faults);
    }
}
