package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseOption;
import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.internal.pg.Users;
import io.leeway.lazybase.internal.pipeline.Verification;
import io.leeway.lazybase.internal.storage.FencedStore;
import io.leeway.lazybase.internal.storage.LocalStore;
import io.leeway.lazybase.internal.storage.Stores;
import io.leeway.lazybase.spi.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** What {@code bin/lazybase} does. For one call. */
public final class CommandLine {

    private static final String HELP = """
        usage: bin/lazybase COMMAND [ARGUMENT...] [--config=FILE] [--OPTION=VALUE...]

          start                      starts the server and stays
          status                     what the pipeline of a running server does
          sql [-c SQL]               runs statements with psql
          load TABLE FILE            copies a CSV file, or one of a JSON object a line (*json), into a table with psql
          user NAME [--read-only]    adds a user or changes the password, which is read from the terminal or stdin
          backup DIRECTORY           copies the data of a server that is stopped
          restore DIRECTORY          copies a backup to where there is no data yet
          verify                     reads every file of a server that is stopped and checks it
          options                    all options

        Options are those of the file or --directory=… for lazybase.directory, and so on.
        """;

    private final PrintStream out;
    private final PrintStream err;
    private final Function<LazyBaseOptions, AutoCloseable> server;
    private final Map<String, String> options = new HashMap<>();
    private final List<String> words = new ArrayList<>();
    private boolean readOnly;

    public CommandLine(PrintStream out, PrintStream err, Function<LazyBaseOptions, AutoCloseable> server) {
        this.out = out;
        this.err = err;
        this.server = server;
    }

    /** Runs a command; returns the exit code. */
    public int run(String... arguments) {
        try {
            read(arguments);
            if (words.isEmpty() || words.get(0).equals("help")) {
                out.print(HELP);
                return words.isEmpty() && arguments.length == 0 ? 2 : 0;
            }
            return run(words.get(0));
        } catch (LazyBaseException | IOException e) {
            err.println("lazybase: " + e.getMessage());
            return 1;
        } catch (IllegalArgumentException e) {
            err.println("lazybase: " + e.getMessage() + "; bin/lazybase --help");
            return 2;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private void read(String... arguments) throws IOException {
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (argument.equals("--help") || argument.equals("-h")) {
                words.add(0, "help");
            } else if (argument.equals("--read-only")) {
                readOnly = true;
            } else if (argument.startsWith("--config=")) {
                config(Path.of(argument.substring("--config=".length())));
            } else if (argument.startsWith("--") && argument.contains("=")) {
                int split = argument.indexOf('=');
                options.put(LazyBaseOptions.PREFIX + argument.substring(2, split), argument.substring(split + 1));
            } else if (argument.startsWith("--")) {
                throw new IllegalArgumentException("there is no " + argument);
            } else {
                words.add(argument);
            }
        }
    }

    private void config(Path file) throws IOException {
        var properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
        properties.forEach((key, value) -> options.putIfAbsent(key.toString(), value.toString()));
    }

    private LazyBaseOptions options() {
        return LazyBaseOptions.of(options);
    }

    private int run(String command) throws IOException, InterruptedException {
        return switch (command) {
            case "start" -> start();
            case "status" -> status();
            case "sql" -> psql(words.subList(1, words.size()));
            case "load" -> load();
            case "user" -> user();
            case "backup" -> backup();
            case "restore" -> restore();
            case "verify" -> verify();
            case "options" -> listOptions();
            default -> throw new IllegalArgumentException("there is no command " + command);
        };
    }

    private String argument(int index, String what) {
        if (words.size() <= index) {
            throw new IllegalArgumentException(words.get(0) + " needs " + what);
        }
        return words.get(index);
    }

    private int start() throws InterruptedException {
        AutoCloseable running = server.apply(options());
        out.println(running);
        out.flush();
        var ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                running.close();
                            } catch (Exception e) {
                                err.println("lazybase: " + e.getMessage());
                            }
                            ended.countDown();
                        },
                        "lazybase-stop"));
        ended.await();
        return 0;
    }

    private int status() throws IOException, InterruptedException {
        int port = options().get(LazyBaseOptions.WEB_PORT);
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .timeout(Duration.ofSeconds(10))
                .build();
        String body;
        try {
            body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new IOException("no server answers at port " + port + " (lazybase.web.port)", e);
        }
        body.lines().filter(line -> line.startsWith("lazybase_")).forEach(out::println);
        return 0;
    }

    private int psql(List<String> arguments) throws IOException, InterruptedException {
        LazyBaseOptions given = options();
        var command = new ArrayList<String>(List.of(
                "psql",
                "-X",
                "-h",
                given.get(LazyBaseOptions.HOST),
                "-p",
                given.get(LazyBaseOptions.PORT).toString(),
                "-d",
                "lazybase"));
        if (System.getenv("PGUSER") == null) {
            command.addAll(List.of("-U", System.getProperty("user.name")));
        }
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new IOException("psql cannot be started; install PostgreSQL's client, or use any other", e);
        }
    }

    private int load() throws IOException, InterruptedException {
        String table = argument(1, "a table");
        Path file = Path.of(argument(2, "a file"));
        if (!table.matches("[A-Za-z0-9_.\"]+")) {
            throw new IllegalArgumentException("'" + table + "' is no name of a table");
        }
        var command = new ArrayList<String>(List.of(
                "psql",
                "-X",
                "-h",
                options().get(LazyBaseOptions.HOST),
                "-p",
                options().get(LazyBaseOptions.PORT).toString(),
                "-d",
                "lazybase",
                "-c",
                "COPY " + table + " FROM STDIN WITH (FORMAT " + (file.toString().endsWith("json") ? "json" : "csv")
                        + ")"));
        if (System.getenv("PGUSER") == null) {
            command.addAll(List.of("-U", System.getProperty("user.name")));
        }
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var progress = new ProgressBar(err, "loading", Files.size(file));
        try (var in = Files.newInputStream(file);
                var to = process.getOutputStream()) {
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                to.write(buffer, 0, count);
                progress.add(count);
            }
        } finally {
            progress.end();
        }
        return process.waitFor();
    }

    // From Java 22 on a console is there without a terminal, too; it reads from the input then.
    @SuppressWarnings("SystemConsoleNull")
    private int user() throws IOException {
        String name = argument(1, "a name");
        Path directory = Path.of(options().get(LazyBaseOptions.DIRECTORY));
        Files.createDirectories(directory);
        String password;
        if (System.console() != null) {
            password = new String(System.console().readPassword("password of %s: ", name));
        } else {
            password = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        }
        if (password == null || password.length() < 8) {
            throw new IllegalArgumentException("a password has 8 characters at least");
        }
        byte[] salt = new byte[16];
        new SecureRandom().nextBytes(salt);
        new Users(directory.resolve("users")).put(name, readOnly ? Users.Role.READ : Users.Role.WRITE, password, salt);
        out.println("user " + name + (readOnly ? " may read" : " may read and write")
                + "; a server that had no users yet asks for passwords after its next start");
        return 0;
    }

    private int backup() throws IOException {
        Path to = Path.of(argument(1, "a directory"));
        try (var lock = lock();
                Store from = Stores.of(options());
                Store copy = new LocalStore(to.resolve("store"))) {
            copy(from, Path.of(options().get(LazyBaseOptions.DIRECTORY)), copy, to, "backup");
            return verify(copy);
        }
    }

    private int restore() throws IOException {
        Path from = Path.of(argument(1, "a directory"));
        Path to = Path.of(options().get(LazyBaseOptions.DIRECTORY));
        if (!Files.isDirectory(from.resolve("store"))) {
            throw new IOException(from + " has no data");
        }
        try (Store backup = new LocalStore(from.resolve("store"));
                Store store = Stores.of(options())) {
            if (Stores.hasData(store)) {
                throw new IllegalArgumentException(to + " has data; restore to another lazybase.directory");
            }
            int result = verify(backup);
            if (result == 0) {
                copy(backup, from, store, to, "restore");
            }
            return result;
        }
    }

    private void copy(Store from, Path fromDirectory, Store to, Path toDirectory, String what) throws IOException {
        if (!Stores.hasData(from)) {
            throw new IOException(fromDirectory + " has no data");
        }
        if (Stores.hasData(to)) {
            throw new IllegalArgumentException(toDirectory + " has data already");
        }
        var progress = new ProgressBar(err, what, Stores.size(from));
        Stores.copy(from, to, progress::add);
        Path users = fromDirectory.resolve("users");
        if (Files.exists(users)) {
            Files.createDirectories(toDirectory);
            Files.copy(users, toDirectory.resolve("users"), StandardCopyOption.REPLACE_EXISTING);
        }
        progress.end();
    }

    /** Holds off a server on this machine; where the store is elsewhere nobody can be held off. */
    private DirectoryLock lock() throws IOException {
        return DirectoryLock.of(Path.of(options().get(LazyBaseOptions.DIRECTORY)));
    }

    private int verify() throws IOException {
        try (var lock = lock();
                Store store = Stores.of(options())) {
            return verify(store);
        }
    }

    private int verify(Store raw) throws IOException {
        if (!Stores.hasData(raw)) {
            throw new IOException("there is no data");
        }
        Store store = FencedStore.view(raw);
        var progress = new ProgressBar(err, "verify", Stores.size(store));
        Verification.Report report = Verification.run(store, progress::add);
        progress.end();
        report.faults().forEach(fault -> out.println("damaged: " + fault));
        out.println(String.format(
                Locale.ROOT,
                "%d files with %d rows, %d damaged",
                report.files(),
                report.rows(),
                report.faults().size()));
        return report.faults().isEmpty() ? 0 : 1;
    }

    private int listOptions() {
        for (LazyBaseOption<?> option : LazyBaseOptions.all()) {
            out.println(option.key() + "=" + option.preset());
            out.println("    " + option.text() + (option.bounds().isEmpty() ? "" : " (" + option.bounds() + ")"));
        }
        return 0;
    }
}
