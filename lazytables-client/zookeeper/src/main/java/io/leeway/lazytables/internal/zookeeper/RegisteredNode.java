package io.leeway.lazytables.internal.zookeeper;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.spi.ServerRegistration;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a node says, in lines that people can read: the server, and who registered it.
 *
 * @param server as it is registered
 * @param owner another text for each process that registers
 */
record RegisteredNode(ServerRegistration server, String owner) {

    private static final String ADDRESS = "address";
    private static final String SERVERS = "servers";
    private static final String OWNER = "owner";

    byte[] bytes() {
        String text = ADDRESS + "=" + server.address() + "\n" + SERVERS + "=" + server.count() + "\n" + OWNER + "="
                + owner + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What a node of that name says; null if it is not one of a server. */
    static @Nullable RegisteredNode read(String name, byte[] bytes) {
        try {
            var lines = new Properties();
            lines.load(new StringReader(new String(bytes, StandardCharsets.UTF_8)));
            var server = new ServerRegistration(
                    Integer.parseInt(name),
                    Integer.parseInt(lines.getProperty(SERVERS, "")),
                    HostAndPort.parse(lines.getProperty(ADDRESS, "")));
            return new RegisteredNode(server, lines.getProperty(OWNER, ""));
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}
