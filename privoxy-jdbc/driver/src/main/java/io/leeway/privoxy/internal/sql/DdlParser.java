package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Query;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the schema. They are not read in full: what is made of a query (CREATE TABLE … AS) is, of the rest only
 * what it is about.
 *
 * <p>A grammar of three databases' DDL would be as long as the rest of this package and would still lag behind the
 * servers. What passes is decided by what such a statement cannot do if certain words are not in it ({@link DdlFlows},
 * {@link DdlWords}, and for what is allowed at all {@code SessionReader}). So everything here leans towards seeing a
 * query or an object where there is none.
 */
final class DdlParser {

    // Between the verb and what kind of object it is: CREATE OR REPLACE TEMPORARY TABLE.
    private static final Set<String> BEFORE_KIND = Set.of(
            "OR",
            "REPLACE",
            "GLOBAL",
            "LOCAL",
            "TEMP",
            "TEMPORARY",
            "UNLOGGED",
            "UNIQUE",
            "FULLTEXT",
            "SPATIAL",
            "RECURSIVE",
            "CACHED",
            "MEMORY",
            "FORCE",
            "NO",
            "PERSISTENT",
            "FOREIGN",
            "CONSTRAINT",
            "TRUSTED",
            "PROCEDURAL",
            "OFFLINE",
            "ONLINE",
            "IGNORE",
            "NULLS",
            "DISTINCT",
            "HASH",
            "AGGREGATE");

    private static final Set<String> BEFORE_NAME =
            Set.of("IF", "NOT", "EXISTS", "ONLY", "CONCURRENTLY", "TABLE", "COLUMN", "VIEW");

    private final Grammar grammar;
    private final Cursor cursor;

    DdlParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /**
     * The statement that begins with {@code word}, or null if it is no change of the schema.
     *
     * <p>{@code RENAME} and {@code COMMENT} are statements of MariaDB's and PostgreSQL's own; in the others no
     * statement begins so.
     */
    @Nullable
    Statement statementOrNull(String word, int position) {
        return switch (word) {
            case "CREATE" -> create(position);
            case "ALTER", "DROP", "TRUNCATE", "RENAME", "COMMENT" -> {
                int begin = cursor.index();
                cursor.next();
                yield ddl(word, begin, position);
            }
            default -> null;
        };
    }

    /** {@code CREATE TABLE … AS}, materialised views included, as what they are; anything else by its words. */
    private Statement create(int position) {
        int begin = cursor.index();
        cursor.next();
        boolean temporary = false;
        while (cursor.at(TokenKind.WORD) && BEFORE_KIND.contains(word())) {
            temporary |= cursor.atAny("TEMP", "TEMPORARY");
            cursor.next();
        }
        boolean view = cursor.at("MATERIALIZED", "VIEW");
        if (!view && !cursor.at("TABLE")) {
            return ddl("CREATE", begin, position);
        }
        int start = cursor.index();
        cursor.next();
        if (view) {
            cursor.next();
        }
        if (cursor.accept("IF", "NOT")) {
            cursor.expect("EXISTS");
        }
        QualifiedName name = cursor.qualifiedName(Keywords.NOT_TABLE);
        List<Name> columns = columns();
        int definitions = cursor.index();
        // A table from a query is decided on as that query, unless what stands before it does more than to name columns
        // (SeventhAttackIT.noTableIsMadeThatShowsAnothersRows).
        if (!toQuery() || isOfOthers(definitions, cursor.index())) {
            cursor.reset(start);
            return ddl("CREATE", begin, position);
        }
        Query query = grammar.queries().query();
        boolean no = cursor.at("WITH", "NO");
        if (no || cursor.at("WITH", "DATA")) {
            cursor.next();
            cursor.next();
            if (no) {
                cursor.expect("DATA");
            }
        }
        return new Statement.CreateTableAs(name, columns, view, temporary, query, position);
    }

    private String word() {
        return Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
    }

    /** Plain names in parentheses, or none. */
    private List<Name> columns() {
        if (!cursor.at(TokenKind.LEFT_PAREN)) {
            return List.of();
        }
        int ahead = 1;
        while (cursor.kind(ahead) == TokenKind.WORD || cursor.kind(ahead) == TokenKind.QUOTED) {
            ahead++;
            if (cursor.kind(ahead) == TokenKind.RIGHT_PAREN) {
                return grammar.queries().names();
            }
            if (cursor.kind(ahead) != TokenKind.COMMA) {
                return List.of();
            }
            ahead++;
        }
        return List.of();
    }

    /**
     * Whether definitions and options before a query make a table that shows others' rows or files, or numbers its rows
     * by a sequence, at which MariaDB ends. Goes back to the query.
     *
     * <p>{@code CREATE TABLE t ENGINE=CONNECT … SELECT …} and {@code ENGINE=MERGE UNION=(hidden)} show rows of other
     * tables under a new name.
     */
    private boolean isOfOthers(int begin, int query) {
        boolean found = false;
        for (cursor.reset(begin); cursor.index() < query; cursor.next()) {
            found |= cursor.atAny("UNION", "CONNECTION", "DIRECTORY", "TABLESPACE", "NEXT", "NEXTVAL", "SETVAL")
                    || cursor.at("ENGINE") && !DdlWords.isOrdinaryEngine(cursor);
        }
        return cursor.isMariaDb() && found;
    }

    /**
     * Goes to the query outside of parentheses, if there is one: behind AS, or in MariaDB at once. Before it stand
     * definitions of columns and options.
     *
     * <p>Outside of parentheses: a query inside is a default's or a check's, and is found by its words.
     */
    private boolean toQuery() {
        int depth = 0;
        while (!cursor.atEnd()) {
            boolean as = depth == 0 && cursor.at("AS");
            if (as && (cursor.kind(1) == TokenKind.LEFT_PAREN || cursor.atAny("AS") && isQueryWord(1))) {
                cursor.next();
                return true;
            }
            if (depth == 0 && cursor.isMariaDb() && (isQueryWord(0) || isParenthesisedQuery())) {
                return true;
            }
            if (cursor.at(TokenKind.LEFT_PAREN)) {
                depth++;
            } else if (cursor.at(TokenKind.RIGHT_PAREN)) {
                depth--;
            }
            cursor.next();
        }
        return false;
    }

    private boolean isQueryWord(int ahead) {
        return cursor.at(ahead, "SELECT")
                || cursor.at(ahead, "WITH") && !cursor.at(ahead + 1, "SYSTEM")
                || cursor.at(ahead, "VALUES") && !cursor.at(ahead + 1, "LESS") && !cursor.at(ahead + 1, "IN")
                || cursor.at(ahead, "TABLE");
    }

    /**
     * Whether a query without SELECT begins here. The statement's own TABLE has been passed; of what else is called so
     * nothing changes a schema.
     *
     * <p>{@code TABLE t} and {@code VALUES (…)} are queries, too
     * ({@code ThirdAttackIT.aQueryIsOneWithoutTheWordSelectToo}).
     */
    private boolean isQuery() {
        boolean begins = cursor.at("AS") || cursor.at(TokenKind.LEFT_PAREN);
        return begins && isQueryWord(1)
                || cursor.at("TABLE")
                || cursor.at("VALUES") && isQueryWord(0) && !cursor.at(-1, "FOR");
    }

    private boolean isParenthesisedQuery() {
        int ahead = 0;
        while (cursor.kind(ahead) == TokenKind.LEFT_PAREN) {
            ahead++;
        }
        return ahead > 0 && cursor.at(ahead, "SELECT");
    }

    /**
     * What a change is about; its other words are passed.
     *
     * <p>All of it is looked through twice, from its first token on, since what stands before the kind of object may
     * matter as well ({@code ALTER IGNORE TABLE}).
     */
    private Statement ddl(String verb, int begin, int position) {
        int from = Math.max(0, cursor.index() - 1);
        while (cursor.at(TokenKind.WORD) && BEFORE_KIND.contains(word())) {
            cursor.next();
        }
        var kind = new StringBuilder(verb);
        boolean truncate = verb.equals("TRUNCATE");
        if (!truncate && cursor.at(TokenKind.WORD)) {
            kind.append(' ').append(word());
            boolean materialized = cursor.at("MATERIALIZED");
            cursor.next();
            if (materialized && cursor.accept("VIEW")) {
                kind.append(" VIEW");
            }
        }
        while (cursor.at(TokenKind.WORD) && BEFORE_NAME.contains(word())) {
            cursor.next();
        }
        List<QualifiedName> names = objects(kind.toString());
        boolean containsQuery = false;
        while (!cursor.atEnd()) {
            // EXECUTE runs a prepared statement, whose text may be a query (CREATE TABLE … AS EXECUTE).
            containsQuery |= cursor.at("SELECT") || cursor.at("EXECUTE") || isQuery();
            cursor.next();
        }
        DdlFlows flows = new DdlFlows(cursor).read(begin, kind.toString());
        DdlWords words = new DdlWords(cursor).read(from, kind.toString());
        return new Statement.Ddl(
                kind.toString(),
                names,
                containsQuery,
                List.copyOf(words.functions()),
                words.givesRowsAnotherName(),
                flows.flow(),
                flows.actions().retyped(),
                flows.actions().added(),
                flows.actions().filled(),
                position);
    }

    /**
     * The objects named: those of the list here, and for an index its table.
     *
     * <p>Names tell which tables' columns are changed, and which schema or domain is made; whoever asks takes what is
     * not understood for none, and refuses.
     */
    private List<QualifiedName> objects(String kind) {
        var names = new ArrayList<QualifiedName>();
        do {
            while (cursor.at(TokenKind.WORD) && BEFORE_NAME.contains(word())) {
                cursor.next();
            }
            if (!cursor.atName(Keywords.NOT_TABLE)) {
                break;
            }
            names.add(cursor.qualifiedName(Keywords.NOT_TABLE));
        } while (cursor.accept(TokenKind.COMMA));
        // The table that they are on is the one whose rows they concern.
        if (kind.endsWith("INDEX") || kind.endsWith("TRIGGER") || kind.endsWith("POLICY") || kind.endsWith("RULE")) {
            while (!cursor.atEnd() && !cursor.at("ON")) {
                cursor.next();
            }
            if (cursor.accept("ON")) {
                cursor.accept("ONLY");
                if (cursor.atName(Keywords.NOT_TABLE)) {
                    names.add(cursor.qualifiedName(Keywords.NOT_TABLE));
                }
            }
        }
        return names;
    }
}
