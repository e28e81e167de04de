package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.console.DidYouMean;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import io.leeway.lazybase.internal.sql.Statement.ColumnDefinition;
import io.leeway.lazybase.internal.sql.Statement.CopyFormat;
import io.leeway.lazybase.internal.sql.Statement.Equality;
import io.leeway.lazybase.internal.sql.Statement.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads statements that are not queries; queries are left to Calcite. For one text. */
public final class StatementParser {

    private static final Set<String> QUERIES = Set.of("SELECT", "WITH", "VALUES", "TABLE");

    private static final List<String> WORDS = List.of(
            "SELECT",
            "INSERT",
            "UPDATE",
            "DELETE",
            "CREATE",
            "DROP",
            "ALTER",
            "TRUNCATE",
            "COPY",
            "EXPLAIN",
            "SHOW",
            "SET",
            "BEGIN",
            "COMMIT",
            "ROLLBACK",
            "WITH",
            "VALUES");

    /** Statements of PostgreSQL that there is nothing for. */
    private static final Set<String> ABSENT = Set.of(
            "CALL", "CLOSE", "CLUSTER", "COMMENT", "DECLARE", "DO", "EXECUTE", "FETCH", "GRANT", "LOCK", "MERGE",
            "MOVE", "NOTIFY", "PREPARE", "REFRESH", "REINDEX", "REVOKE");

    private final String sql;
    private final List<Token> tokens;
    private int at;
    private Statement.Copy.Action copyAction = Statement.Copy.Action.PUT;
    private List<String> copyAdds = List.of();

    private StatementParser(String sql) {
        this.sql = sql;
        this.tokens = Lexer.tokens(sql);
    }

    /** The statements of a text that are divided by semicolons. */
    public static List<String> split(String sql) {
        var parts = new ArrayList<String>();
        int begin = 0;
        for (Token token : Lexer.tokens(sql)) {
            if (token.is(";") || token.kind() == Kind.END) {
                String part = sql.substring(begin, token.from());
                if (Lexer.tokens(part).size() > 1) {
                    parts.add(part);
                }
                begin = token.to();
            }
        }
        return parts;
    }

    /** Reads one statement. */
    public static Statement parse(String sql) {
        return new StatementParser(sql).statement();
    }

    private Statement statement() {
        Token first = tokens.get(0);
        if (first.kind() == Kind.END) {
            return new Statement.Empty(sql);
        }
        return switch (first.kind() == Kind.WORD ? first.text().toUpperCase(Locale.ROOT) : "") {
            case "INSERT" -> insert();
            case "UPDATE" -> update();
            case "DELETE" -> delete();
            case "CREATE" -> create();
            case "DROP" -> drop();
            case "ALTER" -> alter();
            case "TRUNCATE" -> truncate();
            case "SET" -> set();
            case "RESET" -> reset();
            case "SHOW" -> show();
            case "BEGIN", "START" -> new Statement.Transaction(sql, "BEGIN");
            case "COMMIT", "END" -> new Statement.Transaction(sql, "COMMIT");
            case "ROLLBACK", "ABORT" -> rollback();
            case "SAVEPOINT" -> savepoint("SAVEPOINT");
            case "RELEASE" -> savepoint("RELEASE");
            case "COPY" -> copy();
            case "EXPLAIN" -> explain();
            case "DEALLOCATE" -> deallocate();
            case "DISCARD" -> new Statement.Nothing(sql, "DISCARD ALL");
            case "ANALYZE", "VACUUM", "LISTEN", "UNLISTEN" ->
                new Statement.Nothing(sql, first.text().toUpperCase(Locale.ROOT));
            default -> query(first);
        };
    }

    private Statement query(Token first) {
        String word = first.text().toUpperCase(Locale.ROOT);
        if (first.kind() != Kind.WORD || QUERIES.contains(word)) {
            return new Statement.Query(sql);
        }
        if (ABSENT.contains(word)) {
            throw new LazyBaseException(Code.UNSUPPORTED, word + " is not there.");
        }
        throw new LazyBaseException(
                Code.SYNTAX, "No statement begins with '" + first.text() + "'" + DidYouMean.hint(word, WORDS));
    }

    private Statement rollback() {
        at++;
        if (!accept("WORK")) {
            accept("TRANSACTION");
        }
        if (peek().is("TO")) {
            return savepoint("ROLLBACK TO");
        }
        return new Statement.Transaction(sql, "ROLLBACK");
    }

    private Statement savepoint(String word) {
        at++;
        if (!word.equals("SAVEPOINT")) {
            accept("SAVEPOINT");
        }
        return new Statement.Savepoint(sql, word, name());
    }

    // The small things.

    private Token peek() {
        return tokens.get(at);
    }

    private boolean accept(String... words) {
        for (int i = 0; i < words.length; i++) {
            if (at + i >= tokens.size() || !tokens.get(at + i).is(words[i])) {
                return false;
            }
        }
        at += words.length;
        return true;
    }

    private void expect(String... words) {
        if (!accept(words)) {
            throw syntax(String.join(" ", words));
        }
    }

    private LazyBaseException syntax(String wanted) {
        Token token = peek();
        String found = token.kind() == Kind.END ? "the end" : "'" + sql.substring(token.from(), token.to()) + "'";
        return new LazyBaseException(
                Code.SYNTAX,
                "At character " + (token.from() + 1) + ": " + wanted + " was expected, not " + found + ".");
    }

    /** A name: unquoted ones are taken in lower case. */
    private String name() {
        Token token = peek();
        if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED) {
            throw syntax("a name");
        }
        at++;
        return token.kind() == Kind.WORD ? token.text().toLowerCase(Locale.ROOT) : token.text();
    }

    /** A name that may stand after a schema. */
    private String tableName() {
        String name = name();
        while (accept(".")) {
            name = name();
        }
        return name;
    }

    private List<String> names() {
        var names = new ArrayList<String>();
        expect("(");
        do {
            // A column, or a part of the natural key that it has ids of.
            var name = new StringBuilder(name());
            while (accept(".")) {
                name.append('.').append(name());
            }
            names.add(name.toString());
            if (!accept("ASC")) {
                accept("DESC");
            }
        } while (accept(","));
        expect(")");
        return names;
    }

    private int number() {
        Token token = peek();
        if (token.kind() != Kind.NUMBER) {
            throw syntax("a number");
        }
        at++;
        return new BigDecimal(token.text()).intValue();
    }

    private void end() {
        if (peek().kind() != Kind.END) {
            throw syntax("the end");
        }
    }

    /** The text from a token to before the current one. */
    private String text(int fromToken) {
        return at == fromToken
                ? ""
                : sql.substring(tokens.get(fromToken).from(), tokens.get(at - 1).to());
    }

    /** Goes to the next comma, closing bracket or one of the words outside of brackets. */
    private void skipExpression(String... words) {
        int depth = 0;
        while (peek().kind() != Kind.END) {
            if (depth == 0 && (peek().is(",") || peek().is(")"))) {
                return;
            }
            for (String word : words) {
                if (depth == 0 && peek().is(word)) {
                    return;
                }
            }
            depth += peek().is("(") ? 1 : peek().is(")") ? -1 : 0;
            at++;
        }
    }

    private Value value(String... endings) {
        int begin = at;
        Value simple = simple();
        if (simple != null) {
            boolean ends = peek().kind() == Kind.END || peek().is(",") || peek().is(")");
            for (String ending : endings) {
                ends |= peek().is(ending);
            }
            if (ends) {
                return simple;
            }
        }
        at = begin;
        skipExpression(endings);
        if (at == begin) {
            throw syntax("a value");
        }
        return new Value.Expression(text(begin));
    }

    private @Nullable Value simple() {
        Token token = peek();
        at++;
        if (token.kind() == Kind.PARAMETER) {
            return cast(new Value.Parameter(Integer.parseInt(token.text())));
        }
        if (token.kind() == Kind.TEXT) {
            return cast(new Value.Constant(token.text()));
        }
        if (token.kind() == Kind.NUMBER) {
            return cast(number(token.text(), false));
        }
        if (token.is("(")) {
            // Drivers write ('50'::int8).
            Value inner = simple();
            return inner != null && accept(")") ? cast(inner) : null;
        }
        if (token.is("-") && peek().kind() == Kind.NUMBER) {
            at++;
            return cast(number(tokens.get(at - 1).text(), true));
        }
        if (token.is("NULL")) {
            return cast(new Value.Constant(null));
        }
        if (token.is("TRUE") || token.is("FALSE")) {
            return new Value.Constant(token.is("TRUE"));
        }
        if ((token.is("TIMESTAMP") || token.is("DATE") || token.is("TIME")) && peek().kind() == Kind.TEXT) {
            at++;
            return new Value.Constant(tokens.get(at - 1).text());
        }
        return null;
    }

    /** A type after a constant is not needed: the column's type says how it is read. */
    private @Nullable Value cast(@Nullable Value value) {
        while (accept("::")) {
            name();
            if (accept("(")) {
                skipExpression();
                while (accept(",")) {
                    skipExpression();
                }
                expect(")");
            }
            accept("varying");
            accept("precision");
        }
        return value;
    }

    private static Value number(String text, boolean negative) {
        BigDecimal number;
        try {
            number = new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new LazyBaseException(Code.SYNTAX, "'" + text + "' is no number.", e);
        }
        BigDecimal signed = negative ? number.negate() : number;
        if (signed.scale() <= 0 && signed.precision() <= 18) {
            return new Value.Constant(signed.longValue());
        }
        return new Value.Constant(signed);
    }

    // Writing.

    private Statement insert() {
        expect("INSERT", "INTO");
        String table = tableName();
        if (accept("AS")) {
            name();
        }
        List<String> columns = List.of();
        if (peek().is("(") && !tokens.get(at + 1).is("SELECT")) {
            columns = names();
        }
        var rows = new ArrayList<List<Value>>();
        String query = null;
        if (accept("VALUES")) {
            do {
                expect("(");
                var row = new ArrayList<Value>();
                do {
                    row.add(value());
                } while (accept(","));
                expect(")");
                rows.add(row);
            } while (accept(","));
        } else {
            int begin = at;
            int depth = 0;
            while (peek().kind() != Kind.END
                    && !(depth == 0 && peek().is("ON") && tokens.get(at + 1).is("CONFLICT"))) {
                depth += peek().is("(") ? 1 : peek().is(")") ? -1 : 0;
                at++;
            }
            query = text(begin);
            if (query.isEmpty()) {
                throw syntax("VALUES or SELECT");
            }
        }
        boolean conflict = accept("ON", "CONFLICT");
        var adds = new ArrayList<String>();
        boolean keep = conflict && onConflict(columns, adds);
        if (peek().is("RETURNING")) {
            throw new LazyBaseException(Code.UNSUPPORTED, "RETURNING: updates do not read.");
        }
        end();
        return new Statement.Insert(sql, table, columns, rows, query, conflict && !keep, adds, keep);
    }

    /**
     * {@code (key) DO UPDATE SET c = EXCLUDED.c, n = t.n + EXCLUDED.n}: exactly what a patch does.
     *
     * @return whether it says DO NOTHING instead
     */
    private boolean onConflict(List<String> columns, List<String> adds) {
        List<String> key = List.of();
        if (peek().is("(")) {
            key = names();
        }
        expect("DO");
        if (accept("NOTHING")) {
            return true;
        }
        expect("UPDATE", "SET");
        var set = new ArrayList<String>();
        do {
            String column = name();
            expect("=");
            String source = tableName();
            if (accept("+")) {
                adds.add(column);
                if (!source.equals(column)) {
                    throw new LazyBaseException(Code.UNSUPPORTED, "ON CONFLICT may only add to the column itself.");
                }
                source = tableName();
            }
            if (!source.equals(column)) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED, "ON CONFLICT DO UPDATE may only set a column to what was given for it.");
            }
            set.add(column);
        } while (accept(","));
        for (String column : columns) {
            // Of a natural key, file.path, the column is file.
            String own = column.contains(".") ? column.substring(0, column.indexOf('.')) : column;
            if (!set.contains(column) && !key.contains(own)) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED,
                        "ON CONFLICT DO UPDATE has to set every column that is given: " + column + ".");
            }
        }
        return false;
    }

    private Statement update() {
        expect("UPDATE");
        String table = tableName();
        String alias = table;
        if (!peek().is("SET")) {
            accept("AS");
            alias = name();
        }
        expect("SET");
        var sets = new ArrayList<Statement.Assignment>();
        var texts = new ArrayList<String>();
        do {
            String column = tableName();
            expect("=");
            int begin = at;
            boolean add = false;
            boolean minus = false;
            if (peek().kind() == Kind.WORD || peek().kind() == Kind.QUOTED) {
                int mark = at;
                String first = tableName();
                boolean plus = first.equals(column) && accept("+");
                minus = first.equals(column) && !plus && accept("-");
                add = plus || minus;
                if (!add) {
                    at = mark;
                }
            }
            Value value = value("WHERE");
            if (minus && value instanceof Value.Constant constant && constant.value() instanceof Number number) {
                value = new Value.Constant(new BigDecimal(number.toString()).negate());
            } else if (minus) {
                add = false;
                value = new Value.Expression(text(begin));
            }
            texts.add(text(begin));
            sets.add(new Statement.Assignment(column, value, add));
        } while (accept(","));
        String where = where();
        return new Statement.Update(sql, table, alias, sets, texts, equalities(where), where);
    }

    private Statement delete() {
        expect("DELETE", "FROM");
        String table = tableName();
        String alias = table;
        if (accept("AS") || (peek().kind() == Kind.WORD && !peek().is("WHERE") && !peek().is("RETURNING"))) {
            alias = name();
        }
        String where = where();
        return new Statement.Delete(sql, table, alias, equalities(where), where);
    }

    private String where() {
        if (!accept("WHERE")) {
            end();
            return "";
        }
        int begin = at;
        while (peek().kind() != Kind.END) {
            if (peek().is("RETURNING")) {
                throw new LazyBaseException(Code.UNSUPPORTED, "RETURNING: updates do not read.");
            }
            at++;
        }
        return text(begin);
    }

    /** The condition as equalities, or nothing if it is more than that. */
    private static List<Equality> equalities(String where) {
        var parser = new StatementParser(where);
        var equalities = new ArrayList<Equality>();
        try {
            do {
                int open = 0;
                while (parser.accept("(")) {
                    open++;
                }
                String column = parser.tableName();
                parser.expect("=");
                Value value = parser.simple();
                for (int i = 0; i < open; i++) {
                    parser.expect(")");
                }
                if (value == null) {
                    return List.of();
                }
                equalities.add(new Equality(column, value));
            } while (parser.accept("AND"));
            return parser.peek().kind() == Kind.END ? equalities : List.of();
        } catch (LazyBaseException e) {
            return List.of();
        }
    }

    // Definitions.

    private Statement create() {
        expect("CREATE");
        accept("UNIQUE");
        if (accept("TABLE")) {
            return createTable();
        }
        if (accept("INGEST")) {
            return createIngest();
        }
        if (accept("INDEX") || accept("SORTED", "VIEW")) {
            boolean ifNotExists = accept("IF", "NOT", "EXISTS");
            String view = name();
            expect("ON");
            String table = tableName();
            if (accept("USING")) {
                name();
            }
            List<String> key = names();
            List<String> include = accept("INCLUDE") ? names() : null;
            end();
            return new Statement.CreateView(sql, view, table, key, include, ifNotExists);
        }
        throw new LazyBaseException(
                Code.UNSUPPORTED,
                "CREATE " + peek().text() + ": there are tables, and sorted views (indexes) of them.");
    }

    private Statement createIngest() {
        boolean ifNotExists = accept("IF", "NOT", "EXISTS");
        String name = name();
        expect("INTO");
        String table = tableName();
        List<String> columns = peek().is("(") ? names() : List.of();
        expect("FROM");
        String kind = name();
        String address = constant();
        expect("TOPIC");
        String topic = constant();
        List<String> adds = List.of();
        if (accept("ADD")) {
            adds = names();
        }
        boolean latest = accept("FROM", "LATEST");
        boolean skip = accept("SKIP", "ERRORS");
        accept("WITH");
        return new Statement.CreateIngest(
                sql,
                name,
                table,
                columns,
                kind,
                address,
                topic,
                copyFormat(CopyFormat.Kind.JSON),
                latest,
                skip,
                adds,
                ifNotExists);
    }

    private String constant() {
        if (peek().kind() != Kind.TEXT) {
            throw syntax("a text in quotes");
        }
        at++;
        return tokens.get(at - 1).text();
    }

    private Statement createTable() {
        boolean ifNotExists = accept("IF", "NOT", "EXISTS");
        String table = tableName();
        expect("(");
        var columns = new ArrayList<ColumnDefinition>();
        List<String> key = new ArrayList<>();
        do {
            if (accept("CONSTRAINT")) {
                name();
            }
            if (accept("PRIMARY", "KEY")) {
                key = names();
            } else {
                String name = name();
                columns.add(column(name, key));
            }
        } while (accept(","));
        expect(")");
        end();
        return new Statement.CreateTable(sql, table, columns, key, ifNotExists);
    }

    private ColumnDefinition column(String name, List<String> key) {
        String type = name();
        if (type.equals("double")) {
            accept("precision");
        } else if (type.equals("character")) {
            type = accept("varying") ? "varchar" : "char";
        }
        int precision = 0;
        int scale = 0;
        if (accept("(")) {
            precision = number();
            scale = accept(",") ? number() : 0;
            expect(")");
        }
        if (type.equals("timestamp") || type.equals("time")) {
            if (accept("with", "time", "zone")) {
                type += "tz";
            } else {
                accept("without", "time", "zone");
            }
        }
        ColumnType found = type(type);
        boolean notNull = false;
        boolean identity = false;
        String references = "";
        while (true) {
            if (accept("NOT", "NULL")) {
                notNull = true;
            } else if (accept("GENERATED")) {
                if (!accept("ALWAYS")) {
                    expect("BY", "DEFAULT");
                }
                expect("AS", "IDENTITY");
                identity = true;
            } else if (identity && accept("UNIQUE")) {
                // It is.
                notNull = true;
            } else if (accept("REFERENCES")) {
                references = tableName();
                if (peek().is("(")) {
                    names();
                }
            } else if (accept("PRIMARY", "KEY")) {
                key.add(name);
            } else if (!accept("NULL")) {
                checkNothingElse();
                break;
            }
        }
        if (found == ColumnType.DECIMAL) {
            precision = precision == 0 ? 18 : precision;
            if (precision > 18 || scale > precision) {
                throw new LazyBaseException(
                        Code.BAD_DEFINITION, "Column " + name + ": decimals have 18 digits at most.");
            }
        } else if (found != ColumnType.VARCHAR) {
            precision = 0;
        }
        return new ColumnDefinition(name, found, precision, scale, notNull && !identity, identity, references);
    }

    private void checkNothingElse() {
        for (String word : List.of("DEFAULT", "CHECK", "UNIQUE", "COLLATE")) {
            if (peek().is(word)) {
                throw new LazyBaseException(Code.UNSUPPORTED, word + " of a column is not there.");
            }
        }
    }

    private static ColumnType type(String word) {
        return switch (word) {
            case "bool", "boolean" -> ColumnType.BOOLEAN;
            case "int2", "smallint" -> ColumnType.SMALLINT;
            case "int", "int4", "integer" -> ColumnType.INTEGER;
            case "int8", "bigint" -> ColumnType.BIGINT;
            case "real", "float4" -> ColumnType.REAL;
            case "double", "float8", "float" -> ColumnType.DOUBLE;
            case "numeric", "decimal" -> ColumnType.DECIMAL;
            case "text" -> ColumnType.TEXT;
            case "varchar", "char", "bpchar" -> ColumnType.VARCHAR;
            case "json", "jsonb" -> ColumnType.JSON;
            case "bytea" -> ColumnType.BYTEA;
            case "uuid" -> ColumnType.UUID;
            case "date" -> ColumnType.DATE;
            case "time" -> ColumnType.TIME;
            case "timestamp" -> ColumnType.TIMESTAMP;
            case "timestamptz" -> ColumnType.TIMESTAMPTZ;
            default -> throw new LazyBaseException(Code.BAD_DEFINITION, "There is no type " + word + ".");
        };
    }

    private Statement drop() {
        expect("DROP");
        if (accept("TABLE")) {
            boolean ifExists = accept("IF", "EXISTS");
            List<String> tables = tableList();
            return new Statement.DropTable(sql, tables, ifExists);
        }
        if (accept("INGEST")) {
            boolean ifExists = accept("IF", "EXISTS");
            String name = name();
            end();
            return new Statement.DropIngest(sql, name, ifExists);
        }
        if (accept("INDEX") || accept("SORTED", "VIEW")) {
            boolean ifExists = accept("IF", "EXISTS");
            String view = tableName();
            end();
            return new Statement.DropView(sql, view, ifExists);
        }
        throw new LazyBaseException(Code.UNSUPPORTED, "DROP " + peek().text() + ": there are tables and sorted views.");
    }

    private List<String> tableList() {
        var tables = new ArrayList<String>();
        do {
            tables.add(tableName());
        } while (accept(","));
        if (!accept("CASCADE")) {
            accept("RESTRICT");
        }
        end();
        return tables;
    }

    private Statement truncate() {
        expect("TRUNCATE");
        accept("TABLE");
        return new Statement.Truncate(sql, tableList());
    }

    private Statement alter() {
        expect("ALTER", "TABLE");
        accept("ONLY");
        String table = tableName();
        if (accept("ADD")) {
            accept("COLUMN");
            boolean ifNotExists = accept("IF", "NOT", "EXISTS");
            String name = name();
            ColumnDefinition column = column(name, new ArrayList<>());
            end();
            return new Statement.AddColumn(sql, table, column, ifNotExists);
        }
        if (accept("DROP")) {
            accept("COLUMN");
            boolean ifExists = accept("IF", "EXISTS");
            String column = name();
            end();
            return new Statement.DropColumn(sql, table, column, ifExists);
        }
        expect("RENAME");
        if (accept("TO")) {
            String newName = name();
            end();
            return new Statement.RenameTable(sql, table, newName);
        }
        accept("COLUMN");
        String column = name();
        expect("TO");
        String newName = name();
        end();
        return new Statement.RenameColumn(sql, table, column, newName);
    }

    // Settings and the rest.

    private Statement set() {
        expect("SET");
        if (!accept("SESSION")) {
            accept("LOCAL");
        }
        if (accept("TRANSACTION") || accept("CHARACTERISTICS")) {
            return new Statement.Nothing(sql, "SET");
        }
        if (accept("TIME", "ZONE")) {
            return new Statement.Set(sql, "timezone", settingValue());
        }
        String name = name();
        while (accept(".")) {
            name += "." + name();
        }
        if (!accept("TO")) {
            expect("=");
        }
        return new Statement.Set(sql, name, settingValue());
    }

    private @Nullable String settingValue() {
        if (accept("DEFAULT")) {
            return null;
        }
        var text = new StringBuilder();
        int last = -1;
        while (peek().kind() != Kind.END) {
            if (last >= 0 && peek().from() > last) {
                text.append(' ');
            }
            text.append(peek().text());
            last = peek().to();
            at++;
        }
        return text.toString();
    }

    private Statement reset() {
        expect("RESET");
        if (accept("ALL")) {
            return new Statement.Nothing(sql, "RESET");
        }
        String name = name();
        while (accept(".")) {
            name += "." + name();
        }
        return new Statement.Set(sql, name, null);
    }

    private Statement show() {
        expect("SHOW");
        if (accept("INGESTS")) {
            end();
            return new Statement.Query("SELECT * FROM lazybase.ingests");
        }
        if (accept("TRANSACTION", "ISOLATION", "LEVEL")) {
            return new Statement.Show(sql, "transaction_isolation");
        }
        if (accept("TIME", "ZONE")) {
            return new Statement.Show(sql, "timezone");
        }
        String name = name();
        while (accept(".")) {
            name += "." + name();
        }
        return new Statement.Show(sql, name);
    }

    private Statement deallocate() {
        expect("DEALLOCATE");
        accept("PREPARE");
        return new Statement.Deallocate(sql, accept("ALL") ? null : name());
    }

    private Statement explain() {
        expect("EXPLAIN");
        boolean freshness = accept("FRESHNESS");
        if (accept("(")) {
            while (!accept(")")) {
                freshness |= accept("FRESHNESS");
                at += peek().is(")") ? 0 : 1;
                if (peek().kind() == Kind.END) {
                    throw syntax(")");
                }
            }
        }
        accept("PLAN", "FOR");
        return new Statement.Explain(sql, new Statement.Query(sql.substring(peek().from())), freshness);
    }

    private Statement copy() {
        expect("COPY");
        String table = "";
        String query = null;
        List<String> columns = List.of();
        if (accept("(")) {
            int begin = at;
            int depth = 1;
            while (depth > 0) {
                if (peek().kind() == Kind.END) {
                    throw syntax(")");
                }
                depth += peek().is("(") ? 1 : peek().is(")") ? -1 : 0;
                at++;
            }
            at--;
            query = text(begin);
            at++;
        } else {
            table = tableName();
            if (peek().is("(")) {
                columns = names();
            }
        }
        boolean in = accept("FROM");
        if (!in) {
            expect("TO");
        }
        if (!accept("STDIN") && !accept("STDOUT")) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED, "COPY goes from STDIN or to STDOUT; psql's \\copy reads files.");
        }
        accept("WITH");
        CopyFormat format = copyFormat(CopyFormat.Kind.TEXT);
        if (!in && format.kind() == CopyFormat.Kind.JSON) {
            throw new LazyBaseException(Code.UNSUPPORTED, "COPY TO in JSON.");
        }
        boolean puts = copyAction == Statement.Copy.Action.PUT;
        if ((!in && !puts) || (!copyAdds.isEmpty() && copyAction != Statement.Copy.Action.PATCH)) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED, "COPY FROM has an ACTION, and one that is PATCH may ADD; others may not.");
        }
        return new Statement.Copy(sql, table, columns, query, in, format, copyAction, copyAdds);
    }

    private CopyFormat copyFormat(CopyFormat.Kind preset) {
        var kind = preset;
        String delimiter = "";
        String nullText = null;
        boolean header = false;
        String quote = "\"";
        boolean brackets = accept("(");
        while (peek().kind() != Kind.END && !accept(")")) {
            if (accept("FORMAT")) {
                kind = kind(name());
            } else if (accept("CSV") || accept("BINARY")) {
                kind = kind(tokens.get(at - 1).text());
            } else if (accept("DELIMITER")) {
                accept("AS");
                delimiter = peek().text();
                at++;
            } else if (accept("NULL")) {
                accept("AS");
                nullText = peek().text();
                at++;
            } else if (accept("QUOTE")) {
                accept("AS");
                quote = peek().text();
                at++;
            } else if (accept("HEADER")) {
                header = !accept("FALSE") && !accept("OFF");
                if (header && !accept("TRUE")) {
                    accept("ON");
                }
            } else if (accept("ENCODING")) {
                at++;
            } else if (accept("ACTION")) {
                copyAction = action(name());
            } else if (accept("ADD")) {
                copyAdds = names();
            } else {
                throw syntax("an option of COPY");
            }
            accept(",");
        }
        boolean csv = kind == CopyFormat.Kind.CSV;
        if (delimiter.length() > 1 || quote.length() != 1 || (brackets && peek().kind() != Kind.END)) {
            throw syntax("the end");
        }
        return new CopyFormat(
                kind,
                delimiter.isEmpty() ? (csv ? ',' : '\t') : delimiter.charAt(0),
                nullText != null ? nullText : csv ? "" : "\\N",
                header,
                quote.charAt(0));
    }

    private Statement.Copy.Action action(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "put" -> Statement.Copy.Action.PUT;
            case "patch" -> Statement.Copy.Action.PATCH;
            case "delete" -> Statement.Copy.Action.DELETE;
            default -> throw syntax("put, patch or delete");
        };
    }

    private CopyFormat.Kind kind(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "text" -> CopyFormat.Kind.TEXT;
            case "csv" -> CopyFormat.Kind.CSV;
            case "binary" -> CopyFormat.Kind.BINARY;
            case "json" -> CopyFormat.Kind.JSON;
            default -> throw syntax("text, csv, json or binary");
        };
    }
}
