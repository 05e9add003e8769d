/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

/**
 * A record of the SDK's log.
 *
 * @param level from 20 (critical) to 70 (trace); 0 if the text does not have the usual form
 * @param line the whole text, including its line end
 * @param threadName the first 15 bytes of the name of the logging thread, as Linux stores them
 * @param threadId the number of that thread in Linux
 * @param expected whether failures were expected, see {@link SdkLog#expectErrors}
 */
public record SdkLogRecord(int level, String line, String threadName, int threadId, boolean expected) {}
