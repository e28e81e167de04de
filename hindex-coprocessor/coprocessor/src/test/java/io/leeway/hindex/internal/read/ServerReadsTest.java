package io.leeway.hindex.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.junit.jupiter.api.Test;

class ServerReadsTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Else each read that can do without others would try once more. */
    @Test
    void whoCannotConnectRests() throws Exception {
        ServerReads reads = ServerReads.acquire(withoutConnections(), LIMIT);
        try {
            assertThat(reads.isAtRest()).isFalse();

            assertThatIOException()
                    .isThrownBy(() -> reads.read(open -> "never"))
                    .withMessage("no connection");

            assertThat(reads.isAtRest()).isTrue();
        } finally {
            reads.release();
        }
    }

    /** It says nothing about others, and who begins to use it should not do without them. */
    @Test
    void aReadOfARegionThatIsClosedBeginsNoRest() throws Exception {
        ServerReads reads = ServerReads.acquire(withoutConnections(), LIMIT);
        reads.release();

        assertThatIOException().isThrownBy(() -> reads.read(open -> "never")).withMessageContaining("is closed");

        assertThat(reads.isAtRest()).isFalse();
    }

    /** A server that cannot connect to others; a real one has no such state to be put into. */
    private static RegionCoprocessorEnvironment withoutConnections() {
        var shared = new ConcurrentHashMap<String, Object>();
        var own = as(Connection.class, method -> new Configuration(false));
        return as(RegionCoprocessorEnvironment.class, method -> switch (method) {
            case "getSharedData" -> shared;
            case "getServerName" -> ServerName.valueOf("localhost", 16020, 1);
            case "getConnection" -> own;
            case "createConnection" -> throw new IOException("no connection");
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static <T> T as(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.of(method.getName())));
    }

    private interface Answer {
        Object of(String method) throws IOException;
    }
}
