package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.schema.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the catalogue over the connection that asked, so that tables made in its own transaction are seen: for the time
 * of a call the calling thread lends it.
 *
 * <p>Nothing is opened: a second connection would not see what the transaction has made, and might wait for its locks
 * for ever.
 */
final class LentConnections implements ConnectionSource {

    @SuppressWarnings("ThreadLocalUsage") // One for each guard, and guards are few and stay.
    private final ThreadLocal<@Nullable Loan> lent = new ThreadLocal<>();

    /** Lends until the result is closed. */
    Loan lend(Connection connection) {
        return lend(connection, false);
    }

    /** The same for a connection that reads what was committed when its transaction began. */
    Loan lendOfThePast(Connection connection) {
        return lend(connection, true);
    }

    /** Nested, as reading a schema can lead to reading a policy's tables. */
    private Loan lend(Connection connection, boolean past) {
        var loan = new Loan(connection, past, lent.get());
        lent.set(loan);
        return loan;
    }

    @Override
    public <T> T with(Work<T> work) throws SQLException {
        Loan loan = lent.get();
        if (loan == null) {
            // A fault of ours: better an error than a decision by what happens to be known.
            throw new SQLException("no connection to read the schema with");
        }
        loan.used = true;
        return work.on(loan.connection);
    }

    @Override
    public boolean readsThePast() {
        Loan loan = lent.get();
        return loan != null && loan.past;
    }

    /** Ends the lending. */
    final class Loan implements AutoCloseable {

        private final Connection connection;
        private final boolean past;
        private final @Nullable Loan before;
        private boolean used;

        private Loan(Connection connection, boolean past, @Nullable Loan before) {
            this.connection = connection;
            this.past = past;
            this.before = before;
        }

        /**
         * Whether something was read with it of the past: what follows from that is nobody else's.
         *
         * <p>What was answered from what is known already is of the present and may be kept.
         */
        boolean hasReadThePast() {
            return past && used;
        }

        @Override
        public void close() {
            if (before == null) {
                // A thread of a pool must not keep a connection that it has given back.
                lent.remove();
            } else {
                lent.set(before);
            }
        }
    }
}
