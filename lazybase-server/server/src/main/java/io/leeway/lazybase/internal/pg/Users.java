package io.leeway.lazybase.internal.pg;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in: a file with a line for each user, {@code name role verifier}. The file has no passwords, only what checks them
 * (RFC 5803). Without users everybody on this machine may do everything, as the server then listens to no one else. Thread-safe.
 */
public final class Users {

    /** What a user may do. */
    public enum Role {
        /** Everything. */
        WRITE,
        /** Queries only. */
        READ
    }

    /**
     * A user.
     *
     * @param role what he may do
     * @param verifier what checks his password
     */
    public record User(String name, Role role, Scram.Verifier verifier) {}

    private final Path file;

    public Users(Path file) {
        this.file = file;
    }

    /** All users. */
    public List<User> all() throws IOException {
        var users = new ArrayList<User>();
        if (!Files.exists(file)) {
            return users;
        }
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                users.add(user(line));
            }
        }
        return users;
    }

    private static User user(String line) throws IOException {
        String[] parts = line.strip().split(" ", -1);
        try {
            if (parts.length == 3) {
                return new User(parts[0], Role.valueOf(parts[1]), Scram.Verifier.parse(parts[2]));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("a line of the users' file is damaged: " + parts[0], e);
        }
        throw new IOException("a line of the users' file is damaged: " + parts[0]);
    }

    /** The user of a name, or null. */
    public @Nullable User find(String name) throws IOException {
        for (User user : all()) {
            if (user.name().equals(name)) {
                return user;
            }
        }
        return null;
    }

    /** Whether a password is that of a user. */
    public boolean isRight(String name, String password) throws IOException {
        User user = find(name);
        return user != null && user.verifier().fits(password);
    }

    /** Adds a user, or changes him. */
    public void put(String name, Role role, String password, byte[] salt) throws IOException {
        if (name.isBlank() || name.contains(" ") || name.startsWith("#")) {
            throw new IllegalArgumentException("'" + name + "' is no name of a user");
        }
        var users = new TreeMap<String, User>();
        all().forEach(user -> users.put(user.name(), user));
        users.put(name, new User(name, role, Scram.Verifier.of(password, salt)));
        var lines = new ArrayList<String>();
        users.values().forEach(user -> lines.add(user.name() + " " + user.role() + " " + user.verifier()));
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.write(temporary, lines, StandardCharsets.UTF_8);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
