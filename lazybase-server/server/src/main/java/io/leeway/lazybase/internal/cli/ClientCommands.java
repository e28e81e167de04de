package io.leeway.lazybase.internal.cli;

import io.leeway.lazybase.LazyBaseOptions;
import io.leeway.lazybase.internal.console.CommandException;
import io.leeway.lazybase.internal.console.ProgressLine;
import io.leeway.lazybase.internal.console.TextTable;
import io.leeway.lazybase.internal.console.Usage;
import io.leeway.lazybase.internal.console.Words;
import io.leeway.lazybase.internal.sql.StatementParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Talks to a running server as any other client does. */
final class ClientCommands {

    /** That no connection came about. */
    private static final String NO_CONNECTION = "08001";

    private static final String USER = "user";
    private static final String STATEMENT = "statement";
    private static final String COLUMNS = "columns";
    private static final String FORMAT = "format";
    private static final String HEADER = "header";
    private static final String ACTION = "action";

    /** Lines of a result that a person reads. */
    private static final int MOST_LINES = 1_000;

    private static final List<Usage.Option> WHO = List.of(new Usage.Option(
            USER, "NAME", "who connects; PGUSER or the system's user if not given. PGPASSWORD is the password"));

    private ClientCommands() {}

    static List<Command> all(List<Usage.Option> options) {
        return List.of(
                Command.of(
                        "sql",
                        "[SQL]",
                        "runs statements and prints what they give",
                        List.of("Without SQL they are read from the input, each up to its semicolon. psql, or any other"
                                + " client of PostgreSQL, does the same at --pg.host and --pg.port."),
                        plus(new Usage.Option(STATEMENT, "SQL", "the same as SQL")),
                        options,
                        ClientCommands::sql),
                Command.of(
                        "load",
                        "TABLE FILE",
                        "copies a file into a table, with progress",
                        List.of(
                                "CSV, or one JSON object a line if the name ends in json. A hyphen is the input. What was"
                                        + " committed before a bad line stays; the message says how many rows."),
                        plus(
                                new Usage.Option(COLUMNS, "A,B", "columns of the file's fields; all if not given"),
                                new Usage.Option(FORMAT, "FORMAT", "csv, json or text"),
                                new Usage.Option(HEADER, "", "the first line has names"),
                                new Usage.Option(ACTION, "ACTION", "put (if not given), patch or delete")),
                        options,
                        ClientCommands::load));
    }

    private static List<Usage.Option> plus(Usage.Option... own) {
        var all = new java.util.ArrayList<>(List.of(own));
        all.addAll(WHO);
        return all;
    }

    private static Connection connect(Call call) throws CommandException {
        LazyBaseOptions options = call.options();
        String url = "jdbc:postgresql://" + options.get(LazyBaseOptions.HOST) + ":" + options.get(LazyBaseOptions.PORT)
                + "/lazybase";
        var properties = new Properties();
        String user = call.arguments().get(USER);
        String known = call.console().environment().apply("PGUSER");
        properties.setProperty("user", user != null ? user : known != null ? known : System.getProperty("user.name"));
        String password = call.console().environment().apply("PGPASSWORD");
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.setProperty("ApplicationName", "lazybase");
        properties.setProperty("connectTimeout", "10");
        try {
            return DriverManager.getConnection(url, properties);
        } catch (SQLException e) {
            String said = NO_CONNECTION.equals(e.getSQLState())
                    ? "no server answers; start one with bin/lazybase start"
                    : problem(e);
            throw new CommandException(said + " (" + url + ")", e);
        }
    }

    private static String problem(SQLException e) {
        return String.valueOf(e.getMessage())
                .replaceFirst("^(ERROR|FATAL): ", "")
                .replace('\n', ' ');
    }

    private static int sql(Call call) throws CommandException, IOException {
        String given = call.arguments().get(STATEMENT);
        String text = given != null ? given : call.arguments().operands().isEmpty() ? null : call.operand(0);
        try (Connection connection = connect(call)) {
            if (text != null) {
                return run(call, connection, text) ? 0 : 1;
            }
            return interactive(call, connection);
        } catch (SQLException e) {
            throw new CommandException(problem(e), e);
        }
    }

    private static int interactive(Call call, Connection connection) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var text = new StringBuilder();
        boolean well = true;
        prompt(call, "lazybase> ");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            text.append(line).append('\n');
            if (text.toString().stripTrailing().endsWith(";")) {
                well &= run(call, connection, text.toString());
                text.setLength(0);
            }
            prompt(call, text.isEmpty() ? "lazybase> " : "       -> ");
        }
        boolean rest = text.toString().isBlank() || run(call, connection, text.toString());
        // Whoever types has seen what failed.
        return (well && rest) || call.console().isTerminal() ? 0 : 1;
    }

    private static void prompt(Call call, String text) {
        if (call.console().isTerminal()) {
            call.console().out().print(text);
            call.console().out().flush();
        }
    }

    /** Runs statements until one fails. */
    private static boolean run(Call call, Connection connection, String text) {
        for (String one : StatementParser.split(text + ";")) {
            try (Statement statement = connection.createStatement()) {
                boolean rows = statement.execute(one);
                for (SQLWarning said = statement.getWarnings(); said != null; said = said.getNextWarning()) {
                    call.console().err().println(said.getMessage());
                }
                if (rows) {
                    print(call, statement.getResultSet());
                } else if (statement.getUpdateCount() > 0) {
                    call.console().out().println(Words.count(statement.getUpdateCount(), "row"));
                } else {
                    call.console().out().println("ok");
                }
            } catch (SQLException e) {
                call.console().err().println("lazybase: " + problem(e));
                return false;
            }
        }
        return true;
    }

    private static void print(Call call, ResultSet rows) throws SQLException {
        ResultSetMetaData data = rows.getMetaData();
        String[] heads = new String[data.getColumnCount()];
        for (int c = 0; c < heads.length; c++) {
            heads[c] = data.getColumnLabel(c + 1);
        }
        var table = new TextTable(heads);
        long count = 0;
        while (rows.next()) {
            if (++count <= MOST_LINES) {
                String[] cells = new String[heads.length];
                for (int c = 0; c < cells.length; c++) {
                    String value = rows.getString(c + 1);
                    cells[c] = value == null ? "" : value;
                }
                table.add(cells);
            }
        }
        call.console().out().print(table);
        String more = count > MOST_LINES ? ", of which " + Words.number(MOST_LINES) + " are shown" : "";
        call.console().out().println("(" + Words.count(count, "row") + more + ")");
    }

    private static int load(Call call) throws CommandException, IOException {
        String table = call.operand(0);
        String name = call.operand(1);
        boolean fromInput = name.equals("-");
        String sql = copy(call, table, name);
        long size = fromInput ? 0 : Files.size(Path.of(name));
        try (Connection connection = connect(call);
                InputStream in = fromInput ? System.in : Files.newInputStream(Path.of(name));
                var line = ProgressLine.of(call.console(), "loading")) {
            CopyIn copy = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(sql);
            byte[] buffer = new byte[1 << 16];
            long done = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                copy.writeToCopy(buffer, 0, count);
                done += count;
                line.at(done, size);
            }
            long rows = copy.endCopy();
            line.close();
            call.console().out().println(Words.count(rows, "row") + " loaded");
            return 0;
        } catch (SQLException e) {
            throw new CommandException(problem(e), e);
        }
    }

    private static String copy(Call call, String table, String file) throws CommandException {
        if (!table.matches("[\\p{L}_][\\p{L}\\p{N}_]*|\"[^\"]+\"")) {
            throw call.arguments().problem("'" + table + "' is no name of a table");
        }
        var sql = new StringBuilder("COPY " + table);
        String columns = call.arguments().get(COLUMNS);
        if (columns != null) {
            sql.append(" (").append(columns).append(')');
        }
        String format = word(call, FORMAT, List.of("csv", "json", "text"));
        if (format == null) {
            format = file.endsWith("json") ? "json" : "csv";
        }
        sql.append(" FROM STDIN WITH (FORMAT ").append(format);
        if (call.arguments().has(HEADER)) {
            sql.append(", HEADER");
        }
        String action = word(call, ACTION, List.of("put", "patch", "delete"));
        if (action != null) {
            sql.append(", ACTION ").append(action);
        }
        return sql.append(')').toString();
    }

    private static @Nullable String word(Call call, String option, List<String> known) throws CommandException {
        String given = call.arguments().get(option);
        if (given != null && !known.contains(given.toLowerCase(Locale.ROOT))) {
            throw call.arguments().problem("--" + option + " is one of " + String.join(", ", known));
        }
        return given;
    }
}
