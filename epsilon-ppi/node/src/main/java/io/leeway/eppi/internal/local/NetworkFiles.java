package io.leeway.eppi.internal.local;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.config.Member.Role;
import io.leeway.eppi.internal.config.NodeKey;
import io.leeway.eppi.internal.config.Register;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.session.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The files of a network whose members are all on this machine: keys, roster, register, and where members tell each other
 * their ports. A real network has the same files, each key at its member only.
 */
public final class NetworkFiles {

    private static final int KEYS_AT_ONCE = 4;
    private static final int NETWORK_KEY_BYTES = 32;

    private final Path directory;
    private final String network;
    private final String password;
    private final Map<String, Role> members;
    private final byte[] networkKey;

    private NetworkFiles(
            Path directory, String network, String password, Map<String, Role> members, byte[] networkKey) {
        this.directory = directory;
        this.network = network;
        this.password = password;
        this.members = members;
        this.networkKey = networkKey;
    }

    /**
     * Makes all files. Keys that are there already are used.
     *
     * @param directory where
     * @param coordinators how many
     * @param providers names
     * @param searchers names
     */
    public static NetworkFiles create(
            Path directory, String network, int coordinators, List<String> providers, List<String> searchers) {
        Map<String, Role> members = new LinkedHashMap<>();
        for (int k = 0; k < coordinators; k++) {
            members.put("coordinator-" + k, Role.COORDINATOR);
        }
        members.put("index", Role.INDEX);
        members.put("registrar", Role.REGISTRAR);
        providers.forEach(name -> members.put(name, Role.PROVIDER));
        searchers.forEach(name -> members.put(name, Role.SEARCHER));
        // A second start in the same directory must know the pseudonyms of the first: lists and noise belong to them.
        byte[] networkKey = Secrets.kept(directory.resolve("network.key"), NETWORK_KEY_BYTES);
        try {
            Files.createDirectories(directory.resolve("keys"));
            var files = new NetworkFiles(directory, network, password(directory), members, networkKey);
            Files.createDirectories(directory.resolve("addresses"));
            files.writeRoster(files.createKeys());
            files.writeRegister(List.of());
            return files;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, "the files of a network cannot be written to " + directory, e);
        }
    }

    private static String password(Path directory) throws IOException {
        Path file = directory.resolve("keys").resolve("password");
        if (!Files.exists(file)) {
            String drawn = java.util.HexFormat.of().formatHex(Secrets.random(16));
            Secrets.write(file, drawn.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        return Files.readString(file);
    }

    private NodeKey keyOf(String name) {
        Path file = key(name);
        return Files.exists(file) ? NodeKey.read(file, password) : NodeKey.create(file, name, password);
    }

    private Map<String, NodeKey> createKeys() {
        var threads = Executors.newFixedThreadPool(KEYS_AT_ONCE);
        try {
            Map<String, Future<NodeKey>> made = new HashMap<>();
            members.keySet().forEach(name -> made.put(name, threads.submit(() -> keyOf(name))));
            Map<String, NodeKey> keys = new HashMap<>();
            for (Map.Entry<String, Future<NodeKey>> each : made.entrySet()) {
                keys.put(each.getKey(), each.getValue().get());
            }
            return keys;
        } catch (ExecutionException e) {
            throw EppiException.of(Code.CONFIGURATION, "a key could not be made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void writeRoster(Map<String, NodeKey> keys) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("network " + network);
        members.forEach((name, role) -> {
            NodeKey key = java.util.Objects.requireNonNull(keys.get(name));
            lines.add(Roster.line(role, name, "127.0.0.1:0", key.certificate()));
        });
        Files.write(directory.resolve("roster"), lines);
    }

    /** Replaces the register. */
    public void writeRegister(List<Wish> wishes) {
        NodeKey registrar = NodeKey.read(key("registrar"), password);
        Register.empty(network).with(wishes).write(directory.resolve("register"), registrar.key());
    }

    /** The pseudonym of an identity in this network. */
    public Token token(String identity) {
        return Token.of(identity, networkKey);
    }

    /** Where everything is. */
    public Path directory() {
        return directory;
    }

    private Path key(String name) {
        return directory.resolve("keys").resolve(name + ".p12");
    }

    /** The options of a member, without those of its database and its HTTP address. */
    public Map<String, String> options(String name) {
        Map<String, String> options = new HashMap<>();
        options.put("eppi.name", name);
        options.put("eppi.roster", directory.resolve("roster").toString());
        options.put("eppi.key", key(name).toString());
        options.put("eppi.key.password", password);
        options.put("eppi.addresses", directory.resolve("addresses").toString());
        options.put("eppi.state", directory.resolve("state").resolve(name).toString());
        Role role = members.get(name);
        if (role == Role.COORDINATOR) {
            options.put("eppi.register", directory.resolve("register").toString());
        }
        if (role == Role.PROVIDER || role == Role.SEARCHER) {
            options.put("eppi.network.key", directory.resolve("network.key").toString());
        }
        if (role == Role.INDEX) {
            options.put("eppi.http", "127.0.0.1:0");
        }
        return options;
    }
}
