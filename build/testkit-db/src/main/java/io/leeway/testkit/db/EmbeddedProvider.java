package io.leeway.testkit.db;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Servers as child processes, from binaries that come as Maven artifacts. */
final class EmbeddedProvider implements ServerProvider {

    @Override
    public String name() {
        return "embedded";
    }

    @Override
    public RunningServer start(ServerKind kind) {
        try {
            return switch (kind) {
                case POSTGRESQL -> EmbeddedPostgresServer.start(name());
                case MARIADB -> EmbeddedMariaDbServer.start(name());
            };
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the embedded " + kind.title() + " server", e);
        }
    }
}
