package io.leeway.privoxy.internal.sql;

import java.util.List;
import java.util.random.RandomGenerator;

/** Random select lists made to mislead a lexer: quotes, comments and operators glued together. */
final class LexicalTexts {

    private static final List<String> COMMON = List.of(
            "'",
            "''",
            "\"",
            "--",
            "-- ",
            "\n",
            "/*",
            "*/",
            "/",
            "*",
            "-",
            "+",
            " ",
            "\t",
            "\r",
            "a",
            "b",
            "s",
            "1",
            "2.5",
            ".5",
            "1.",
            "e1",
            "1e2",
            "x",
            "'x'",
            "'it''s'",
            "\"a\"",
            "(",
            ")",
            "(1)",
            ",",
            "=",
            "<",
            ">",
            "||",
            "|",
            "!",
            "AND",
            "NOT ",
            " a ",
            " 1 ",
            "'/*'",
            "'--'",
            "/**/",
            "/* ' */",
            "/* -- */",
            "-- '\n",
            "\\",
            "'\\'",
            "'\\\\'",
            "as",
            " AS a",
            ".",
            ";",
            "@",
            "#",
            "$",
            "?",
            "_",
            "N'x'",
            "x'41'",
            "b'1'",
            "%",
            "^",
            "&",
            "~",
            ":",
            "::",
            "`",
            "\u00A0",
            "\u000B",
            "\u00E9");

    private final Dialect dialect;
    private final RandomGenerator random;

    LexicalTexts(Dialect dialect, RandomGenerator random) {
        this.dialect = dialect;
        this.random = random;
    }

    /** Mostly a proper list whose tokens are glued or parted by comments; sometimes fragments in any order. */
    String next() {
        return random.nextInt(4) == 0 ? fragments() : glued();
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private String fragments() {
        var text = new StringBuilder();
        int length = 1 + random.nextInt(6);
        for (int i = 0; i < length; i++) {
            text.append(random.nextInt(4) == 0 ? pick(own()) : pick(COMMON));
        }
        return text.toString();
    }

    private String glued() {
        var text = new StringBuilder(operand());
        int length = 1 + random.nextInt(5);
        for (int i = 0; i < length; i++) {
            text.append(gap()).append(pick(infixes())).append(gap());
            if (random.nextInt(4) == 0) {
                text.append(pick(prefixes())).append(gap());
            }
            text.append(operand());
        }
        return text.toString();
    }

    private String operand() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> string();
            case 2 -> pick(List.of("a", "b", "s", "A", "\"s\"", "x.a", "x . b", "x.\ns"));
            case 3 -> pick(List.of("1", "2.5", ".5", "1.", "1e1", "1.5E-1", "0", "00", "1e+1"));
            case 4 -> pick(own());
            case 5 -> "(" + gap() + operand() + gap() + ")";
            default -> pick(List.of("a", "1"));
        };
    }

    private String string() {
        var text = new StringBuilder(pick(List.of("'", "'", "'", "E'", "N'", "\"", "U&'")));
        char quote = text.charAt(text.length() - 1);
        int length = random.nextInt(4);
        for (int i = 0; i < length; i++) {
            text.append(pick(List.of(
                    "x", "''", "\"", "--", "/*", "*/", "\\", "\\\\", "\\'", "\\n", "$$", "#", " ", "\n", "1", "%")));
        }
        return text.append(quote).toString();
    }

    private String gap() {
        return pick(
                List.of("", "", "", " ", " ", "\n", "/**/", "/* ' */", "-- x'\n", "--\n", "\t", "/* \" */", "--x\n"));
    }

    private List<String> prefixes() {
        return List.of("-", "+", "- -", "NOT", "~", "!", "--", "@");
    }

    private List<String> infixes() {
        return switch (dialect) {
            case POSTGRESQL ->
                List.of("+", "-", "*", "/", "||", "=", "<", "<=", "<>", "!=", "<-", "->", "%", ",", "", "@>", "::");
            case MARIADB ->
                List.of("+", "-", "*", "/", "||", "=", "<", "<=", "<=>", "!=", "&&", "%", ",", "", "DIV", "^", "=!");
            case H2 -> List.of("+", "-", "*", "/", "||", "=", "<", "<=", "<>", "!=", "%", ",", "", "//");
        };
    }

    private List<String> own() {
        return switch (dialect) {
            case POSTGRESQL ->
                List.of(
                        "$$x$$",
                        "$a$'$a$",
                        "$a$ $$ $a$",
                        "E'\\''",
                        "E'a\\\\'",
                        "U&'\\0041'",
                        "U&'a\\\\'",
                        "'a'\n'b'",
                        "'a' -- c\n'b'",
                        "'a' /* c */\n'b'",
                        "'a' 'b'",
                        "a$b",
                        "1a",
                        "0x1F",
                        "1_0",
                        "B'01'",
                        "X'1F'",
                        "/* /* */ */1",
                        "/*/ */1",
                        "E'\\x41'",
                        "E'\\101'",
                        "E'\\u0041'",
                        "date '2020-01-01'",
                        "1::text",
                        "'a'::text",
                        "\"x\".a",
                        "a\u00E9",
                        "\"a\"\"b\"",
                        "E'a''b'",
                        "E'a''\\''",
                        "interval '1' day");
            case MARIADB ->
                List.of(
                        "# '\n1",
                        "/*!1*/",
                        "/*!99999 1*/2",
                        "/*M!1*/",
                        "\"x\"",
                        "\"a'b\"",
                        "\"a\\\"\"",
                        "'a' 'b'",
                        "'a' \"b\"",
                        "_utf8mb4'x'",
                        "_utf8mb4 'x'",
                        "_latin1'x'",
                        "_x'x'",
                        "0x41",
                        "0x4",
                        "0b1",
                        "1a",
                        "1e",
                        "1e5",
                        "1e5x",
                        "`a`",
                        "`a``b`",
                        "x.1",
                        "@a",
                        "@@version",
                        "!a",
                        "!!a",
                        "-- 1\n1",
                        "--1",
                        "N'x'",
                        "x'4'",
                        "\\N",
                        "1.e1",
                        "a$b",
                        "$a",
                        "'\\z'",
                        "'\\%'",
                        "'\\_'",
                        "DATE'2020-01-01'",
                        "x.`a`",
                        "x.a",
                        "a\u00E9");
            case H2 ->
                List.of(
                        "$$x'$$",
                        "'a' 'b'",
                        "'a' /* c */ 'b'",
                        "'a' // c\n 'b'",
                        "'a' -- c\n 'b'",
                        "/* /* */ */1",
                        "1L",
                        "0x1F",
                        "1_0",
                        "x'41'",
                        "x'4 1'",
                        "\"A\"",
                        "`a`",
                        "1a",
                        "// '\n1",
                        "U&'\\0041'",
                        "a\u00E9",
                        "DATE'2020-01-01'",
                        "'a''b'",
                        "1e1",
                        "1.e1",
                        "/*/ */1",
                        "a$b",
                        "_a",
                        "X.A");
        };
    }
}
