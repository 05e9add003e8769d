/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import io.docajava.samples.cli.TextConverter;
import picocli.CommandLine.ITypeConverter;

/** Accepts a text for a peer with at most as many bytes as in the samples in C. */
final class MessageConverter implements ITypeConverter<String> {

    private static final TextConverter TEXT = new TextConverter(256);

    @Override
    public String convert(String text) {
        return TEXT.convert(text);
    }
}
