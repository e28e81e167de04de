package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.sql.BinaryValues;
import io.leeway.lazybase.internal.sql.CopyInput;
import io.leeway.lazybase.internal.sql.Oids;
import io.leeway.lazybase.internal.sql.Prepared;
import io.leeway.lazybase.internal.sql.Result;
import io.leeway.lazybase.internal.sql.Session;
import io.leeway.lazybase.internal.sql.Statement;
import io.leeway.lazybase.internal.sql.StatementParser;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a client that has been let in asks for: the simple and the extended protocol, COPY. Messages are handled one after the other, by one
 * thread at a time.
 */
final class PgConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PgConnection.class);
    private static final int MOST_STATEMENTS = 10_000;

    /** Types of messages that are known, beside the farewell. */
    private static final String MESSAGES = "QPBDECSHdcf";

    private final Session session;
    private final PgOut out;
    private final Map<String, Bound> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();
    private @Nullable CopyInput copy;
    private boolean copyIsSimple;
    /** After an error of the extended protocol everything up to Sync is left out. */
    private boolean skipping;

    /** A prepared statement, and the types that the client named. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Bound(Prepared prepared, int[] oids) {}

    /** A statement with its values, and its rows as far as they were not asked for. */
    private static final class Portal {
        private final Prepared prepared;
        private final List<@Nullable Object> values;
        private final int[] formats;
        private Result.@Nullable Rows rows;
        private @Nullable Object @Nullable [] ahead;
        private boolean ended;

        Portal(Prepared prepared, List<@Nullable Object> values, int[] formats) {
            this.prepared = prepared;
            this.values = values;
            this.formats = formats;
        }

        void close() {
            Result.Rows mine = rows;
            rows = null;
            if (mine != null) {
                mine.close();
            }
        }
    }

    PgConnection(Session session, PgOut out) {
        this.session = session;
        this.out = out;
    }

    Session session() {
        return session;
    }

    /** Handles a message; false if the client goes. */
    boolean handle(byte type, PgIn in) {
        if (type == 'X') {
            return false;
        }
        if (MESSAGES.indexOf(type) < 0) {
            // Nothing that follows can be trusted to be where a message begins.
            throw new LazyBaseException(Code.PROTOCOL, "A message of type " + (type & 0xFF) + ".");
        }
        if (copy != null && type != 'd' && type != 'c' && type != 'f') {
            // Flush and Sync may come in between and mean nothing.
            return true;
        }
        if (skipping && type != 'S') {
            return true;
        }
        if (idle) {
            idle = false;
            session.begin();
        }
        try {
            handleOne(type, in);
        } catch (LazyBaseException e) {
            if (e.code() == Code.INTERNAL) {
                LOG.error("a message of type {} failed", (char) type, e);
            }
            failed(type, e);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            LOG.error("a message of type {} failed", (char) type, e);
            failed(type, new LazyBaseException(Code.INTERNAL, e + ".", e));
        }
        return true;
    }

    private void failed(byte type, LazyBaseException e) {
        boolean simple = type == 'Q' || (copyIsSimple && (type == 'd' || type == 'c' || type == 'f'));
        CopyInput broken = copy;
        copy = null;
        session.fail();
        out.error(e);
        if (broken != null && type == 'd') {
            // What the client goes on sending of the COPY is dropped.
            dropping = true;
        }
        if (simple) {
            endOfQuery();
        } else if (type != 'S') {
            skipping = true;
        } else {
            ready();
        }
    }

    private boolean dropping;
    /** Nothing was asked since the last answer was ready. */
    private boolean idle = true;

    private void handleOne(byte type, PgIn in) {
        switch (type) {
            case 'Q' -> query(in.text());
            case 'P' -> parse(in);
            case 'B' -> bind(in);
            case 'D' -> describe(in);
            case 'E' -> execute(in);
            case 'C' -> close(in);
            case 'S' -> sync();
            case 'H' -> out.flush();
            case 'd' -> copyData(in);
            case 'c' -> copyDone();
            case 'f' -> copyFail(in);
            default -> throw new LazyBaseException(Code.PROTOCOL, "A message of type " + (char) type + ".");
        }
    }

    private void ready() {
        idle = true;
        out.ready(session.hasFailed() ? 'E' : session.isInTransaction() ? 'T' : 'I');
    }

    // The simple protocol.

    private void query(String sql) {
        dropping = false;
        List<String> parts = StatementParser.split(sql);
        if (parts.isEmpty()) {
            out.simple('I');
        }
        for (String part : parts) {
            Prepared prepared = session.prepare(part, new int[0]);
            Result result = session.execute(prepared, List.of());
            if (result instanceof Result.CopyIn in) {
                beginCopy(in.input(), true);
                return;
            }
            if (result instanceof Result.Query query) {
                try (Result.Rows rows = query.rows()) {
                    int[] formats = new int[rows.columns().size()];
                    answer(rows);
                    out.rowDescription(rows.columns(), formats);
                    out.complete(rows.word() + " " + all(rows, formats));
                }
                session.endImplicit();
            } else {
                // Committed before it is told, as this may fail.
                if (session.endImplicit()) {
                    committed();
                }
                finish(prepared, result);
            }
        }
        ready();
    }

    private void endOfQuery() {
        try {
            session.endImplicit();
        } catch (LazyBaseException e) {
            out.error(e);
        }
        ready();
    }

    private long all(Result.Rows rows, int[] formats) {
        long count = 0;
        for (Object[] row = rows.next(); row != null; row = rows.next()) {
            out.row(rows.columns(), formats, row);
            count++;
        }
        return count;
    }

    private void answer(Result.Rows rows) {
        List<String[]> told = rows.answer();
        if (told.isEmpty()) {
            return;
        }
        for (String[] each : told) {
            out.parameterStatus(each[0], each[1]);
        }
        if (session.wantsNotice()) {
            out.notice("snapshot " + told.get(0)[1] + ", at most " + told.get(1)[1] + " old, read " + told.get(2)[1]);
        }
    }

    private void committed() {
        out.parameterStatus("lazybase.commit_token", session.lastCommit().toString());
    }

    /** Whatever is not rows. */
    private void finish(Prepared prepared, Result result) {
        if (result instanceof Result.CopyOut copyOut) {
            copyOut(copyOut);
        } else if (result instanceof Result.Done done) {
            if (prepared.statement() instanceof Statement.Deallocate deallocate) {
                deallocate(deallocate.name());
            }
            if (done.tag().isEmpty()) {
                out.simple('I');
            } else {
                boolean ends = done.tag().equals("COMMIT");
                if (ends) {
                    committed();
                }
                if (done.tag().equals("SET") && prepared.statement() instanceof Statement.Set set) {
                    reportSetting(set.name());
                }
                out.complete(done.tag());
            }
        }
    }

    private void reportSetting(String name) {
        String value = session.setting(name);
        String reported = switch (name.toLowerCase(Locale.ROOT)) {
            case "application_name" -> "application_name";
            case "timezone" -> "TimeZone";
            case "datestyle" -> "DateStyle";
            case "client_encoding" -> "client_encoding";
            default -> "";
        };
        if (!reported.isEmpty() && value != null) {
            out.parameterStatus(reported, reported.equals("TimeZone") ? "UTC" : value);
        }
    }

    private void deallocate(@Nullable String name) {
        if (name == null) {
            statements.clear();
        } else {
            statements.remove(name);
        }
    }

    // COPY.

    private void beginCopy(CopyInput input, boolean simple) {
        copy = input;
        copyIsSimple = simple;
        dropping = false;
        out.copyBegins('G', input.isBinary(), input.columns().size());
        out.flush();
    }

    private void copyData(PgIn in) {
        CopyInput input = copy;
        if (input != null) {
            input.data(in.rest());
        } else if (!dropping) {
            throw new LazyBaseException(Code.PROTOCOL, "Data of a COPY that was not begun.");
        }
    }

    private void copyDone() {
        CopyInput input = copy;
        if (input == null) {
            dropping = false;
            return;
        }
        long rows = input.finish();
        copy = null;
        if (copyIsSimple && session.endImplicit()) {
            committed();
        }
        out.complete("COPY " + rows);
        if (copyIsSimple) {
            ready();
        }
    }

    private void copyFail(PgIn in) {
        CopyInput input = copy;
        if (input == null) {
            dropping = false;
            return;
        }
        input.cancel();
        throw new LazyBaseException(Code.CANCELLED, "The client ended the COPY: " + in.text() + ".");
    }

    private void copyOut(Result.CopyOut result) {
        try (Result.Rows rows = result.rows()) {
            var output = new CopyOutput(rows.columns(), result.format());
            answer(rows);
            out.copyBegins(
                    'H',
                    result.format().kind() == Statement.CopyFormat.Kind.BINARY,
                    rows.columns().size());
            copyPiece(output.header());
            long count = 0;
            for (Object[] row = rows.next(); row != null; row = rows.next()) {
                out.copyData(output.row(row));
                count++;
            }
            copyPiece(output.trailer());
            out.simple('c');
            out.complete("COPY " + count);
        }
    }

    private void copyPiece(byte[] bytes) {
        if (bytes.length > 0) {
            out.copyData(bytes);
        }
    }

    // The extended protocol.

    private void parse(PgIn in) {
        dropping = false;
        String name = in.text();
        String sql = in.text();
        int[] oids = new int[in.unsignedShort()];
        for (int i = 0; i < oids.length; i++) {
            oids[i] = in.integer();
        }
        if (!name.isEmpty() && statements.size() >= MOST_STATEMENTS) {
            throw new LazyBaseException(Code.PROTOCOL, "More than " + MOST_STATEMENTS + " prepared statements.");
        }
        List<String> parts = StatementParser.split(sql);
        if (parts.size() > 1) {
            throw new LazyBaseException(Code.SYNTAX, "Several statements cannot be prepared as one.");
        }
        statements.put(name, new Bound(session.prepare(parts.isEmpty() ? "" : parts.get(0), oids), oids));
        out.simple('1');
    }

    private Bound statement(String name) {
        Bound bound = statements.get(name);
        if (bound == null) {
            throw new LazyBaseException(Code.NO_STATEMENT, "'" + name + "'.");
        }
        return bound;
    }

    private void bind(PgIn in) {
        String name = in.text();
        Bound bound = statement(in.text());
        int[] given = in.shorts();
        int count = in.unsignedShort();
        var values = new ArrayList<@Nullable Object>();
        for (int i = 0; i < count; i++) {
            int format = given.length == 0 ? 0 : given[given.length == 1 ? 0 : i];
            values.add(value(in, bound, i, format));
        }
        int[] wanted = in.shorts();
        List<Column> columns = bound.prepared.columns();
        int[] formats = new int[columns == null ? 0 : columns.size()];
        for (int c = 0; c < formats.length; c++) {
            formats[c] = wanted.length == 0 ? 0 : wanted[wanted.length == 1 ? 0 : c];
        }
        Portal old = portals.put(name, new Portal(bound.prepared, values, formats));
        if (old != null) {
            old.close();
        }
        out.simple('2');
    }

    private static @Nullable Object value(PgIn in, Bound bound, int i, int format) {
        int length = in.integer();
        if (length < 0) {
            return null;
        }
        ByteBuffer bytes = in.bytes(length);
        int oid = i < bound.oids.length ? bound.oids[i] : 0;
        List<Column> parameters = bound.prepared.parameters();
        ColumnType type = Oids.type(oid);
        if (type == null && i < parameters.size()) {
            type = parameters.get(i).type();
        }
        if (format == 1 && type != null) {
            return BinaryValues.decode(type, bytes);
        }
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private void describe(PgIn in) {
        byte kind = in.octet();
        String name = in.text();
        if (kind == 'S') {
            Bound bound = statement(name);
            out.parameterDescription(bound.prepared.parameters(), bound.oids);
            describe(bound.prepared, null);
        } else {
            Portal portal = portal(name);
            describe(portal.prepared, portal.formats);
        }
    }

    private void describe(Prepared prepared, int @Nullable [] formats) {
        List<Column> columns = prepared.columns();
        if (columns == null) {
            out.simple('n');
        } else {
            out.rowDescription(columns, formats == null ? new int[columns.size()] : formats);
        }
    }

    private Portal portal(String name) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw new LazyBaseException(Code.NO_STATEMENT, "Portal '" + name + "'.");
        }
        return portal;
    }

    private void execute(PgIn in) {
        Portal portal = portal(in.text());
        int limit = in.integer();
        Result.Rows rows = portal.rows;
        if (rows == null && !portal.ended) {
            Result result = session.execute(portal.prepared, portal.values);
            if (result instanceof Result.CopyIn copyIn) {
                beginCopy(copyIn.input(), false);
                return;
            }
            if (!(result instanceof Result.Query query)) {
                finish(portal.prepared, result);
                return;
            }
            rows = query.rows();
            portal.rows = rows;
            answer(rows);
        }
        send(portal, rows, limit);
    }

    private void send(Portal portal, Result.@Nullable Rows rows, int limit) {
        long count = 0;
        if (rows != null) {
            Object[] row = portal.ahead != null ? portal.ahead : rows.next();
            portal.ahead = null;
            while (row != null) {
                if (limit > 0 && count == limit) {
                    portal.ahead = row;
                    out.simple('s');
                    return;
                }
                out.row(rows.columns(), portal.formats, row);
                count++;
                row = rows.next();
            }
        }
        String word = rows == null ? "SELECT" : rows.word();
        portal.ended = true;
        portal.close();
        out.complete(word + " " + count);
    }

    private void close(PgIn in) {
        byte kind = in.octet();
        String name = in.text();
        if (kind == 'S') {
            statements.remove(name);
        } else {
            Portal portal = portals.remove(name);
            if (portal != null) {
                portal.close();
            }
        }
        out.simple('3');
    }

    private void sync() {
        skipping = false;
        if (!session.isInTransaction()) {
            closePortals();
        }
        if (session.endImplicit()) {
            committed();
        }
        ready();
    }

    private void closePortals() {
        portals.values().forEach(Portal::close);
        portals.clear();
    }

    @Override
    public void close() {
        closePortals();
        session.close();
    }
}
