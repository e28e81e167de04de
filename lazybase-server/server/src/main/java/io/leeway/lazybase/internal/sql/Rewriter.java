package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Brings what PostgreSQL's clients write, and Calcite's parser does not read, into a form that it reads. Stateless.
 *
 * <p>Most of it is what tools send to the catalogue. Arrays are texts there (see {@link PgFunctions}), so {@code a[1]} and {@code = ANY (a)}
 * become calls, and functions in a SELECT list that return sets become a join with {@code pg_arrays}.
 */
final class Rewriter {

    /** Only where one of these stands there is anything to do. */
    private static final Pattern SIGNS = Pattern.compile(
            "pg_|::|\\^|\\bescape\\s*''|\\bdistinct\\s+on\\b|\\bE'|\\$|\\[|\\b(any|all|some|array|interval|date_trunc|current_date|to_timestamp|zone|bool_and|bool_or|operator|collate|now|generate_series|current_catalog|information_schema|regclass)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> NO_FUNCTION = Set.of(
            "in",
            "and",
            "or",
            "not",
            "where",
            "on",
            "select",
            "from",
            "when",
            "then",
            "else",
            "any",
            "all",
            "some",
            "exists",
            "values",
            "as",
            "by",
            "having",
            "case",
            "join",
            "using",
            "between",
            "like",
            "is",
            "limit",
            "union",
            "except",
            "intersect",
            "distinct",
            "over",
            "array",
            "filter",
            "within",
            "with");

    private static final Set<String> CLAUSES = Set.of(
            "where", "group", "having", "order", "limit", "offset", "union", "except", "intersect", "fetch", "window");

    private static final Set<String> SETS = Set.of("_pg_expandarray", "unnest", "generate_subscripts");

    /** What psql asks of parts of PostgreSQL that are empty here, in forms that Calcite has not. */
    private static final String[][] PHRASES = {
        {"(?i)OPERATOR\\s*\\(\\s*pg_catalog\\.([~!=<>*]+)\\s*\\)", "$1"},
        {"(?i)\\s+COLLATE\\s+pg_catalog\\.\"?default\"?", ""},
        {"(?i)\\bnow\\(\\)", "CURRENT_TIMESTAMP"},
        {"(?i)\\bcurrent_catalog\\b", "current_database()"},
        {
            "(?is)c\\.reloptions \\|\\| array\\(select 'toast\\.' \\|\\| x from pg_catalog\\.unnest\\(tc\\.reloptions\\) x\\)",
            "c.reloptions"
        },
        {
            "(?is)\\(SELECT string_agg\\(attname, ', '\\)\\s+FROM pg_catalog\\.generate_series\\(0, .*?AND attnum = prattrs\\[s\\]\\)",
            "NULL"
        },
        {
            "(?is)array\\(select rolname from pg_catalog\\.pg_roles where oid = any \\(pol\\.polroles\\) order by 1\\)",
            "pol.polroles"
        },
        {"(?is)array\\(select x from pg_catalog\\.unnest\\(evttags\\) as t\\(x\\)\\)", "evttags"},
        {
            "(?is)pg_catalog\\.format\\('%s FROM %s',\\s*pg_catalog\\.pg_get_statisticsobjdef_columns\\(es\\.oid\\),\\s*es\\.stxrelid::pg_catalog\\.regclass\\)",
            "es.stxname"
        },
        {"(?i)\\b\\w+\\.tableoid\\b", "0"},
        // The schemas of the search path, as Grafana finds them; there is one.
        {
            "(?is)\\(\\s*SELECT\\s+CASE WHEN trim\\(s\\[i\\]\\) = '\"\\$user\"' THEN user ELSE trim\\(s\\[i\\]\\) END\\s+FROM\\s+generate_series\\(.*?\\)\\s*as i,\\s*string_to_array\\(current_setting\\('search_path'\\),\\s*','\\) s\\s*\\)",
            "('public')"
        },
    };

    private Rewriter() {}

    static String rewrite(String sql) {
        if (!SIGNS.matcher(sql).find()) {
            return withoutSemicolon(sql);
        }
        String text = sql;
        for (String[] phrase : PHRASES) {
            text = text.replaceAll(phrase[0], phrase[1]);
        }
        text = withoutEmptyEscapes(plainTexts(withoutSemicolon(text)));
        text = DistinctOn.rewrite(text);
        text = powers(text);
        text = TimeRewriter.rewrite(text);
        text = unqualified(text);
        text = castsToSigns(text);
        text = casts(text);
        text = quantified(text);
        text = subscripts(text);
        text = tableFunctions(text);
        text = aggregates(text);
        return sets(text);
    }

    private static String withoutSemicolon(String text) {
        List<Token> tokens = Lexer.tokens(text);
        int last = tokens.size() - 2;
        return last >= 0
                        && tokens.get(last).kind() == Kind.SIGN
                        && tokens.get(last).is(";")
                ? text.substring(0, tokens.get(last).from())
                : text;
    }

    /** {@code ESCAPE ''}, which Hibernate writes: no character escapes, as Calcite has it without the clause. */
    private static String withoutEmptyEscapes(String sql) {
        String text = sql;
        List<Token> tokens = Lexer.tokens(text);
        for (int i = tokens.size() - 2; i >= 0; i--) {
            Token token = tokens.get(i);
            Token next = tokens.get(i + 1);
            boolean empty = next.kind() == Kind.TEXT && next.text().isEmpty();
            if (empty && token.is("escape")) {
                text = replace(text, token.from(), next.to(), "");
            }
        }
        return text;
    }

    /** {@code E'a\nb'} and {@code $$a$$} as plain texts. */
    private static String plainTexts(String sql) {
        String text = sql;
        List<Token> tokens = Lexer.tokens(text);
        for (int i = tokens.size() - 1; i >= 0; i--) {
            Token token = tokens.get(i);
            if (token.kind() == Kind.TEXT && text.charAt(token.from()) != '\'') {
                text = replace(
                        text, token.from(), token.to(), "'" + token.text().replace("'", "''") + "'");
            }
        }
        return text;
    }

    // Finding one's way.

    private static String replace(String text, int from, int to, String by) {
        return text.substring(0, from) + by + text.substring(to);
    }

    private static boolean isName(Token token) {
        return token.kind() == Kind.WORD || token.kind() == Kind.QUOTED;
    }

    /** The token that closes what the given one opens, or the last one. */
    private static int closing(List<Token> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            if (tokens.get(i).is("(") || tokens.get(i).is("[")) {
                depth++;
            } else if ((tokens.get(i).is(")") || tokens.get(i).is("]")) && --depth == 0) {
                return i;
            }
        }
        return tokens.size() - 1;
    }

    private static int opening(List<Token> tokens, int close) {
        int depth = 0;
        for (int i = close; i >= 0; i--) {
            if (tokens.get(i).is(")") || tokens.get(i).is("]")) {
                depth++;
            } else if ((tokens.get(i).is("(") || tokens.get(i).is("[")) && --depth == 0) {
                return i;
            }
        }
        return 0;
    }

    /** Where the operand that ends with a token begins: a constant, a name, a call, something in parentheses, casts of these. */
    private static int operand(List<Token> tokens, int end) {
        int at = end;
        if (tokens.get(at).is(")")) {
            at = opening(tokens, at);
            if (at > 0
                    && isName(tokens.get(at - 1))
                    && !NO_FUNCTION.contains(tokens.get(at - 1).text().toLowerCase(Locale.ROOT))) {
                at--;
            } else {
                return at;
            }
        } else if (tokens.get(at).is("]")) {
            int open = opening(tokens, at);
            return open > 0 ? operand(tokens, open - 1) : open;
        }
        while (isName(tokens.get(at)) && at >= 2 && tokens.get(at - 1).is(".") && isName(tokens.get(at - 2))) {
            at -= 2;
        }
        return at >= 2 && tokens.get(at - 1).is("::") ? operand(tokens, at - 2) : at;
    }

    // a ^ b is a power; Calcite's parser would take it for bits.

    private static String powers(String sql) {
        String text = sql;
        while (true) {
            List<Token> tokens = Lexer.tokens(text);
            int at = 1;
            while (at < tokens.size() && !tokens.get(at).is("^")) {
                at++;
            }
            if (at + 1 >= tokens.size()) {
                return text;
            }
            int from = tokens.get(operand(tokens, at - 1)).from();
            int to = tokens.get(operandEnd(tokens, at + 1)).to();
            String left = text.substring(from, tokens.get(at - 1).to());
            String right = text.substring(tokens.get(at + 1).from(), to);
            text = replace(text, from, to, "power(" + left + ", " + right + ")");
        }
    }

    /** The last token of an operand that begins somewhere: a sign, a name or a call, a constant, something in brackets, with its casts. */
    private static int operandEnd(List<Token> tokens, int begin) {
        int at = begin;
        while ((tokens.get(at).is("-") || tokens.get(at).is("+")) && at + 1 < tokens.size()) {
            at++;
        }
        if (tokens.get(at).is("(")) {
            at = closing(tokens, at);
        } else {
            while (at + 2 < tokens.size() && tokens.get(at + 1).is(".")) {
                at += 2;
            }
            if (isName(tokens.get(at))
                    && at + 1 < tokens.size()
                    && tokens.get(at + 1).is("(")) {
                at = closing(tokens, at + 1);
            }
        }
        while (at + 2 < tokens.size() && tokens.get(at + 1).is("::")) {
            at += 2;
        }
        return at;
    }

    // pg_catalog.f(…) is f(…), and pg_catalog.text is text.

    private static String unqualified(String sql) {
        String text = sql;
        List<Token> tokens = Lexer.tokens(text);
        for (int i = tokens.size() - 3; i >= 0; i--) {
            boolean schema = tokens.get(i).is("pg_catalog") || tokens.get(i).is("information_schema");
            if (!schema || !tokens.get(i + 1).is(".") || !isName(tokens.get(i + 2))) {
                continue;
            }
            boolean call = i + 3 < tokens.size() && tokens.get(i + 3).is("(");
            boolean type = i > 0 && (tokens.get(i - 1).is("::") || isTypeOfCast(tokens, i));
            if (call || type) {
                text = replace(text, tokens.get(i).from(), tokens.get(i + 2).from(), "");
            }
        }
        return text;
    }

    private static boolean isTypeOfCast(List<Token> tokens, int i) {
        return tokens.get(i - 1).is("as")
                && i + 3 < tokens.size()
                && tokens.get(i + 3).is(")");
    }

    // Casts to types that only PostgreSQL has.

    private static boolean isSpecial(List<Token> tokens, int type) {
        String name = tokens.get(type).text().toLowerCase(Locale.ROOT);
        boolean array = type + 2 < tokens.size()
                && tokens.get(type + 1).is("[")
                && tokens.get(type + 2).is("]");
        return array
                || switch (name) {
                    case "regclass",
                            "regtype",
                            "regproc",
                            "regprocedure",
                            "regnamespace",
                            "regrole",
                            "oid",
                            "xid",
                            "name",
                            "bpchar",
                            "cstring",
                            "int2vector",
                            "oidvector" -> true;
                    case "char" -> tokens.get(type).kind() == Kind.QUOTED;
                    default -> false;
                };
    }

    /** {@code CAST (a AS regclass)} is {@code a::regclass}; casts to other types stay. */
    private static String castsToSigns(String sql) {
        String text = sql;
        for (int at = 0; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size()) {
                return text;
            }
            if (!tokens.get(at).is("cast") || !tokens.get(at + 1).is("(")) {
                continue;
            }
            int close = closing(tokens, at + 1);
            int type = tokens.get(close - 1).is("]") ? close - 3 : close - 1;
            if (type > at + 3 && tokens.get(type - 1).is("as") && isSpecial(tokens, type)) {
                String value = text.substring(
                        tokens.get(at + 2).from(), tokens.get(type - 2).to());
                boolean plain = type - 2 == at + 2;
                String cast = (plain ? value : "(" + value + ")")
                        + "::"
                        + text.substring(
                                tokens.get(type).from(), tokens.get(close - 1).to());
                text = replace(text, tokens.get(at).from(), tokens.get(close).to(), cast);
            }
        }
    }

    private static String casts(String sql) {
        String text = sql;
        for (int at = 1; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size() - 1) {
                return text;
            }
            if (!tokens.get(at).is("::") || !isSpecial(tokens, at + 1)) {
                continue;
            }
            int end = at + 1;
            while (end + 2 < tokens.size()
                    && tokens.get(end + 1).is("[")
                    && tokens.get(end + 2).is("]")) {
                end += 2;
            }
            int begin = operand(tokens, at - 1);
            String value =
                    text.substring(tokens.get(begin).from(), tokens.get(at - 1).to());
            Kind kind = tokens.get(begin).kind();
            boolean constant = begin == at - 1 && (kind == Kind.TEXT || kind == Kind.PARAMETER);
            String by =
                    end > at + 1 ? value : cast(value, tokens.get(at + 1).text().toLowerCase(Locale.ROOT), constant);
            text = replace(text, tokens.get(begin).from(), tokens.get(end).to(), by);
            at = begin;
        }
    }

    private static String cast(String value, String type, boolean constant) {
        String asText = value.startsWith("$") ? "CAST(" + value + " AS VARCHAR)" : value;
        return switch (type) {
            case "regclass" -> constant ? "pg_regclass(" + asText + ")" : "pg_regclass_name(" + value + ")";
            case "regtype" ->
                constant ? "to_regtype(" + asText + ")" : "format_type(" + value + ", CAST(NULL AS INTEGER))";
            case "regnamespace" -> constant ? "pg_regnamespace(" + asText + ")" : "pg_regnamespace_name(" + value + ")";
            case "regproc", "regprocedure" -> constant ? "pg_regproc(" + asText + ")" : value;
            case "regrole" -> "pg_get_userbyid(" + value + ")";
            case "oid", "xid" -> "CAST(" + value + " AS INTEGER)";
            default -> "CAST(" + value + " AS VARCHAR)";
        };
    }

    // a = ANY (array), a <> ALL (array).

    private static String quantified(String sql) {
        String text = sql;
        for (int at = 2; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size() - 1) {
                return text;
            }
            boolean any = tokens.get(at).is("any") || tokens.get(at).is("some");
            boolean all = tokens.get(at).is("all");
            boolean equal = tokens.get(at - 1).is("=");
            boolean different =
                    tokens.get(at - 1).is("<>") || tokens.get(at - 1).is("!=");
            boolean known = (any && equal) || (all && different);
            if (!known
                    || !tokens.get(at + 1).is("(")
                    || tokens.get(at + 2).is("select")
                    || tokens.get(at + 2).is("values")
                    || tokens.get(at + 2).is("with")) {
                continue;
            }
            int begin = operand(tokens, at - 2);
            int close = closing(tokens, at + 1);
            String value =
                    text.substring(tokens.get(begin).from(), tokens.get(at - 2).to());
            String inner =
                    text.substring(tokens.get(at + 1).to(), tokens.get(close).from());
            String by;
            if (tokens.get(at + 2).is("array") && tokens.get(at + 3).is("[") && closing(tokens, at + 3) == close - 1) {
                String elements = text.substring(
                        tokens.get(at + 3).to(), tokens.get(close - 1).from());
                by = value + (any ? " IN (" : " NOT IN (") + elements + ")";
            } else {
                by = (any ? "pg_any(" : "NOT pg_any(") + value + ", " + inner + ")";
            }
            text = replace(text, tokens.get(begin).from(), tokens.get(close).to(), by);
        }
    }

    // array[place], and & of it.

    private static String subscripts(String sql) {
        String text = sql;
        for (int at = 1; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size()) {
                return text;
            }
            if (!tokens.get(at).is("[") || tokens.get(at - 1).is("array")) {
                continue;
            }
            int begin = operand(tokens, at - 1);
            int close = closing(tokens, at);
            String value =
                    text.substring(tokens.get(begin).from(), tokens.get(at - 1).to());
            String place = text.substring(tokens.get(at).to(), tokens.get(close).from());
            int end = close;
            boolean bits = close + 2 < tokens.size() && tokens.get(close + 1).is("&");
            boolean number = bits || value.toLowerCase(Locale.ROOT).endsWith("key");
            String by = (number ? "pg_number(" : "pg_element(") + value + ", " + place + ")";
            if (bits) {
                end = close + 2;
                if (end + 2 < tokens.size() && tokens.get(end + 1).is("::")) {
                    end += 2;
                }
                by = "BITAND(" + by + ", CAST("
                        + text.substring(
                                tokens.get(close + 2).from(),
                                tokens.get(close + 2).to()) + " AS INTEGER))";
            }
            text = replace(text, tokens.get(begin).from(), tokens.get(end).to(), by);
            at = begin;
        }
    }

    // bool_and(a), which standard SQL calls every; json_build_object of what is empty here.

    private static String aggregates(String sql) {
        String text = sql;
        List<Token> tokens = Lexer.tokens(text);
        for (int i = tokens.size() - 2; i >= 0; i--) {
            if (!tokens.get(i + 1).is("(")) {
                continue;
            }
            int close = closing(tokens, i + 1);
            if (tokens.get(i).is("bool_and")) {
                text = replace(text, tokens.get(i).from(), tokens.get(i).to(), "every");
            } else if (tokens.get(i).is("bool_or")) {
                text = replace(text, tokens.get(close).from(), tokens.get(close).to(), "))");
                text = replace(text, tokens.get(i).from(), tokens.get(i + 1).to(), "NOT every(NOT (");
            } else if (tokens.get(i).is("json_build_object")
                    && (text.contains("pg_catalog.pg_sequence") || text.contains("pg_catalog.pg_collation"))) {
                // The whole sub-query: it finds nothing, since both relations are empty.
                boolean whole = i > 1
                        && tokens.get(i - 1).is("select")
                        && tokens.get(i - 2).is("(");
                int from = whole ? i - 2 : i;
                int to = whole ? closing(tokens, from) : close;
                text = replace(text, tokens.get(from).from(), tokens.get(to).to(), "CAST(NULL AS VARCHAR)");
                tokens = Lexer.tokens(text);
                i = Math.min(i, tokens.size() - 1);
            }
        }
        return text;
    }

    // FROM generate_series(1, 9) AS s(r).

    private static String tableFunctions(String sql) {
        String text = sql;
        for (int at = 1; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size() - 1) {
                return text;
            }
            boolean from = tokens.get(at - 1).is("from")
                    || tokens.get(at - 1).is("join")
                    || tokens.get(at - 1).is(",");
            boolean function =
                    tokens.get(at).is("generate_series") || tokens.get(at).is("pg_get_keywords");
            if (!from || !function || !tokens.get(at + 1).is("(")) {
                continue;
            }
            int close = closing(tokens, at + 1);
            String call =
                    text.substring(tokens.get(at).from(), tokens.get(close).to());
            int next = close + 1;
            int alias = next < tokens.size() && tokens.get(next).is("as") ? next + 1 : next;
            String by = "TABLE(" + call + ")";
            int end = close;
            boolean named = alias < tokens.size()
                    && isName(tokens.get(alias))
                    && !NO_FUNCTION.contains(tokens.get(alias).text().toLowerCase(Locale.ROOT))
                    && !CLAUSES.contains(tokens.get(alias).text().toLowerCase(Locale.ROOT))
                    && !tokens.get(alias).is("cross")
                    && !tokens.get(alias).is("left")
                    && !tokens.get(alias).is("inner");
            if (named
                    && tokens.get(at).is("generate_series")
                    && !tokens.get(alias + 1).is("(")) {
                // As in PostgreSQL the only column has the name of the alias.
                String name = text.substring(
                        tokens.get(alias).from(), tokens.get(alias).to());
                by += " AS " + name + " (" + name + ")";
                end = alias;
            }
            text = replace(text, tokens.get(at).from(), tokens.get(end).to(), by);
            at += 2;
        }
    }

    // SELECT unnest(indkey), generate_subscripts(indkey, 1) FROM pg_index.

    private static String sets(String sql) {
        if (!sql.contains("pg_index") && !sql.contains("pg_constraint")) {
            return sql;
        }
        String text = sql;
        for (int at = 1; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size() - 1) {
                break;
            }
            boolean set = isName(tokens.get(at))
                    && SETS.contains(tokens.get(at).text().toLowerCase(Locale.ROOT))
                    && tokens.get(at + 1).is("(");
            boolean from = tokens.get(at - 1).is("from") || tokens.get(at - 1).is("join");
            if (set && !from) {
                text = joined(text, tokens, at);
            }
        }
        return sql.contains("_pg_expandarray") ? text.replaceAll("\\((\\w+\\.\\w+)\\)\\.x\\b", "$1") : text;
    }

    /** Puts what a function returns for one row of the array into a join at the end of the same SELECT's FROM. */
    private static String joined(String text, List<Token> tokens, int first) {
        int depth = 0;
        int end = first;
        for (; end < tokens.size() - 1; end++) {
            Token token = tokens.get(end);
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            boolean inside = tokens.get(first - 1).is("(") && token.is(")") && depth == -1 && end < first + 8;
            if (inside) {
                // The parentheses of (f(a)).n.
                depth = 0;
            } else if (depth < 0 || (depth == 0 && CLAUSES.contains(token.text().toLowerCase(Locale.ROOT)))) {
                break;
            }
        }
        String array = text.substring(tokens.get(first + 1).to(), argumentEnd(tokens, first + 1));
        String alias = "ea" + first;
        String join = " JOIN pg_catalog.pg_arrays AS " + alias + " ON " + alias + ".arr = " + array + " ";
        String result = replace(text, tokens.get(end).from(), tokens.get(end).from(), join);
        for (int i = end - 1; i >= first; i--) {
            if (!isName(tokens.get(i)) || !tokens.get(i + 1).is("(")) {
                continue;
            }
            String mine = result.substring(tokens.get(i + 1).to(), argumentEnd(tokens, i + 1));
            boolean same = mine.equals(array);
            int close = closing(tokens, i + 1);
            String field = close + 3 < tokens.size()
                            && tokens.get(close + 1).is(")")
                            && tokens.get(close + 2).is(".")
                    ? tokens.get(close + 3).text()
                    : "";
            String by = switch (tokens.get(i).text().toLowerCase(Locale.ROOT)) {
                case "_pg_expandarray" -> alias + "." + (field.isEmpty() ? "x" : field);
                case "unnest" -> same ? alias + ".x" : "pg_item(" + mine + ", " + alias + ".n)";
                case "generate_subscripts" -> "pg_subscript(" + mine + ", " + alias + ".n)";
                default -> "";
            };
            if (!by.isEmpty()) {
                int from = field.isEmpty()
                        ? tokens.get(i).from()
                        : tokens.get(i - 1).from();
                int to = field.isEmpty()
                        ? tokens.get(close).to()
                        : tokens.get(close + 3).to();
                result = replace(result, from, to, by);
            }
        }
        return result;
    }

    private static int argumentEnd(List<Token> tokens, int open) {
        int close = closing(tokens, open);
        int depth = 0;
        for (int i = open + 1; i < close; i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0 && tokens.get(i).is(",")) {
                return tokens.get(i).from();
            }
        }
        return tokens.get(close).from();
    }
}
