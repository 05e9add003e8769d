/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.io.PrintStream;
import java.util.Base64;

/** The main class of a peer that runs a lambda of a test. */
final class PeerMain {

    private PeerMain() {}

    /**
     * Runs the program. Its standard output becomes standard error, so that the test does not receive what it prints.
     *
     * @param arguments the serialized program in Base64
     */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        byte[] program = Base64.getDecoder().decode(arguments[0]);
        try (ObjectInputStream input = new ObjectInputStream(new ByteArrayInputStream(program))) {
            ((PeerJvm.Program) input.readObject()).run(new PeerJvm.Lines(System.in, answers));
        }
    }
}
