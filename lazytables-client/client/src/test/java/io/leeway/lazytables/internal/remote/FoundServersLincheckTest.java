package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.spi.ServerRegistration;
import io.leeway.lazytables.spi.ServerRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The registry says where a server is while somebody begins to listen and others ask: nobody is left with an address that the server has left before. Public for Lincheck.
 */
@Param(name = "port", gen = IntGen.class, conf = "1:9")
public class FoundServersLincheckTest {

    private static final int ITERATIONS = 6;
    private static final int INVOCATIONS = 100;

    private final Told registry = new Told();
    private final FoundServers found = FoundServers.await("told://here", registry, Duration.ofMinutes(1));
    /** Where the transport believes the server to be. */
    private volatile int heard;

    /** The server is elsewhere; the registry says so by one thread. */
    @Operation(nonParallelGroup = "registry")
    public void move(@Param(name = "port") int port) {
        registry.say(port);
    }

    @Operation(nonParallelGroup = "connect")
    public void follow() {
        found.follow((number, address) -> heard = number == 0 ? address.port() : heard);
    }

    @Operation
    public int heard() {
        return heard;
    }

    @Operation
    public int address() {
        return found.addresses().get(0).port();
    }

    @Test
    void everyInterleavingIsExplained() {
        new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(3)
                .actorsPerThread(2)
                .check(FoundServersLincheckTest.class);
    }

    /** Says what it is told to. */
    private static final class Told implements ServerRegistry {

        private @Nullable Consumer<List<ServerRegistration>> listener;

        void say(int port) {
            if (listener != null) {
                listener.accept(List.of(server(0, port), server(1, 100)));
            }
        }

        private static ServerRegistration server(int number, int port) {
            return new ServerRegistration(number, 2, new HostAndPort("h", port));
        }

        @Override
        public void follow(Consumer<List<ServerRegistration>> hears) {
            listener = hears;
            say(10);
        }

        @Override
        public void register(ServerRegistration server, Consumer<String> displaced) {
            throw new AssertionError("nobody registers");
        }

        @Override
        public void close() {}
    }
}
