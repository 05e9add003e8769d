/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.log;

/**
 * A record of the SDK's log.
 *
 * @param level from 20 (critical) to 70 (trace); 0 if the text does not have the usual form
 * @param line the whole text, with its line end
 * @param threadName the name of the thread that logged, as Linux has it: its first 15 bytes
 * @param threadId the number of that thread in Linux
 * @param expected whether the thread made calls whose failures are answers, see {@link SdkLog#expectErrors}
 */
public record SdkLogRecord(int level, String line, String threadName, int threadId, boolean expected) {}
