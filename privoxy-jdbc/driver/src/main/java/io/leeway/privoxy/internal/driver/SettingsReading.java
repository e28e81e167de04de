package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.guard.SessionState;
import io.leeway.privoxy.internal.sql.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a server has said of a session's settings, with what follows from it, so that no text needs a new object.
 *
 * @param lexical what drivers and servers keep of a prepared statement: on PostgreSQL the server looks up names anew,
 *     and only the driver's places of parameters stay
 */
record SettingsReading(
        SessionState prepared,
        SessionState preparedWithoutEscapes,
        SessionState plain,
        SessionState plainWithoutEscapes,
        List<String> lexical,
        boolean limited,
        String meaning,
        Isolation isolation,
        String identity) {

    /** Setting that says that {@code ?} is no parameter: the text is not prepared. */
    private static final String NO_PARAMETERS = "jdbc.parameters=off";
    /** Setting that says that JDBC escapes are not translated. */
    private static final String NO_ESCAPES = "jdbc.escapes=off";

    static SettingsReading of(
            Dialect dialect,
            List<String> path,
            List<String> settings,
            boolean limited,
            String meaning,
            Isolation isolation,
            String identity) {
        SessionState prepared = state(path, settings);
        return new SettingsReading(
                prepared,
                state(path, settings, NO_ESCAPES),
                state(path, settings, NO_PARAMETERS),
                state(path, settings, NO_PARAMETERS, NO_ESCAPES),
                lexical(prepared, dialect != Dialect.POSTGRESQL),
                limited,
                meaning,
                isolation,
                identity);
    }

    /**
     * The state in which a text is read.
     *
     * <p>Four states, made once: whether question marks are parameters and escapes are translated differs from text
     * to text.
     */
    SessionState state(ReadingMode mode) {
        if (mode.parameters()) {
            return mode.escapes() ? prepared : preparedWithoutEscapes;
        }
        return mode.escapes() ? plain : plainWithoutEscapes;
    }

    private static List<String> lexical(SessionState prepared, boolean named) {
        return Stream.concat(named ? prepared.searchPath().stream() : Stream.empty(), prepared.settings().stream())
                // A table of the session's own changes names, which the server looks up when it runs the
                // statement.
                .filter(setting ->
                        !setting.startsWith(OwnTables.TEMPORARY) && !setting.startsWith(OwnTables.TEMPORARY_SCHEMA))
                .filter(setting -> named || !setting.startsWith(SessionState.USER))
                .toList();
    }

    private static SessionState state(List<String> path, List<String> settings, String... more) {
        var all = new ArrayList<>(settings);
        all.addAll(List.of(more));
        all.sort(null);
        return new SessionState(path, all);
    }
}
