/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.io.PrintStream;
import java.util.Base64;

/** What a peer runs: the program that a test has written as a lambda. */
final class PeerMain {

    private PeerMain() {}

    /**
     * Runs the program. Its standard output becomes standard error, so that what it prints is no line to the test.
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
