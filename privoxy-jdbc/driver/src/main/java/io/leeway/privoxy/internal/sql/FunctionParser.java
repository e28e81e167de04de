package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Aggregation;
import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Expr.CallForm;
import io.leeway.privoxy.internal.sql.ast.Limit;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.OrderItem;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import io.leeway.privoxy.internal.sql.ast.Window;
import io.leeway.privoxy.internal.sql.ast.Window.Bound;
import io.leeway.privoxy.internal.sql.ast.Window.BoundKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls in the ordinary notation, with what aggregates and window functions add to it, and windows.
 *
 * <p>Which function is meant is decided by its name alone ({@code FunctionCatalogue}); here nothing of a call may be
 * lost, as a filter, an order or a separator decides what it gives.
 */
final class FunctionParser {

    /** Reserved words that are functions when a parenthesis follows. */
    private static final Set<String> MARIADB_FUNCTIONS = Set.of(
            "CHAR",
            "CURRENT_DATE",
            "CURRENT_ROLE",
            "CURRENT_TIME",
            "CURRENT_TIMESTAMP",
            "CURRENT_USER",
            "DEFAULT",
            "IF",
            "INSERT",
            "INTERVAL",
            "LEFT",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "MOD",
            "REPEAT",
            "REPLACE",
            "RIGHT",
            "ROW_NUMBER",
            "UTC_DATE",
            "UTC_TIME",
            "UTC_TIMESTAMP",
            "VALUES");

    private static final Set<String> H2_FUNCTIONS = Set.of(
            "CURRENT_DATE",
            "CURRENT_TIME",
            "CURRENT_TIMESTAMP",
            "DAY",
            "HOUR",
            "LEFT",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "MINUTE",
            "MONTH",
            "RIGHT",
            "SECOND",
            "USER",
            "YEAR");
    private static final Set<String> POSTGRES_FUNCTIONS =
            Set.of("COALESCE", "GREATEST", "GROUPING", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "LEAST", "NULLIF");

    private final Grammar grammar;
    private final Cursor cursor;

    FunctionParser(Grammar grammar) {
        this.grammar = grammar;
        this.cursor = grammar.cursor();
    }

    /** A call; its name stands here, with qualifiers unless {@code simple}. */
    Expr.Call call(boolean simple) {
        if (simple && cursor.at(TokenKind.WORD)) {
            checkCallable();
        }
        return call(cursor.qualifiedName(0));
    }

    private void checkCallable() {
        int flags = cursor.tokens().number(cursor.index());
        String word = Chars.toUpperAscii(cursor.tokens().raw(cursor.index()));
        Set<String> allowed = switch (cursor.dialect()) {
            case POSTGRESQL -> POSTGRES_FUNCTIONS;
            case MARIADB -> MARIADB_FUNCTIONS;
            case H2 -> H2_FUNCTIONS;
        };
        if ((flags & Keywords.NOT_FUNCTION) != 0 && !allowed.contains(word)) {
            throw cursor.unexpected();
        }
        if ((flags & Keywords.GLUED_FUNCTION) != 0) {
            checkGlued();
        }
    }

    /**
     * MariaDB takes some words for their function only if the parenthesis follows at once.
     *
     * <p>With a space {@code COUNT (*)} is a stored function called count, or an error.
     */
    void checkGlued() {
        boolean matters = cursor.isMariaDb() && !cursor.options().ignoreSpace();
        if (matters && cursor.tokens().hasSpaceBefore(cursor.index() + 1)) {
            throw cursor.unsupported("space between " + cursor.tokens().raw(cursor.index()) + " and its parenthesis");
        }
    }

    /** A call whose name has been read. */
    Expr.Call call(QualifiedName name) {
        cursor.enter();
        cursor.expect(TokenKind.LEFT_PAREN);
        boolean distinct = cursor.accept("DISTINCT");
        if (!distinct && cursor.at("ALL") && !cursor.isH2()) {
            cursor.next();
        }
        List<Expr> arguments = arguments(name);
        List<OrderItem> orderBy = cursor.at("ORDER") ? grammar.queries().orderBy() : List.of();
        Expr separator = separator(name);
        Limit limit =
                separator != null || cursor.isMariaDb() ? grammar.queries().limit() : null;
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return finish(name, arguments, CallForm.NORMAL, new Behind(distinct, orderBy, separator, limit));
    }

    /** What stood in the parentheses besides the arguments. */
    private record Behind(
            boolean distinct,
            List<OrderItem> orderBy,
            @Nullable Expr separator,
            @Nullable Limit limit) {

        static final Behind NOTHING = new Behind(false, List.of(), null, null);

        boolean isNothing() {
            return !distinct && orderBy.isEmpty() && separator == null && limit == null;
        }
    }

    /** A call in a notation of its own; windows and filters may follow. */
    Expr.Call special(String name, List<Expr> arguments, CallForm form, int position) {
        var qualified = new QualifiedName(List.of(new Name(name, name, false, position)), position);
        return form == CallForm.NORMAL
                ? finish(qualified, arguments, form, Behind.NOTHING)
                : new Expr.Call(qualified, arguments, form, null, null, position);
    }

    private List<Expr> arguments(QualifiedName name) {
        if (cursor.at(TokenKind.RIGHT_PAREN)) {
            return List.of();
        }
        if (cursor.atOperator("*")) {
            int position = cursor.position();
            cursor.next();
            return List.of(new Expr.Star(position));
        }
        var arguments = new ArrayList<Expr>();
        if (takesUnit(name)) {
            arguments.add(keyword());
            cursor.expect(TokenKind.COMMA);
        }
        do {
            arguments.add(argument());
        } while (cursor.accept(TokenKind.COMMA));
        return arguments;
    }

    /**
     * Functions whose first argument is a unit of time, not a column.
     *
     * <p>Read as a column DAY would be refused as unknown, or be one of a table.
     */
    private boolean takesUnit(QualifiedName name) {
        if (!name.isSimple()
                || cursor.isPostgres()
                || !cursor.at(TokenKind.WORD)
                || cursor.kind(1) != TokenKind.COMMA) {
            return false;
        }
        String word = Chars.toUpperAscii(name.last().raw());
        return cursor.isMariaDb()
                ? word.equals("TIMESTAMPADD") || word.equals("TIMESTAMPDIFF") || word.equals("GET_FORMAT")
                : word.equals("DATEADD")
                        || word.equals("DATEDIFF")
                        || word.equals("TIMESTAMPADD")
                        || word.equals("TIMESTAMPDIFF")
                        || word.equals("DATE_TRUNC");
    }

    /** The word here as an argument. */
    Expr.Keyword keyword() {
        if (!cursor.at(TokenKind.WORD)) {
            throw cursor.unexpected();
        }
        var keyword = new Expr.Keyword(Chars.toUpperAscii(cursor.tokens().raw(cursor.index())), cursor.position());
        cursor.next();
        return keyword;
    }

    private Expr argument() {
        if (cursor.isPostgres()) {
            if (cursor.at("VARIADIC")) {
                // It spreads a list over the arguments, whose number is then not in the text.
                throw cursor.unsupported("VARIADIC");
            }
            if (cursor.atName(Keywords.NOT_COLUMN) && (cursor.atOperator(1, "=>") || cursor.atOperator(1, ":="))) {
                int position = cursor.position();
                Name name = cursor.name(Keywords.NOT_COLUMN);
                cursor.next();
                return new Expr.NamedArgument(name, grammar.expressions().expression(), position);
            }
        }
        return grammar.expressions().expression();
    }

    private @Nullable Expr separator(QualifiedName name) {
        if (cursor.isPostgres() || !name.last().raw().equalsIgnoreCase("GROUP_CONCAT") || !cursor.accept("SEPARATOR")) {
            return null;
        }
        return grammar.primaries().primary();
    }

    private Expr.Call finish(QualifiedName name, List<Expr> arguments, CallForm form, Behind behind) {
        List<OrderItem> withinGroup = List.of();
        if (cursor.accept("WITHIN", "GROUP")) {
            cursor.expect(TokenKind.LEFT_PAREN);
            withinGroup = grammar.queries().orderBy();
            cursor.expect(TokenKind.RIGHT_PAREN);
        }
        Expr filter = cursor.isMariaDb() ? null : filter();
        Boolean ignoreNulls = cursor.isH2() ? nullTreatment() : null;
        Aggregation aggregation = null;
        if (!behind.isNothing() || !withinGroup.isEmpty() || filter != null || ignoreNulls != null) {
            aggregation = new Aggregation(
                    behind.distinct(),
                    behind.orderBy(),
                    withinGroup,
                    filter,
                    behind.separator(),
                    behind.limit(),
                    ignoreNulls);
        }
        return new Expr.Call(name, arguments, form, aggregation, over(), name.position());
    }

    private @Nullable Expr filter() {
        if (!cursor.at("FILTER") || cursor.kind(1) != TokenKind.LEFT_PAREN) {
            return null;
        }
        cursor.enter();
        cursor.next();
        cursor.next();
        cursor.expect("WHERE");
        Expr filter = grammar.expressions().expression();
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return filter;
    }

    private @Nullable Boolean nullTreatment() {
        if (cursor.accept("IGNORE", "NULLS")) {
            return Boolean.TRUE;
        }
        return cursor.accept("RESPECT", "NULLS") ? Boolean.FALSE : null;
    }

    // --- windows -----------------------------------------------------------------------------------------------------

    private @Nullable Window over() {
        if (!cursor.at("OVER")) {
            return null;
        }
        boolean parenthesis = cursor.kind(1) == TokenKind.LEFT_PAREN;
        if (!parenthesis && cursor.kind(1) != TokenKind.WORD && cursor.kind(1) != TokenKind.QUOTED) {
            return null;
        }
        cursor.next();
        if (parenthesis) {
            return window();
        }
        int position = cursor.position();
        return new Window(cursor.name(Keywords.NOT_COLUMN), List.of(), List.of(), null, false, position);
    }

    /** A window in parentheses. */
    Window window() {
        cursor.enter();
        int position = cursor.position();
        cursor.expect(TokenKind.LEFT_PAREN);
        Name base = null;
        boolean clause = cursor.atAny("PARTITION", "ORDER", "ROWS", "RANGE", "GROUPS");
        if (!clause && !cursor.at(TokenKind.RIGHT_PAREN)) {
            base = cursor.name(Keywords.NOT_COLUMN);
        }
        List<Expr> partitionBy = List.of();
        if (cursor.accept("PARTITION")) {
            cursor.expect("BY");
            partitionBy = grammar.expressions().list();
        }
        List<OrderItem> orderBy = cursor.at("ORDER") ? grammar.queries().orderBy() : List.of();
        Window.Frame frame = frame();
        cursor.expect(TokenKind.RIGHT_PAREN);
        cursor.leave();
        return new Window(base, partitionBy, orderBy, frame, true, position);
    }

    private Window.@Nullable Frame frame() {
        if (!cursor.atAny("ROWS", "RANGE", "GROUPS")) {
            return null;
        }
        String unit = keyword().word();
        Bound start;
        Bound end = null;
        if (cursor.accept("BETWEEN")) {
            start = bound();
            cursor.expect("AND");
            end = bound();
        } else {
            start = bound();
        }
        return new Window.Frame(unit, start, end, exclude());
    }

    private @Nullable String exclude() {
        if (!cursor.accept("EXCLUDE")) {
            return null;
        }
        if (cursor.accept("CURRENT", "ROW")) {
            return "CURRENT ROW";
        }
        if (cursor.accept("NO", "OTHERS")) {
            return "NO OTHERS";
        }
        if (cursor.accept("GROUP")) {
            return "GROUP";
        }
        cursor.expect("TIES");
        return "TIES";
    }

    private Bound bound() {
        if (cursor.accept("CURRENT", "ROW")) {
            return new Bound(BoundKind.CURRENT_ROW, null);
        }
        if (cursor.accept("UNBOUNDED")) {
            return new Bound(isPreceding() ? BoundKind.UNBOUNDED_PRECEDING : BoundKind.UNBOUNDED_FOLLOWING, null);
        }
        Expr offset = grammar.expressions().expression();
        return new Bound(isPreceding() ? BoundKind.PRECEDING : BoundKind.FOLLOWING, offset);
    }

    private boolean isPreceding() {
        if (cursor.accept("PRECEDING")) {
            return true;
        }
        cursor.expect("FOLLOWING");
        return false;
    }
}
