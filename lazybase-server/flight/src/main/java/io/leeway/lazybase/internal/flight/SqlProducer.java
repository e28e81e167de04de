package io.leeway.lazybase.internal.flight;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.sql.Engine;
import io.leeway.lazybase.internal.sql.Prepared;
import io.leeway.lazybase.internal.sql.QuestionMarks;
import io.leeway.lazybase.internal.sql.Result;
import io.leeway.lazybase.internal.sql.Session;
import io.leeway.lazybase.internal.sql.Statement;
import io.leeway.lazybase.internal.sql.StatementParser;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.ServerHeaderMiddleware;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.BasicFlightSqlProducer;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Statements, prepared statements and bulk ingest of Flight SQL. Each statement is a session of its own, since Flight's calls belong to no
 * connection; its settings are the headers of the call that begin with {@code lazybase.}. Thread-safe.
 */
final class SqlProducer extends BasicFlightSqlProducer {

    static final FlightServerMiddleware.Key<ServerHeaderMiddleware> HEADERS =
            FlightServerMiddleware.Key.of("lazybase.headers");

    static final String DATABASE = "lazybase";
    private static final String SETTINGS = "lazybase.";
    private static final int MOST_STATEMENTS = 10_000;
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private final Engine engine;
    private final Entrance entrance;
    private final BufferAllocator allocator;
    private final Executor workers;
    private final Semaphore calls;
    private final int mostCalls;
    private final CatalogueAnswers catalogue;
    private final Cache<ByteString, Bound> statements = CacheBuilder.newBuilder()
            .maximumSize(MOST_STATEMENTS)
            .expireAfterAccess(FORGOTTEN)
            .build();
    private final Set<Session> running = ConcurrentHashMap.newKeySet();

    /** A prepared statement of a user, and the values that were bound last. */
    private static final class Bound {
        private final String user;
        private final Prepared prepared;
        private volatile List<@Nullable Object> values = List.of();

        Bound(String user, Prepared prepared) {
            this.user = user;
            this.prepared = prepared;
        }
    }

    /** Something that a call does. */
    private interface Work<T> {
        T run(Session session) throws IOException;
    }

    SqlProducer(Engine engine, Entrance entrance, BufferAllocator allocator, Executor workers, int mostCalls) {
        this.engine = engine;
        this.entrance = entrance;
        this.allocator = allocator;
        this.workers = workers;
        this.mostCalls = mostCalls;
        this.calls = new Semaphore(mostCalls);
        this.catalogue = new CatalogueAnswers(engine, allocator);
    }

    /** Ends queries that run. */
    void cancelAll() {
        running.forEach(Session::cancel);
    }

    @Override
    public void close() {
        cancelAll();
        statements.invalidateAll();
    }

    // What all calls have in common.

    private Session session(CallContext context) throws IOException {
        String user = context.peerIdentity();
        var session = new Session(engine, user, DATABASE, entrance.isReader(user));
        CallHeaders headers = context.getMiddleware(HEADERS).headers();
        for (String name : headers.keys()) {
            String value = headers.get(name);
            if (name.startsWith(SETTINGS) && value != null) {
                session.set(name, value);
            }
        }
        return session;
    }

    /** Does something in a session of its own, and tells what failed as Flight does. */
    private <T> T call(CallContext context, Work<T> work) {
        if (!calls.tryAcquire()) {
            throw Faults.of(full());
        }
        try (Session session = session(context)) {
            running.add(session);
            try {
                session.begin();
                return work.run(session);
            } finally {
                running.remove(session);
            }
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            throw Faults.of(e);
        } finally {
            calls.release();
        }
    }

    private LazyBaseException full() {
        return new LazyBaseException(Code.CONNECTIONS, mostCalls + " calls.");
    }

    private static Prepared prepare(Session session, String sql) {
        List<String> parts = StatementParser.split(sql);
        if (parts.size() != 1) {
            throw new LazyBaseException(Code.SYNTAX, parts.size() + " statements instead of one.");
        }
        Prepared prepared = session.prepare(QuestionMarks.numbered(parts.get(0)), new int[0]);
        Statement statement = prepared.statement();
        if (statement instanceof Statement.Set
                || statement instanceof Statement.Transaction
                || statement instanceof Statement.Savepoint
                || statement instanceof Statement.Copy) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED,
                    "By Flight each statement is its own transaction; settings are headers of the call, and rows come"
                            + " by bulk ingest.");
        }
        return prepared;
    }

    private static List<Column> columns(Prepared prepared) {
        List<Column> columns = prepared.columns();
        if (columns == null) {
            throw new LazyBaseException(Code.SYNTAX, "The statement has no rows; send it as an update.");
        }
        return columns;
    }

    private Bound bound(CallContext context, ByteString handle) {
        Bound bound = statements.getIfPresent(handle);
        if (bound == null || !bound.user.equals(context.peerIdentity())) {
            throw Faults.of(new LazyBaseException(Code.NO_STATEMENT, "It was closed, or not used for an hour."));
        }
        return bound;
    }

    @Override
    protected <T extends Message> List<FlightEndpoint> determineEndpoints(
            T request, FlightDescriptor descriptor, Schema schema) {
        return List.of(endpoint(request));
    }

    /** Without locations: where it was asked for. */
    private static FlightEndpoint endpoint(Message request) {
        return new FlightEndpoint(new Ticket(Any.pack(request).toByteArray()));
    }

    private static FlightInfo info(List<Column> columns, FlightDescriptor descriptor, Message request) {
        return new FlightInfo(ArrowRows.schema(columns), descriptor, List.of(endpoint(request)), -1, -1);
    }

    // Queries.

    @Override
    public FlightInfo getFlightInfoStatement(
            FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        // The ticket is the text, so that nothing is kept for who does not come for the rows.
        var ticket = FlightSql.TicketStatementQuery.newBuilder()
                .setStatementHandle(command.getQueryBytes())
                .build();
        return call(context, session -> info(columns(prepare(session, command.getQuery())), descriptor, ticket));
    }

    @Override
    public SchemaResult getSchemaStatement(
            FlightSql.CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        return call(
                context, session -> new SchemaResult(ArrowRows.schema(columns(prepare(session, command.getQuery())))));
    }

    @Override
    public FlightInfo getFlightInfoPreparedStatement(
            FlightSql.CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        Prepared prepared = bound(context, command.getPreparedStatementHandle()).prepared;
        return call(context, session -> info(columns(prepared), descriptor, command));
    }

    @Override
    public SchemaResult getSchemaPreparedStatement(
            FlightSql.CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
        Prepared prepared = bound(context, command.getPreparedStatementHandle()).prepared;
        return call(context, session -> new SchemaResult(ArrowRows.schema(columns(prepared))));
    }

    @Override
    public void getStreamStatement(
            FlightSql.TicketStatementQuery ticket, CallContext context, ServerStreamListener listener) {
        String sql = ticket.getStatementHandle().toStringUtf8();
        stream(context, listener, session -> rows(session, prepare(session, sql), List.of()));
    }

    @Override
    public void getStreamPreparedStatement(
            FlightSql.CommandPreparedStatementQuery command, CallContext context, ServerStreamListener listener) {
        stream(context, listener, session -> {
            Bound bound = bound(context, command.getPreparedStatementHandle());
            return rows(session, bound.prepared, bound.values);
        });
    }

    private static Result.Rows rows(Session session, Prepared prepared, List<@Nullable Object> values) {
        columns(prepared);
        if (session.execute(prepared, values) instanceof Result.Query query) {
            return query.rows();
        }
        throw new LazyBaseException(Code.SYNTAX, "The statement has no rows; send it as an update.");
    }

    /** Sends rows on a thread that may wait for the client: Flight's own must not. */
    private void stream(CallContext context, ServerStreamListener listener, Work<Result.Rows> work) {
        Session session;
        try {
            session = session(context);
        } catch (IOException | RuntimeException e) {
            listener.error(Faults.of(e));
            return;
        }
        var pressure = new Pressure(session);
        pressure.register(listener);
        if (!calls.tryAcquire()) {
            listener.error(Faults.of(full()));
            return;
        }
        running.add(session);
        try {
            workers.execute(() -> {
                try (session;
                        Result.Rows rows = work.run(session)) {
                    new RowSender(rows, allocator, pressure, engine.settings().timeout()).send(listener);
                } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
                    listener.error(Faults.of(e));
                } finally {
                    running.remove(session);
                    calls.release();
                }
            });
        } catch (RejectedExecutionException e) {
            running.remove(session);
            calls.release();
            listener.error(Faults.of(new LazyBaseException(Code.CLOSED, "No more queries are run.", e)));
        }
    }

    // Prepared statements.

    @Override
    public void createPreparedStatement(
            FlightSql.ActionCreatePreparedStatementRequest request,
            CallContext context,
            StreamListener<org.apache.arrow.flight.Result> listener) {
        try {
            listener.onNext(call(context, session -> prepared(context, prepare(session, request.getQuery()))));
            listener.onCompleted();
        } catch (RuntimeException e) {
            listener.onError(e);
        }
    }

    private org.apache.arrow.flight.Result prepared(CallContext context, Prepared prepared) {
        ByteString handle = ByteString.copyFromUtf8(UUID.randomUUID().toString());
        statements.put(handle, new Bound(context.peerIdentity(), prepared));
        var told = FlightSql.ActionCreatePreparedStatementResult.newBuilder().setPreparedStatementHandle(handle);
        List<Column> columns = prepared.columns();
        if (columns != null) {
            told.setDatasetSchema(bytes(ArrowRows.schema(columns)));
        }
        var parameters = new ArrayList<Field>();
        for (Column parameter : prepared.parameters()) {
            parameters.add(ArrowRows.field(parameter.renamed("parameter_" + (parameters.size() + 1))));
        }
        told.setParameterSchema(bytes(new Schema(parameters)));
        return new org.apache.arrow.flight.Result(Any.pack(told.build()).toByteArray());
    }

    private static ByteString bytes(Schema schema) {
        return ByteString.copyFrom(schema.serializeAsMessage());
    }

    @Override
    public void closePreparedStatement(
            FlightSql.ActionClosePreparedStatementRequest request,
            CallContext context,
            StreamListener<org.apache.arrow.flight.Result> listener) {
        try {
            bound(context, request.getPreparedStatementHandle());
            statements.invalidate(request.getPreparedStatementHandle());
            listener.onCompleted();
        } catch (RuntimeException e) {
            listener.onError(e);
        }
    }

    @Override
    public Runnable acceptPutPreparedStatementQuery(
            FlightSql.CommandPreparedStatementQuery command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> ack) {
        return answered(ack, () -> {
            Bound bound = bound(context, command.getPreparedStatementHandle());
            call(context, session -> {
                var all = new ArrayList<List<@Nullable Object>>();
                new Incoming(stream).rows(bound.prepared.parameters(), all::add);
                if (all.size() != 1) {
                    throw new LazyBaseException(
                            Code.UNSUPPORTED, "A query takes one set of values, not " + all.size() + ".");
                }
                bound.values = all.get(0);
                return true;
            });
        });
    }

    // Updates.

    @Override
    public Runnable acceptPutStatement(
            FlightSql.CommandStatementUpdate command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> ack) {
        return answered(
                ack,
                () -> count(ack, call(context, session -> {
                    if (command.hasTransactionId()) {
                        throw noTransactions();
                    }
                    long rows = update(session, prepare(session, command.getQuery()), List.of());
                    session.endImplicit();
                    return rows;
                })));
    }

    @Override
    public Runnable acceptPutPreparedStatementUpdate(
            FlightSql.CommandPreparedStatementUpdate command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> ack) {
        return answered(ack, () -> {
            Prepared prepared = bound(context, command.getPreparedStatementHandle()).prepared;
            count(ack, call(context, session -> {
                long[] rows = new long[1];
                if (prepared.parameters().isEmpty()) {
                    rows[0] = update(session, prepared, List.of());
                } else {
                    // All of them are one commit.
                    new Incoming(stream)
                            .rows(prepared.parameters(), values -> rows[0] += update(session, prepared, values));
                }
                session.endImplicit();
                return rows[0];
            }));
        });
    }

    @Override
    public Runnable acceptPutStatementBulkIngest(
            FlightSql.CommandStatementIngest command,
            CallContext context,
            FlightStream stream,
            StreamListener<PutResult> ack) {
        return answered(
                ack,
                () -> count(ack, call(context, session -> {
                    checkIngest(command);
                    return new Incoming(stream)
                            .ingest(
                                    session,
                                    command.getTable(),
                                    engine.settings().copyRows());
                })));
    }

    private void checkIngest(FlightSql.CommandStatementIngest command) {
        var options = command.getTableDefinitionOptions();
        if (command.hasTransactionId()) {
            throw noTransactions();
        }
        if (command.getTemporary()) {
            throw new LazyBaseException(Code.UNSUPPORTED, "There are no temporary tables.");
        }
        if (command.hasSchema() && !command.getSchema().equals(CatalogueAnswers.SCHEMA)) {
            throw new LazyBaseException(Code.NOT_FOUND, "Schema " + command.getSchema() + ".");
        }
        boolean isThere = engine.pipeline().catalog().table(command.getTable()) != null;
        if (!isThere
                && options.getIfNotExist()
                        == FlightSql.CommandStatementIngest.TableDefinitionOptions.TableNotExistOption
                                .TABLE_NOT_EXIST_OPTION_CREATE) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED, "Table " + command.getTable() + " needs a primary key: CREATE TABLE first.");
        }
        switch (options.getIfExists()) {
            case TABLE_EXISTS_OPTION_FAIL -> {
                if (isThere) {
                    throw new LazyBaseException(Code.EXISTS, "Table " + command.getTable() + ".");
                }
            }
            case TABLE_EXISTS_OPTION_REPLACE ->
                throw new LazyBaseException(Code.UNSUPPORTED, "Ingest adds to tables: TRUNCATE first.");
            default -> {
                // Rows are put.
            }
        }
    }

    private static LazyBaseException noTransactions() {
        return new LazyBaseException(Code.UNSUPPORTED, "Each statement is a transaction of its own.");
    }

    private static long update(Session session, Prepared prepared, List<@Nullable Object> values) {
        if (prepared.columns() != null) {
            throw new LazyBaseException(Code.SYNTAX, "The statement has rows; send it as a query.");
        }
        if (session.execute(prepared, values) instanceof Result.Done done) {
            String last = done.tag().substring(done.tag().lastIndexOf(' ') + 1);
            return !last.isEmpty() && Character.isDigit(last.charAt(0)) ? Long.parseLong(last) : 0;
        }
        throw new LazyBaseException(Code.UNSUPPORTED, "COPY is not for Flight: use bulk ingest.");
    }

    private void count(StreamListener<PutResult> ack, long rows) {
        byte[] told = FlightSql.DoPutUpdateResult.newBuilder()
                .setRecordCount(rows)
                .build()
                .toByteArray();
        try (ArrowBuf buffer = allocator.buffer(told.length)) {
            buffer.writeBytes(told);
            ack.onNext(PutResult.metadata(buffer));
        }
    }

    private static Runnable answered(StreamListener<PutResult> ack, Runnable work) {
        return () -> {
            try {
                work.run();
                ack.onCompleted();
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                ack.onError(Faults.of(e));
            }
        };
    }

    // What there is.

    @Override
    public void getStreamSqlInfo(
            FlightSql.CommandGetSqlInfo command, CallContext context, ServerStreamListener listener) {
        catalogue.sqlInfo(command, listener);
    }

    @Override
    public void getStreamCatalogs(CallContext context, ServerStreamListener listener) {
        catalogue.catalogs(listener);
    }

    @Override
    public void getStreamSchemas(
            FlightSql.CommandGetDbSchemas command, CallContext context, ServerStreamListener listener) {
        catalogue.schemas(command, listener);
    }

    @Override
    public void getStreamTables(
            FlightSql.CommandGetTables command, CallContext context, ServerStreamListener listener) {
        catalogue.tables(command, listener);
    }

    @Override
    public void getStreamTableTypes(CallContext context, ServerStreamListener listener) {
        catalogue.tableTypes(listener);
    }

    @Override
    public void getStreamPrimaryKeys(
            FlightSql.CommandGetPrimaryKeys command, CallContext context, ServerStreamListener listener) {
        catalogue.primaryKeys(command, listener);
    }

    @Override
    public void getStreamExportedKeys(
            FlightSql.CommandGetExportedKeys command, CallContext context, ServerStreamListener listener) {
        catalogue.none(Schemas.GET_EXPORTED_KEYS_SCHEMA, listener);
    }

    @Override
    public void getStreamImportedKeys(
            FlightSql.CommandGetImportedKeys command, CallContext context, ServerStreamListener listener) {
        catalogue.none(Schemas.GET_IMPORTED_KEYS_SCHEMA, listener);
    }

    @Override
    public void getStreamCrossReference(
            FlightSql.CommandGetCrossReference command, CallContext context, ServerStreamListener listener) {
        catalogue.none(Schemas.GET_CROSS_REFERENCE_SCHEMA, listener);
    }
}
