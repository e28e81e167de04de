package io.leeway.lazybase.internal.web;

import com.sun.net.httpserver.HttpExchange;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.pg.PgText;
import io.leeway.lazybase.internal.pg.Users;
import io.leeway.lazybase.internal.sql.Engine;
import io.leeway.lazybase.internal.sql.Result;
import io.leeway.lazybase.internal.sql.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The page's box for SQL: one query a request, its first rows as JSON. It only reads. Where there are users it asks for one; and it takes
 * only requests with a header that a page of another site cannot send without being asked first. Thread-safe.
 */
final class SqlBox {

    static final String HEADER = "X-LazyBase";
    static final int ROWS = 500;
    private static final int LONGEST = 1 << 16;
    private static final String FRESHNESS = "X-LazyBase-Freshness";

    private final Engine engine;
    private final Users users;

    SqlBox(Engine engine, Users users) {
        this.engine = engine;
        this.users = users;
    }

    /** The answer, or null if the request has no user that is known. */
    @Nullable
    String answer(HttpExchange exchange) throws IOException {
        String user = user(exchange.getRequestHeaders().getFirst("Authorization"));
        if (user == null) {
            return null;
        }
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST);
        String freshness = exchange.getRequestHeaders().getFirst(FRESHNESS);
        return run(user, new String(body, StandardCharsets.UTF_8), freshness == null ? "" : freshness);
    }

    private @Nullable String user(@Nullable String authorization) throws IOException {
        if (users.all().isEmpty()) {
            return "page";
        }
        if (authorization == null || !authorization.startsWith("Basic ")) {
            return null;
        }
        String pair;
        try {
            byte[] decoded = Base64.getDecoder()
                    .decode(authorization.substring("Basic ".length()).strip());
            pair = new String(decoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
        int split = pair.indexOf(':');
        return split > 0 && users.isRight(pair.substring(0, split), pair.substring(split + 1))
                ? pair.substring(0, split)
                : null;
    }

    private String run(String user, String sql, String freshness) {
        var json = new Json();
        try (var session = new Session(engine, user, "lazybase", true)) {
            if (!freshness.isEmpty()) {
                session.set("lazybase.freshness", freshness);
            }
            session.begin();
            Result result = session.execute(session.prepare(sql, new int[0]), List.of());
            if (result instanceof Result.Query query) {
                try (Result.Rows rows = query.rows()) {
                    write(json.open('{'), rows);
                }
            } else {
                json.open('{').text("error", "The box shows queries; use psql for what changes something.");
            }
        } catch (LazyBaseException e) {
            // What was begun is of no use.
            return new Json()
                    .open('{')
                    .text("error", String.valueOf(e.getMessage()))
                    .close('}')
                    .toString();
        }
        return json.close('}').toString();
    }

    private static void write(Json json, Result.Rows rows) {
        List<Column> columns = rows.columns();
        for (String[] each : rows.answer()) {
            json.text(each[0], each[1]);
        }
        json.key("columns").open('[');
        columns.forEach(column -> json.element(column.name()));
        json.close(']').key("rows").open('[');
        int count = 0;
        @Nullable Object[] row = rows.next();
        while (row != null && count++ < ROWS) {
            json.open('[');
            for (int c = 0; c < columns.size(); c++) {
                Object value = row[c];
                json.element(value == null ? null : PgText.of(columns.get(c).type(), value));
            }
            json.close(']');
            row = rows.next();
        }
        json.close(']').number("more", row == null ? 0 : 1);
    }
}
