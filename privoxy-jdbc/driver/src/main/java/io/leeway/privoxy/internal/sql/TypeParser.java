package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.TypeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of types in casts.
 *
 * <p>A type decides what a cast does to a value and as what the result is compared, so its name is kept as it was
 * written: in quotes it is another type ({@code "char"} and {@code char}), and with a schema it may be anybody's.
 */
final class TypeParser {

    /** PostgreSQL's keywords that are types; they may also name columns. */
    private static final Set<String> TYPE_WORDS = Set.of(
            "BIGINT",
            "BIT",
            "BOOLEAN",
            "CHAR",
            "CHARACTER",
            "DEC",
            "DECIMAL",
            "DOUBLE",
            "FLOAT",
            "INT",
            "INTEGER",
            "INTERVAL",
            "JSON",
            "NATIONAL",
            "NCHAR",
            "NUMERIC",
            "REAL",
            "SMALLINT",
            "TIME",
            "TIMESTAMP",
            "VARCHAR");

    private static final Set<String> MARIADB_TYPES = Set.of(
            "BINARY",
            "CHAR",
            "DATE",
            "DATETIME",
            "DECIMAL",
            "DEC",
            "DOUBLE",
            "FLOAT",
            "INT",
            "INTEGER",
            "INET4",
            "INET6",
            "JSON",
            "NCHAR",
            "SIGNED",
            "TIME",
            "UNSIGNED",
            "UUID",
            "VARCHAR",
            "YEAR",
            "REAL");

    private final Cursor cursor;

    TypeParser(Cursor cursor) {
        this.cursor = cursor;
    }

    static boolean isTypeWord(String keyword) {
        return TYPE_WORDS.contains(keyword);
    }

    /**
     * What PostgreSQL takes a type for before a string: {@code CHAR 'abc'} has all three letters, while {@code CAST
     * ('abc' AS char)} has the first, and {@code BIT '101'} all three bits.
     */
    static TypeName ofLiteral(TypeName type) {
        if (!type.modifiers().isEmpty() || type.dimensions() > 0) {
            return type;
        }
        return switch (type.name()) {
            case "character" -> withName("bpchar", type);
            // Only in quotes it is one of any length.
            case "bit" -> withName("\"bit\"", type);
            default -> type;
        };
    }

    private static TypeName withName(String name, TypeName type) {
        return new TypeName(name, List.of(), List.of(), 0, type.position());
    }

    /** The type here. */
    TypeName type() {
        TypeName type = typeOrNull();
        if (type == null) {
            throw cursor.unexpected();
        }
        return type;
    }

    /** The type here, or null if it is none (the cursor may then have moved). */
    @Nullable
    TypeName typeOrNull() {
        int position = cursor.position();
        if (cursor.isMariaDb()) {
            return mariaDb(position);
        }
        if (cursor.at(TokenKind.QUOTED)) {
            return withDimensions(named(position));
        }
        if (!cursor.at(TokenKind.WORD) || cursor.at("SETOF")) {
            return null;
        }
        if (cursor.at("INTERVAL")) {
            cursor.next();
            return withDimensions(intervalType(position));
        }
        if (cursor.atAny("TIME", "TIMESTAMP")) {
            return withDimensions(time(position));
        }
        String words = words();
        if (words != null) {
            List<String> modifiers = modifiers();
            return withDimensions(new TypeName(words, List.of(), modifiers, 0, position));
        }
        if (isTypeWord(cursor.keyword()) || cursor.atName(Keywords.NOT_FUNCTION)) {
            return withDimensions(named(position));
        }
        return null;
    }

    /** Types of several words; null if none stands here. */
    private @Nullable String words() {
        if (cursor.accept("DOUBLE", "PRECISION")) {
            return "double precision";
        }
        if (cursor.at("BIT")) {
            cursor.next();
            return cursor.accept("VARYING") ? "bit varying" : "bit";
        }
        if (cursor.isH2() && cursor.atAny("BINARY", "CHARACTER", "CHAR", "NATIONAL", "NCHAR")) {
            return h2Words();
        }
        boolean national = cursor.accept("NATIONAL");
        if (cursor.atAny("CHARACTER", "CHAR", "NCHAR")) {
            cursor.next();
            return cursor.accept("VARYING") ? "character varying" : "character";
        }
        if (national) {
            throw cursor.unexpected();
        }
        return null;
    }

    private String h2Words() {
        boolean binary = cursor.at("BINARY");
        if (cursor.accept("NATIONAL")) {
            if (!cursor.atAny("CHARACTER", "CHAR")) {
                throw cursor.unexpected();
            }
        }
        cursor.next();
        String base = binary ? "binary" : "character";
        if (cursor.accept("VARYING")) {
            return base + " varying";
        }
        if (cursor.accept("LARGE", "OBJECT")) {
            return base + " large object";
        }
        return base;
    }

    private TypeName named(int position) {
        QualifiedName name = cursor.qualifiedName(0);
        List<Name> schema = name.parts().subList(0, name.parts().size() - 1);
        String text = name.last().quoted()
                ? '"' + name.last().text().replace("\"", "\"\"") + '"'
                : Chars.toLowerAscii(name.last().raw());
        return new TypeName(text, schema, modifiers(), 0, position);
    }

    private TypeName time(int position) {
        String base = cursor.at("TIME") ? "time" : "timestamp";
        cursor.next();
        List<String> modifiers = modifiers();
        if (cursor.at("WITH", "TIME") || cursor.at("WITHOUT", "TIME")) {
            boolean zoned = cursor.at("WITH");
            cursor.next();
            cursor.next();
            cursor.expect("ZONE");
            base += zoned ? " with time zone" : " without time zone";
        }
        return new TypeName(base, List.of(), modifiers, 0, position);
    }

    /** What may follow the word INTERVAL (and its string): fields and precision. */
    TypeName intervalType(int position) {
        List<String> modifiers = modifiers();
        var name = new StringBuilder("interval");
        if (cursor.atAny("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")) {
            name.append(' ').append(field());
            if (modifiers.isEmpty()) {
                modifiers = modifiers();
            }
            if (cursor.accept("TO")) {
                name.append(" to ").append(field());
                modifiers = modifiers.isEmpty() ? modifiers() : modifiers;
            }
        }
        return new TypeName(name.toString(), List.of(), modifiers, 0, position);
    }

    private String field() {
        if (!cursor.atAny("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")) {
            throw cursor.unexpected();
        }
        String field = Chars.toLowerAscii(cursor.tokens().raw(cursor.index()));
        cursor.next();
        return field;
    }

    /** Numbers in parentheses. */
    private List<String> modifiers() {
        boolean numbers = cursor.at(TokenKind.LEFT_PAREN) && cursor.kind(1) == TokenKind.INTEGER;
        if (!numbers) {
            return List.of();
        }
        cursor.next();
        var modifiers = new ArrayList<String>();
        do {
            if (!cursor.at(TokenKind.INTEGER)) {
                throw cursor.unexpected();
            }
            modifiers.add(cursor.text());
            cursor.next();
        } while (cursor.accept(TokenKind.COMMA));
        cursor.expect(TokenKind.RIGHT_PAREN);
        return modifiers;
    }

    private TypeName withDimensions(TypeName type) {
        int dimensions = 0;
        if (cursor.isPostgres()) {
            while (cursor.at(TokenKind.LEFT_BRACKET)) {
                cursor.next();
                cursor.accept(TokenKind.INTEGER);
                cursor.expect(TokenKind.RIGHT_BRACKET);
                dimensions++;
            }
        }
        if (dimensions == 0 && cursor.accept("ARRAY")) {
            dimensions = 1;
            if (cursor.accept(TokenKind.LEFT_BRACKET)) {
                if (!cursor.accept(TokenKind.INTEGER)) {
                    throw cursor.unexpected();
                }
                cursor.expect(TokenKind.RIGHT_BRACKET);
            }
        }
        return dimensions == 0
                ? type
                : new TypeName(type.name(), type.schema(), type.modifiers(), dimensions, type.position());
    }

    private @Nullable TypeName mariaDb(int position) {
        if (!cursor.at(TokenKind.WORD)) {
            return null;
        }
        String word = Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
        if (!MARIADB_TYPES.contains(word)) {
            throw cursor.unsupported("type " + word);
        }
        cursor.next();
        String name = Chars.toLowerAscii(word);
        switch (word) {
            case "SIGNED", "UNSIGNED" -> {
                if (!cursor.accept("INTEGER")) {
                    cursor.accept("INT");
                }
            }
            case "DOUBLE" -> cursor.accept("PRECISION");
            default -> {
                // one word
            }
        }
        List<String> modifiers = modifiers();
        if (word.equals("CHAR") || word.equals("VARCHAR")) {
            name += charset();
        }
        return new TypeName(name, List.of(), modifiers, 0, position);
    }

    private String charset() {
        if (!cursor.accept("CHARACTER", "SET") && !cursor.accept("CHARSET")) {
            return "";
        }
        if (!cursor.at(TokenKind.WORD)) {
            throw cursor.unexpected();
        }
        String charset = Chars.toLowerAscii(cursor.tokens().raw(cursor.index()));
        cursor.next();
        return " character set " + charset;
    }
}
