/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.rdma;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The flags for the files that the user copies between the peers. */
final class FileFlags {

    @Option(
            names = {"-ld", "--local-descriptor-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/local_connection_desc_path.txt",
            description = "Where to write the connection descriptor for the peer, by default ${DEFAULT-VALUE}")
    private Path local;

    @Option(
            names = {"-re", "--remote-descriptor-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/remote_connection_desc_path.txt",
            description = "The peer's connection descriptor, by default ${DEFAULT-VALUE}")
    private Path remote;

    @Option(
            names = {"-m", "--remote-resource-descriptor-path"},
            paramLabel = "<file>",
            defaultValue = "/tmp/remote_resource_desc_path.txt",
            description = "The descriptor of the responder's memory, by default ${DEFAULT-VALUE}")
    private Path resource;

    Path local() {
        return local;
    }

    Path remote() {
        return remote;
    }

    Path resource() {
        return resource;
    }
}
