/* SPDX-License-Identifier: Apache-2.0 */
package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CopyTest {

    @Test
    void copies() throws InterruptedException {
        assertEquals("some text", Copy.run());
    }
}
