package io.leeway.hindex.internal.read;

import io.leeway.hindex.ColumnName;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.plan.TablePlan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.Permission;
import org.jspecify.annotations.Nullable;

/*
 * HBase asks no rights of who calls an endpoint, unless hbase.security.exec.permission.checks is on; and what an endpoint reads, it
 * reads as the server. So whoever asks one must be allowed to read what it may tell: the master is asked, and its answer trusted for
 * a few seconds. When it does not answer, neither does the endpoint: the client reads for itself then, as HBase allows it.
 *
 * Nothing is asked where HBase checks nothing, nor about the user of the servers, who may do everything.
 */
/** What callers of one server may read. Thread-safe. */
public final class ReadRights {

    /**
     * So long a right that was taken away may still be used; asking the master for each call would make it part of
     * every read.
     */
    private static final long TRUSTED_NANOS = Duration.ofSeconds(5).toNanos();
    /** Users times indexes; beyond that all are asked for anew. */
    private static final int MOST_KNOWN = 1_000;

    private final boolean isChecked;
    private final ServerReads server;

    /** When who was allowed what. Only what was allowed is kept: who was just granted something does not wait. */
    private final Map<Question, Long> allowed = new LinkedHashMap<>();

    /** Of callers of regions with this configuration. */
    public ReadRights(Configuration configuration, ServerReads server) {
        this.isChecked = isChecked(configuration);
        this.server = server;
    }

    /** Whether HBase asks for rights at all. */
    public static boolean isChecked(Configuration configuration) {
        return configuration.getBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, false);
    }

    /** Whether rights are to be looked at, before anything is done to find out which. */
    public boolean isChecked() {
        return isChecked;
    }

    /** By the short name, which is what HBase's access control knows users by. */
    private record Question(String user, List<Permission> permissions) {}

    /**
     * All columns of an index, in its base table.
     *
     * <p>Covered ones as well, as they stand in the entries.
     */
    public static List<Permission> columns(TableName base, IndexPlan index) {
        var permissions = new ArrayList<Permission>();
        for (ColumnName column : index.columns()) {
            permissions.add(Permission.newBuilder(base)
                    .withFamily(column.family())
                    .withQualifier(column.qualifier())
                    .withActions(Permission.Action.READ)
                    .build());
        }
        return permissions;
    }

    /** A whole table. */
    public static List<Permission> table(TableName table) {
        return List.of(
                Permission.newBuilder(table).withActions(Permission.Action.READ).build());
    }

    /**
     * Fails unless the caller may read the base table, or the columns of an index; and the table of that index, if it
     * is named.
     *
     * <p>A right to the whole base table is asked for first, as most have that. If there is no index of the name, a
     * right to any of them will do: the caller is told that there is none by what comes afterwards.
     *
     * @param caller null if nobody has called, but the server does it for itself
     * @param name the index; of any if there is none of that name
     */
    public void require(@Nullable User caller, TableName base, TablePlan plan, String name) throws IOException {
        if (!isChecked) {
            return;
        }
        var oneOf = new ArrayList<List<Permission>>(List.of(table(base)));
        List<IndexPlan> named = plan.indexes().stream()
                .filter(index -> index.name().equals(name))
                .toList();
        (named.isEmpty() ? plan.indexes() : named).forEach(index -> oneOf.add(columns(base, index)));
        require(caller, oneOf);
        for (IndexPlan index : named) {
            require(caller, List.of(table(index.table())));
        }
    }

    /** Whether the servers' own user asks; or nobody is asked for rights. */
    private boolean isItself(User caller) throws IOException {
        return !isChecked || caller.getShortName().equals(User.getCurrent().getShortName());
    }

    /**
     * Fails unless the caller has all of one of these.
     *
     * @param caller null if nobody has called, but the server does it for itself
     */
    public void require(@Nullable User caller, List<List<Permission>> oneOf) throws IOException {
        if (caller == null || isItself(caller)) {
            return;
        }
        for (List<Permission> all : oneOf) {
            if (isAllowed(new Question(caller.getShortName(), all))) {
                return;
            }
        }
        throw new AccessDeniedException(caller.getShortName() + " must be allowed to read " + text(oneOf) + " (grant '"
                + caller.getShortName() + "', 'R', ...)");
    }

    /**
     * Fails unless the caller may write or change the table.
     *
     * <p>Any of the three is enough: building an index changes no row, but it costs the servers something.
     *
     * @param caller null if nobody has called, but the server does it for itself
     */
    public void requireChange(@Nullable User caller, TableName table) throws IOException {
        if (caller == null || isItself(caller)) {
            return;
        }
        for (Permission.Action action :
                List.of(Permission.Action.WRITE, Permission.Action.CREATE, Permission.Action.ADMIN)) {
            Permission permission =
                    Permission.newBuilder(table).withActions(action).build();
            if (isAllowed(new Question(caller.getShortName(), List.of(permission)))) {
                return;
            }
        }
        throw new AccessDeniedException(caller.getShortName() + " must be allowed to write or change " + table
                + " to build its indexes (grant '" + caller.getShortName() + "', 'W', ...)");
    }

    private static String text(List<List<Permission>> oneOf) {
        return String.join(
                ", or ", oneOf.stream().map(Object::toString).distinct().toList());
    }

    /** Not under the lock while the master is asked: who is known already must not wait for who is not. */
    private boolean isAllowed(Question question) throws IOException {
        long now = System.nanoTime();
        synchronized (allowed) {
            allowed.values().removeIf(when -> now - when >= TRUSTED_NANOS);
            if (allowed.containsKey(question)) {
                return true;
            }
        }
        boolean isAllowed = server.read(connection -> {
            try (Admin admin = connection.getAdmin()) {
                return !admin.hasUserPermissions(question.user, question.permissions)
                        .contains(false);
            }
        });
        if (isAllowed) {
            synchronized (allowed) {
                if (allowed.size() >= MOST_KNOWN) {
                    allowed.clear();
                }
                allowed.put(question, now);
            }
        }
        return isAllowed;
    }
}
