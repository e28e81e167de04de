package io.leeway.privoxy.internal.sql;

/** The parsers of one text, which call each other, on one cursor. Not thread-safe. */
final class Grammar {

    private final Cursor cursor;
    private final TypeParser types;
    private final PrimaryParser primaries;
    private final FunctionParser functions;
    private final SpecialFunctionParser specialFunctions;
    private final ExpressionParser expressions;
    private final QueryParser queries;
    private final FromParser from;
    private final DmlParser dml;
    private final SessionParser session;
    private final DdlParser ddl;
    private final StatementParser statements;

    Grammar(Tokens tokens, SqlOptions options) {
        cursor = new Cursor(tokens, options);
        types = new TypeParser(cursor);
        primaries = new PrimaryParser(this);
        functions = new FunctionParser(this);
        specialFunctions = new SpecialFunctionParser(this);
        expressions = switch (options.dialect()) {
            case POSTGRESQL -> new PostgresExpressions(this);
            case MARIADB -> new MariaDbExpressions(this);
            case H2 -> new H2Expressions(this);
        };
        queries = new QueryParser(this);
        from = new FromParser(this);
        dml = new DmlParser(this);
        session = new SessionParser(this);
        ddl = new DdlParser(this);
        statements = new StatementParser(this);
    }

    Cursor cursor() {
        return cursor;
    }

    TypeParser types() {
        return types;
    }

    PrimaryParser primaries() {
        return primaries;
    }

    FunctionParser functions() {
        return functions;
    }

    SpecialFunctionParser specialFunctions() {
        return specialFunctions;
    }

    ExpressionParser expressions() {
        return expressions;
    }

    QueryParser queries() {
        return queries;
    }

    FromParser from() {
        return from;
    }

    DmlParser dml() {
        return dml;
    }

    SessionParser session() {
        return session;
    }

    DdlParser ddl() {
        return ddl;
    }

    StatementParser statements() {
        return statements;
    }
}
