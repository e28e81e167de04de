package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.guard.Parameters;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The statements of a batch, checked together before the first is sent. */
final class Batch {

    private final List<Item> items = new ArrayList<>();

    /** Notes a statement with its parameters as they are now. */
    void add(PreparedText text, Parameters parameters) throws SQLException {
        if (text.contextCommand() != null) {
            throw UnsupportedQueryException.call("a context command in a batch", "Execute it before the batch.");
        }
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
            permitted = true;
        } finally {
            items.clear();
            if (!permitted) {
                real.clearBatch();
            }
        }
        return passages;
    }

    private record Item(PreparedText text, Parameters parameters) {}
}
