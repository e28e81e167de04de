package io.leeway.privoxy.internal.driver;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.regex.Pattern;

/**
 * A savepoint under a name of ours: drivers put the name into SQL, some of them as it is. Only a plain one is given to
 * them, the application sees its own.
 */
final class CheckedSavepoint implements Savepoint {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

    private final Savepoint real;
    private final String name;

    CheckedSavepoint(Savepoint real, String name) {
        this.real = real;
        this.name = name;
    }

    /** Whether a name means itself in every driver's SQL. */
    static boolean isPlain(String name) {
        return PLAIN.matcher(name).matches();
    }

    /** The driver's savepoint. */
    static Savepoint real(Savepoint savepoint) {
        return savepoint instanceof CheckedSavepoint own ? own.real : savepoint;
    }

    @Override
    public int getSavepointId() throws SQLException {
        throw new SQLException("The savepoint has a name and no number.", "3B001");
    }

    @Override
    public String getSavepointName() {
        return name;
    }
}
