package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.console.DidYouMean;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says in the words of a policy's author what is wrong with a query, and guesses what was meant.
 *
 * <p>A policy is written by hand and against somebody's schema, so most mistakes are names.
 */
final class Diagnosis {

    private static final String REMEDY = "Write the view without it; views are selections, joins and unions of tables.";
    private static final String NAME_REMEDY = "Correct the name.";

    private Diagnosis() {}

    static Finding of(UnsupportedSqlException problem, Body body, TableSource tables) {
        Token word = wordAt(body.sql(), problem.offset());
        String hint = word == null ? "" : hint(problem.construct(), word.text(), body, tables);
        // A wrong name wants another remedy than a construct that views do not have.
        boolean aboutName =
                problem.construct().contains("column") || problem.construct().contains("table");
        return Finding.error(
                body.position(problem.offset()),
                "cannot be used: " + problem.construct() + hint,
                aboutName ? NAME_REMEDY : REMEDY);
    }

    /**
     * The same where the statement is left out rather than the policy refused.
     *
     * <p>A table that a migration has yet to make must not keep the application from starting; the statement then has
     * no effect, which refuses more and never less.
     */
    static Finding leftOut(Finding error) {
        String remedy = error.remedy().equals(NAME_REMEDY) ? "Correct the name, or create it." : error.remedy();
        return Finding.warning(error.position(), error.message() + "; until then the statement has no effect", remedy);
    }

    /** The name at an offset; of a qualified one the last part, since that is what is wrong more often. */
    private static @Nullable Token wordAt(String sql, int offset) {
        List<Token> tokens = Token.of(sql, 0, sql.length());
        for (int i = 0; i < tokens.size(); i++) {
            if (tokens.get(i).start() <= offset && offset < tokens.get(i).end()) {
                int last = i;
                // schema.table.column: readers point at its beginning.
                while (last + 2 < tokens.size()
                        && tokens.get(last + 1).isSign('.')
                        && tokens.get(last + 2).isName()) {
                    last += 2;
                }
                return tokens.get(last).isName() ? tokens.get(last) : null;
            }
        }
        return null;
    }

    private static String hint(String construct, String word, Body body, TableSource tables) {
        try {
            if (construct.contains("column")) {
                return DidYouMean.hint(word, columnsInSight(body, tables));
            }
            return construct.contains("table") ? DidYouMean.hint(word, tableNames(tables)) : "";
            // The finding is true without the guess.
        } catch (SchemaUnavailableException e) {
            // Only the guess is lost.
            return "";
        }
    }

    /**
     * Columns of the tables whose names occur in the query.
     *
     * <p>The columns of other tables would be guesses that mislead.
     */
    private static Set<String> columnsInSight(Body body, TableSource tables) {
        var columns = new LinkedHashSet<String>();
        Set<String> words = words(body);
        for (Table table : tables.schema().tables().values()) {
            if (words.contains(lastPart(table.name()).toLowerCase(Locale.ROOT))) {
                table.columns().stream().map(Column::name).forEach(columns::add);
            }
        }
        return columns;
    }

    private static Set<String> words(Body body) {
        var words = new LinkedHashSet<String>();
        for (Token token : Token.of(body.sql(), 0, body.sql().length())) {
            if (token.isName()) {
                words.add(token.text().toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }

    private static Set<String> tableNames(TableSource tables) {
        var names = new LinkedHashSet<String>();
        tables.names(tables.searchPath()).forEach(name -> names.add(lastPart(name)));
        return names;
    }

    private static String lastPart(String canonical) {
        return canonical.substring(canonical.lastIndexOf('.') + 1);
    }
}
