package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.SessionEffects;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What SET and RESET do to the transaction and to settings of the application's own, by the names that the parser has
 * decoded ({@code ChosenIsolationIT}).
 *
 * <p>Only two forms of choosing an isolation are taken at their word, those that have a syntax of their own; their values are
 * words and no literals, of which a plan knows nothing. All others are a choice of which nothing is known.
 */
final class SettingEffects {

    private static final String TRANSACTION = "transaction";
    private static final String CHARACTERISTICS = "session characteristics";
    private static final String ISOLATION = "isolation";
    private static final List<String> SESSION_PREFIX = List.of("as", TRANSACTION);
    private static final List<String> LEVEL_PREFIX = List.of(ISOLATION, "level");
    private static final Set<String> OTHER_MODES = Set.of("read", "only", "write", "not", "deferrable");

    /** What H2 sets without a commit, of what may be set. */
    private static final Set<String> H2_TRANSACTIONAL =
            Set.of("lock_timeout", "query_timeout", "schema", "schema_search_path", "catalog", "time zone", "timezone");

    private SettingEffects() {}

    static SessionEffects of(Statement.Set set, Dialect dialect) {
        SessionEffects all = SessionEffects.NONE;
        for (Statement.Setting setting : set.settings()) {
            all = all.and(of(setting, dialect));
        }
        return all;
    }

    private static SessionEffects of(Statement.Setting setting, Dialect dialect) {
        String name = setting.name().toString().toLowerCase(Locale.ROOT);
        SessionEffects chosen = chosen(name, setting, dialect);
        if (dialect != Dialect.H2 || H2_TRANSACTIONAL.contains(name)) {
            return chosen;
        }
        SessionEffects commit = SessionEffects.of(SessionEffects.Kind.COMMITS);
        SessionEffects both = chosen.and(commit);
        // What is committed was before the choice.
        return new SessionEffects(both.kinds(), chosen.level());
    }

    private static SessionEffects chosen(String name, Statement.Setting setting, Dialect dialect) {
        if (name.equals(TRANSACTION) || name.equals(CHARACTERISTICS)) {
            return modes(setting, name, dialect);
        }
        if (name.contains(ISOLATION)) {
            return SessionEffects.of(SessionEffects.Kind.CHOOSES_ISOLATION);
        }
        // Under this name stands RESET ALL.
        return name.equals("all") && setting.values().isEmpty()
                ? SessionEffects.of(SessionEffects.Kind.RESETS_ALL)
                : SessionEffects.NONE;
    }

    private static SessionEffects modes(Statement.Setting setting, String name, Dialect dialect) {
        List<String> words = words(setting.values());
        if (words == null) {
            // A snapshot's name is a literal.
            return SessionEffects.of(SessionEffects.Kind.CHOOSES_ISOLATION)
                    .and(SessionEffects.of(SessionEffects.Kind.TAKES_SNAPSHOT_OVER));
        }
        boolean ofSession = name.equals(CHARACTERISTICS);
        List<String> rest = ofSession ? without(words, SESSION_PREFIX) : words;
        if (rest.isEmpty()) {
            return SessionEffects.of(SessionEffects.Kind.CHOOSES_ISOLATION);
        }
        if (OTHER_MODES.containsAll(rest)) {
            return SessionEffects.NONE;
        }
        List<String> level = without(rest, LEVEL_PREFIX);
        if (level.isEmpty() || level.size() > 2) {
            return SessionEffects.of(SessionEffects.Kind.CHOOSES_ISOLATION);
        }
        // To PostgreSQL SESSION and LOCAL say nothing before TRANSACTION, to MariaDB both say "the session's".
        boolean lasting =
                ofSession || dialect == Dialect.MARIADB && !setting.scope().isEmpty();
        return SessionEffects.choosing(new SessionEffects.Level(String.join(" ", level), lasting));
    }

    /** What stands behind these words; nothing if they do not stand at the beginning. */
    private static List<String> without(List<String> words, List<String> prefix) {
        boolean stands =
                words.size() > prefix.size() && words.subList(0, prefix.size()).equals(prefix);
        return stands ? words.subList(prefix.size(), words.size()) : List.of();
    }

    /** Plain words in lower case; null if anything else is among them. */
    private static @Nullable List<String> words(List<Expr> values) {
        List<String> words = new ArrayList<>();
        for (Expr value : values) {
            if (!(value instanceof Expr.Column column)
                    || !column.name().isSimple()
                    || column.name().last().quoted()) {
                return null;
            }
            words.add(column.name().last().raw().toLowerCase(Locale.ROOT));
        }
        return words;
    }
}
