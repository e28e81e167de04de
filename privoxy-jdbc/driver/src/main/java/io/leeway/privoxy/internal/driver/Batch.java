package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.GuardedStatement;
import io.leeway.privoxy.internal.guard.Parameters;
import io.leeway.privoxy.internal.model.StatementPlan.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements of a batch, checked together before the first is sent.
 *
 * <p>A batch is one round trip, so it cannot be decided on statement by statement. All are decided on before the first
 * is sent; hence nothing in it may change what the others mean ({@code SettingsCasesIT}).
 */
final class Batch {

    private final List<Item> items = new ArrayList<>();

    /**
     * Notes a statement with its parameters as they are now.
     *
     * @param real tells the driver: it has as many statements as are noted here, in the same order, or the batch is
     *     gone
     */
    void add(PreparedText text, Parameters parameters, Turn.Deed real) throws SQLException {
        if (text.contextCommand() != null) {
            throw UnsupportedQueryException.call("a context command in a batch", "Execute it before the batch.");
        }
        // First the driver's: what it refuses must not stand here, or the two would have different statements at
        // one place (DriverLeftoversIT).
        real.now();
        items.add(new Item(text, parameters));
    }

    void clear() {
        items.clear();
    }

    /** Checks all and empties the batch; if one is refused the real batch is emptied too and nothing is sent. */
    List<Passage> check(Session session, Statement real) throws SQLException {
        var passages = new ArrayList<Passage>(items.size());
        boolean permitted = false;
        try {
            for (Item item : items) {
                passages.add(session.check(item.text, item.parameters));
            }
            refuseMixtures(passages);
            if (isSentOneByOne(passages, session.target().dialect())) {
                refuseParameters();
            }
            permitted = true;
        } finally {
            items.clear();
            if (!permitted) {
                // Or the next executeBatch would send what was refused.
                real.clearBatch();
            }
        }
        return passages;
    }

    /**
     * Whether the driver gets one after the other. Changes of the schema that are not committed together would be there
     * for others, the first while the second waits for a lock, and nobody would know of it.
     */
    static boolean isSentOneByOne(List<Passage> passages, Dialect dialect) {
        return passages.size() > 1
                && !dialect.has(DialectRule.SCHEMA_CHANGES_ARE_TRANSACTIONAL)
                && passages.stream().allMatch(Batch::isPureDdl);
    }

    /** What changes how others are read runs alone: all of a batch is decided on before any of it runs. */
    private static void refuseMixtures(List<Passage> passages) throws SQLException {
        // Migrations are batches of changes of the schema, of which none reads or writes rows.
        boolean isPureDdl = passages.stream().allMatch(Batch::isPureDdl);
        // What a connection begins with: none of these reads rows, so none is decided on by others' settings.
        boolean setsOnly =
                passages.stream().allMatch(passage -> passage.statement().kind() == Kind.SESSION);
        for (Passage passage : passages) {
            GuardedStatement statement = passage.statement();
            boolean changes = statement.changesSession()
                    || statement.changesMeaning() && !setsOnly
                    || statement.controlsTransaction();
            if (passages.size() > 1 && changes && !isPureDdl) {
                throw UnsupportedQueryException.call(
                        "a batch in which a statement changes how others are read, or ends their transaction,",
                        "Execute that statement by itself.");
            }
        }
    }

    /**
     * What is sent one by one would run with the parameters that were set last, and not with those that were checked.
     *
     * <p>That was a way past the check ({@code NinthAttackStateIT}).
     */
    private void refuseParameters() throws SQLException {
        for (Item item : items) {
            if (item.parameters instanceof BoundParameters bound && !bound.isEmpty()) {
                throw UnsupportedQueryException.call(
                        "a batch of changes of the schema with parameters",
                        "Execute each by itself, or write its values into its text.");
            }
        }
    }

    private static boolean isPureDdl(Passage passage) {
        return passage.statement().kind() == Kind.DDL && !passage.statement().asks();
    }

    private record Item(PreparedText text, Parameters parameters) {}
}
