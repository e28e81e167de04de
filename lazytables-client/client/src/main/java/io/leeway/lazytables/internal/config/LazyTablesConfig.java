package io.leeway.lazytables.internal.config;

import io.leeway.lazytables.HostAndPort;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.wire.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a process, complete and valid. Client processes, servers and commands all read them here, so that a
 * key means the same everywhere. Immutable.
 */
public final class LazyTablesConfig {

    private static final Map<String, LazyTablesOption<?>> BY_KEY = byKey();
    /** Characters; a shorter one can be guessed by trying. */
    private static final int LEAST_TOKEN = 16;
    /**
     * What may wait for a connection besides what is between the watermark and a message more.
     *
     * <p>In bytes.
     */
    private static final int BESIDES = 1 << 20;

    /** Each option has one; presets are filled in. */
    private final Map<LazyTablesOption<?>, Object> values;

    private LazyTablesConfig(Map<LazyTablesOption<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads options given as text under their keys.
     *
     * <p>Everything that is wrong is told at once. Contradictions are looked for only where all values could be read:
     * else they might be of presets that nobody gave.
     *
     * @throws LazyTablesException naming every unknown key, every value out of bounds and every contradiction
     */
    public static LazyTablesConfig of(Map<String, String> given) {
        var faults = new ArrayList<String>();
        for (String key : new TreeMap<>(given).keySet()) {
            if (!BY_KEY.containsKey(key)) {
                faults.add(Surroundings.unknown(key));
            }
        }
        var values = new LinkedHashMap<LazyTablesOption<?>, Object>();
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            values.put(option, valueOf(option, given.get(option.key()), faults));
        }
        var config = new LazyTablesConfig(values);
        if (faults.isEmpty()) {
            config.contradictions(faults);
        }
        if (!faults.isEmpty()) {
            throw LazyTablesException.of(Code.CONFIGURATION, String.join("; ", faults));
        }
        return config;
    }

    /**
     * The value of an option.
     *
     * <p>Safe, as each value was read by its own option.
     */
    @SuppressWarnings("unchecked")
    public <T> T get(LazyTablesOption<T> option) {
        return (T) Objects.requireNonNull(values.get(option), option::key);
    }

    /**
     * The same with other servers.
     *
     * <p>For who asks one of them alone. Not checked again: the addresses come from a configuration that was.
     */
    public LazyTablesConfig withServers(List<HostAndPort> servers) {
        var others = new LinkedHashMap<LazyTablesOption<?>, Object>(values);
        others.put(LazyTablesOptions.SERVERS, List.copyOf(servers));
        return new LazyTablesConfig(others);
    }

    /** The token itself, wherever it was given; empty if none is asked for. */
    public String token() {
        String file = get(LazyTablesOptions.TOKEN_FILE);
        if (file.isEmpty()) {
            return get(LazyTablesOptions.TOKEN);
        }
        String token = firstLine(file);
        if (token.length() < LEAST_TOKEN) {
            throw LazyTablesException.of(
                    Code.CONFIGURATION,
                    LazyTablesOptions.TOKEN_FILE + ": the first line of " + file + " has fewer than " + LEAST_TOKEN
                            + " characters");
        }
        return token;
    }

    /**
     * Checks what only a server asks for.
     *
     * <p>Apart from {@link #of}, since one file of options may be for servers and clients. Names are looked up here,
     * which may take a while.
     *
     * @throws LazyTablesException naming what is missing
     */
    public void requireServer() {
        var faults = new ArrayList<String>();
        if (get(LazyTablesOptions.TLS) && get(LazyTablesOptions.TLS_CERTIFICATE).isEmpty()) {
            faults.add("lazytables.tls=true needs lazytables.tls.certificate on a server");
        }
        if (!isResolved(get(LazyTablesOptions.LISTEN).host())) {
            faults.add(LazyTablesOptions.LISTEN + "=" + get(LazyTablesOptions.LISTEN)
                    + " names a host that has no address; give one of this machine's names or addresses");
        } else if (!get(LazyTablesOptions.OPEN) && token().isEmpty() && !listensOnThisMachineOnly()) {
            faults.add(LazyTablesOptions.LISTEN + "=" + get(LazyTablesOptions.LISTEN)
                    + " can be reached from other machines, and there is no token; set lazytables.token.file, or"
                    + " lazytables.server.open=true if everybody who reaches it may use it");
        }
        if (!get(LazyTablesOptions.REGISTRY).isEmpty()
                && isEverywhere(advertised(get(LazyTablesOptions.LISTEN)).host())) {
            faults.add("clients cannot connect to the address that would be registered, "
                    + advertised(get(LazyTablesOptions.LISTEN)) + "; give one with " + LazyTablesOptions.ADVERTISE);
        }
        if (!faults.isEmpty()) {
            throw LazyTablesException.of(Code.CONFIGURATION, String.join("; ", faults));
        }
    }

    /** Where clients reach a server that listens at this address. */
    public HostAndPort advertised(HostAndPort listening) {
        HostAndPort given = get(LazyTablesOptions.ADVERTISE).orElse(listening);
        return given.port() == 0 ? new HostAndPort(given.host(), listening.port()) : given;
    }

    /** Keys and values, without those that are sensitive. */
    @Override
    public String toString() {
        var text = new TreeMap<String, Object>();
        values.forEach((option, value) -> text.put(option.key(), option.sensitive() ? "***" : value));
        return text.toString();
    }

    private static boolean isResolved(String host) {
        try {
            return InetAddress.getAllByName(host).length > 0;
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** By its address, not by its name: a name may be any machine's. */
    private boolean listensOnThisMachineOnly() {
        try {
            return InetAddress.getByName(get(LazyTablesOptions.LISTEN).host()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /**
     * Whether it is an address of all of the machine's networks, at which a server can listen and to which nobody can
     * connect.
     */
    private static boolean isEverywhere(String host) {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("*");
    }

    /**
     * Options that are allowed each for itself, and together either cannot be meant or have no effect. The latter is a
     * fault as well: who sets something expects that it does something.
     */
    private void contradictions(List<String> faults) {
        if (get(LazyTablesOptions.PROCESS) >= get(LazyTablesOptions.PROCESSES) && !get(LazyTablesOptions.RESUME)) {
            faults.add("lazytables.process must be less than lazytables.processes, unless it joins with"
                    + " lazytables.resume=true");
        }
        int servers = get(LazyTablesOptions.SERVERS).size();
        if (servers > Protocol.MAX_SERVERS) {
            faults.add("lazytables.servers names " + servers + " servers; there may be " + Protocol.MAX_SERVERS);
        }
        if (!get(LazyTablesOptions.SERVERS).isEmpty()
                && !get(LazyTablesOptions.REGISTRY).isEmpty()) {
            faults.add("lazytables.servers and lazytables.registry contradict each other; give one");
        }
        if (get(LazyTablesOptions.REGISTRY).isEmpty()
                && !get(LazyTablesOptions.REGISTRY_AUTH).isEmpty()) {
            faults.add("lazytables.registry.auth has no effect without lazytables.registry");
        }
        if (get(LazyTablesOptions.SERVER_NUMBER) >= get(LazyTablesOptions.SERVER_COUNT)) {
            faults.add("lazytables.server.number must be less than lazytables.server.count");
        }
        if (get(LazyTablesOptions.SNAPSHOT_DIRECTORY).isEmpty() && get(LazyTablesOptions.SNAPSHOT_CLOCKS) > 0) {
            faults.add("lazytables.snapshot.clocks has no effect without lazytables.snapshot.directory");
        }
        if (get(LazyTablesOptions.SNAPSHOT_DIRECTORY).isEmpty() && get(LazyTablesOptions.TABLES_CLOCKS) > 0) {
            faults.add("lazytables.tables.clocks has no effect without lazytables.snapshot.directory");
        }
        if (!get(LazyTablesOptions.SNAPSHOT_DIRECTORY).isEmpty()
                && get(LazyTablesOptions.SNAPSHOT_CLOCKS) == 0
                && get(LazyTablesOptions.SNAPSHOT_INTERVAL).isZero()) {
            faults.add(
                    "lazytables.snapshot.clocks=0 and lazytables.snapshot.interval=0s together store no snapshot; set"
                            + " one");
        }
        if (!get(LazyTablesOptions.TOKEN).isEmpty()
                && !get(LazyTablesOptions.TOKEN_FILE).isEmpty()) {
            faults.add("lazytables.token and lazytables.token.file contradict each other; give one");
        }
        if (get(LazyTablesOptions.IDLE_TIMEOUT)
                        .compareTo(get(LazyTablesOptions.HEARTBEAT).multipliedBy(2))
                < 0) {
            faults.add("lazytables.idle.timeout must be at least twice lazytables.heartbeat");
        }
        if (get(LazyTablesOptions.RETRY_MOST).compareTo(get(LazyTablesOptions.RETRY_FIRST)) < 0) {
            faults.add("lazytables.retry.most must not be less than lazytables.retry.first");
        }
        if (get(LazyTablesOptions.SEND_LIMIT)
                < get(LazyTablesOptions.SEND_WATERMARK) + get(LazyTablesOptions.FRAME_LIMIT) + BESIDES) {
            faults.add("lazytables.send.limit must not be less than lazytables.send.watermark,"
                    + " lazytables.frame.limit and 1MB together");
        }
        if (!get(LazyTablesOptions.TLS)) {
            for (LazyTablesOption<String> option : List.of(
                    LazyTablesOptions.TLS_CERTIFICATE, LazyTablesOptions.TLS_KEY, LazyTablesOptions.TLS_TRUST)) {
                if (!get(option).isEmpty()) {
                    faults.add(option + " has no effect without lazytables.tls=true");
                }
            }
        }
    }

    /** Editors and secrets of clusters end a file with a line break, which is not of the token. */
    private static String firstLine(String file) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.findFirst().orElse("").strip();
        } catch (IOException | java.io.UncheckedIOException | InvalidPathException e) {
            throw LazyTablesException.of(
                    Code.CONFIGURATION, LazyTablesOptions.TOKEN_FILE + ": " + file + " cannot be read", e);
        }
    }

    /** After a fault the preset, so that the reading goes on to the next. */
    private static Object valueOf(LazyTablesOption<?> option, @Nullable String text, List<String> faults) {
        if (text != null) {
            try {
                return option.read(text);
            } catch (IllegalArgumentException refused) {
                faults.add(String.valueOf(refused.getMessage()));
            }
        }
        return option.read(option.preset());
    }

    private static Map<String, LazyTablesOption<?>> byKey() {
        var byKey = new TreeMap<String, LazyTablesOption<?>>();
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            byKey.put(option.key(), option);
        }
        return byKey;
    }
}
