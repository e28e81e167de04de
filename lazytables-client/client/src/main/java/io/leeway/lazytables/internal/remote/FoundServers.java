package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.config.LazyTablesConfig;
import io.leeway.lazytables.spi.ServerRegistration;
import io.leeway.lazytables.spi.ServerRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a client process finds in a registry: all of them before it begins, and where each is from then on.
 * A server that is not registered any more keeps its address: it may be reached all the same, and if not it is looked
 * for there until it is registered elsewhere. Thread-safe.
 */
final class FoundServers implements AutoCloseable {

    /**
     * Hears where a server is.
     *
     * <p>On the registry's thread, under this object's lock: it must not wait.
     */
    @FunctionalInterface
    interface Listener {

        void isAt(int number, HostAndPort address);
    }

    private final String location;
    private final ServerRegistry registry;
    /** Done when all have been there at one moment. Never undone: from then on the number of servers is fixed. */
    private final CompletableFuture<Boolean> complete = new CompletableFuture<>();
    /** The last that was said of each number. */
    private final TreeMap<Integer, ServerRegistration> servers = new TreeMap<>();

    /** Null until somebody follows. */
    private @Nullable Listener listener;

    private FoundServers(String location, ServerRegistry registry) {
        this.location = location;
        this.registry = registry;
    }

    /**
     * Waits until all servers are registered.
     *
     * @throws LazyTablesException if the registry is not reached, or not all servers are registered within the limit
     */
    static FoundServers await(LazyTablesConfig config, Duration limit) {
        return await(config.get(LazyTablesOptions.REGISTRY), Registries.open(config), limit);
    }

    /** As above, in a registry that is open; it is closed with this, or if this fails. */
    static FoundServers await(String location, ServerRegistry registry, Duration limit) {
        var found = new FoundServers(location, registry);
        try {
            found.await(limit);
            return found;
        } catch (RuntimeException e) {
            found.close();
            throw e;
        }
    }

    /** Follows first and waits then: what is said in between is not lost. */
    private void await(Duration limit) {
        try {
            registry.follow(this::said);
            complete.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (IOException e) {
            throw Registries.fault("The servers cannot be found in " + location + ": " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw Registries.fault(
                    "Not all servers are registered in " + location + " after " + limit.toMillis() + " ms: "
                            + missing(),
                    e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("this is never completed with an exception", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LazyTablesException.of(Code.FAILED, "Interrupted while servers were looked for", e);
        }
    }

    /** Where all of them are, by number. */
    synchronized List<HostAndPort> addresses() {
        return servers.values().stream().map(ServerRegistration::address).toList();
    }

    /**
     * Tells where servers are: all, and then those that moved.
     *
     * <p>Under the lock, so that no move comes between the first telling and the later ones.
     */
    synchronized void follow(Listener hears) {
        listener = hears;
        servers.values().forEach(this::tell);
    }

    @Override
    public void close() {
        registry.close();
    }

    /**
     * Before all are there, only the last that was said counts; afterwards only who moved, and who is missing is passed
     * over.
     */
    private synchronized void said(List<ServerRegistration> registered) {
        if (!complete.isDone()) {
            // All of one moment: who is gone may come back as one of another number.
            servers.clear();
            registered.forEach(server -> servers.put(server.number(), server));
            if (isComplete()) {
                complete.complete(true);
            }
            return;
        }
        for (ServerRegistration server : registered) {
            // Nobody can change how many there are: tables are spread over them.
            if (server.count() == servers.size() && !server.equals(servers.put(server.number(), server))) {
                tell(server);
            }
        }
    }

    private void tell(ServerRegistration server) {
        if (listener != null) {
            listener.isAt(server.number(), server.address());
        }
    }

    /** As many as each of them says: one that says another number belongs to another run, or was started wrongly. */
    private boolean isComplete() {
        int count = servers.size();
        return count > 0 && servers.values().stream().allMatch(server -> server.count() == count);
    }

    /** For people: who is there, and who is not. */
    private synchronized String missing() {
        if (servers.isEmpty()) {
            return "there is none; start servers with " + LazyTablesOptions.REGISTRY + "=" + location
                    + ", or correct the location";
        }
        int count = servers.firstEntry().getValue().count();
        String there = servers.values().stream()
                .map(server -> server.number() + " of " + server.count() + " at " + server.address())
                .collect(Collectors.joining(", "));
        if (servers.values().stream().anyMatch(server -> server.count() != count)) {
            return there + " do not agree how many there are; start all with the same "
                    + LazyTablesOptions.SERVER_COUNT;
        }
        String lacking = IntStream.range(0, count)
                .filter(number -> !servers.containsKey(number))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        return "there is " + there + "; start number " + lacking;
    }
}
