package io.leeway.privoxy.internal.policy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds policy files: paths, directories (their {@code *.sql} files by name), {@code file:} URLs and {@code classpath:}
 * resources. Nothing else, in particular nothing from a network, is read.
 *
 * <p>What a policy allows leaves the database, so where it comes from matters: a URL on a network could be changed on
 * the way, or name another file tomorrow.
 */
public final class PolicyFiles {

    private static final String CLASS_PATH = "classpath:";
    private static final String FILE = "file:";
    /**
     * Two letters at least: one is a drive.
     *
     * <p>Everything else that looks like a URL is refused instead of being taken for a strange path.
     */
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

    private PolicyFiles() {}

    /**
     * What was read.
     *
     * <p>Directories are watched too, as a new file in one is another policy.
     *
     * @param sources the texts, in order
     * @param watched files and directories whose change means another policy
     */
    public record Content(List<SourceText> sources, List<Path> watched) {
        public Content {
            sources = List.copyOf(sources);
            watched = List.copyOf(watched);
        }
    }

    /**
     * Reads policy files.
     *
     * @param locations one or more, each possibly a list separated by commas
     * @throws InvalidPolicyException naming every location that cannot be read
     */
    public static Content read(List<String> locations) throws InvalidPolicyException {
        var reader = new Reader();
        for (String location : locations) {
            // Connection URLs have one value for each option, so a list is separated by commas.
            for (String part : location.split(",", -1)) {
                if (!part.isBlank()) {
                    reader.location(part.strip());
                }
            }
        }
        return reader.content(String.join(",", locations));
    }

    private static final class Reader {

        private final List<SourceText> sources = new ArrayList<>();
        private final List<Path> watched = new ArrayList<>();
        private final List<Finding> findings = new ArrayList<>();

        void location(String location) {
            try {
                if (location.startsWith(CLASS_PATH)) {
                    resource(location, location.substring(CLASS_PATH.length()));
                } else if (location.startsWith(FILE)) {
                    path(fileOf(location), location);
                } else if (SCHEME.matcher(location).matches()) {
                    fail(location, "only files and class path resources are read", "Use a path, file: or classpath:.");
                } else {
                    path(Path.of(location), location);
                }
            } catch (URISyntaxException | IllegalArgumentException e) {
                fail(location, "this is no path", "Use a path, file: or classpath:.");
            } catch (CharacterCodingException e) {
                fail(location, "the file is not UTF-8", "Save it as UTF-8.");
            } catch (NoSuchFileException e) {
                fail(location, "the file cannot be read: there is no such file", "Check the path.");
            } catch (IOException e) {
                fail(location, "the file cannot be read: " + e.getMessage(), "Check the path and its permissions.");
            }
        }

        private static Path fileOf(String location) throws URISyntaxException {
            return location.startsWith("file:/")
                    ? Path.of(new URI(location))
                    : Path.of(location.substring(FILE.length()));
        }

        /** A resource; two of one name would leave it to the class path's order which policy holds. */
        private void resource(String location, String written) throws IOException, URISyntaxException {
            String name = written.startsWith("/") ? written.substring(1) : written;
            List<URL> found = Collections.list(loader().getResources(name));
            if (found.isEmpty()) {
                fail(location, "there is no such resource on the class path", "Check the name; it starts at the root.");
            } else if (found.size() > 1) {
                String message = "there are " + found.size() + " resources of this name on the class path";
                fail(location, message, "Give the policy a name of its own.");
                // A directory on the class path can be watched; what is in a jar does not change.
            } else if (found.get(0).getProtocol().equals("file")) {
                path(Path.of(found.get(0).toURI()), location);
            } else {
                try (InputStream in = found.get(0).openStream()) {
                    sources.add(new SourceText(location, decoded(in.readAllBytes())));
                }
            }
        }

        /**
         * The application's loader first: the driver may live in the server's own, which does not see the application's
         * resources.
         */
        private static ClassLoader loader() {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            return context != null ? context : Objects.requireNonNull(PolicyFiles.class.getClassLoader());
        }

        private void path(Path path, String location) throws IOException {
            watched.add(path);
            if (!Files.isDirectory(path)) {
                sources.add(new SourceText(location, decoded(Files.readAllBytes(path))));
                return;
            }
            var files = new ArrayList<Path>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, "*.sql")) {
                entries.forEach(files::add);
            }
            if (files.isEmpty()) {
                fail(location, "the directory has no *.sql file", "Put the policy there, or name its file.");
            }
            // By name, as a directory has no order of its own, and messages should name the same first fault each
            // time.
            Collections.sort(files);
            for (Path file : files) {
                watched.add(file);
                sources.add(new SourceText(file.toString(), decoded(Files.readAllBytes(file))));
            }
        }

        private static String decoded(byte[] bytes) throws CharacterCodingException {
            return StandardCharsets.UTF_8
                    // A decoder that reports: with replacement characters two different names could become one.
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }

        private void fail(String location, @Nullable String message, String remedy) {
            findings.add(Finding.error(new Position(location, 1, 1), Objects.toString(message), remedy));
        }

        Content content(String locations) throws InvalidPolicyException {
            if (sources.isEmpty() && findings.isEmpty()) {
                fail(locations, "no policy file is named", "Name one: a path, file: or classpath:.");
            }
            if (!findings.isEmpty()) {
                // All of them together: a policy of which one file cannot be read is not the policy.
                throw new InvalidPolicyException(findings);
            }
            return new Content(sources, watched);
        }
    }
}
