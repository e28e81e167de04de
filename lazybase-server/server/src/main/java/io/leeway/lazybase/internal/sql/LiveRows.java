package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.query.Reading;
import io.leeway.lazybase.internal.storage.RunFile.CorruptFileException;
import java.util.List;
import org.apache.calcite.linq4j.Enumerator;
import org.jspecify.annotations.Nullable;

/** Rows as a query finds them. For one thread. */
final class LiveRows implements Result.Rows {

    private final Session session;
    private final Engine engine;
    private final String sql;
    private final Plan plan;
    private final QueryContext context;
    private final boolean owned;
    private final Freshness freshness;
    private final String word;
    private final PgFunctions.Surroundings surroundings;
    private final long id;
    private final long began = System.nanoTime();
    private @Nullable Enumerator<@Nullable Object[]> rows;
    private long count;
    private boolean closed;
    private boolean broken = true;

    LiveRows(
            Session session,
            Engine engine,
            String sql,
            Plan plan,
            QueryContext context,
            boolean owned,
            Freshness freshness,
            String word) {
        this.session = session;
        this.engine = engine;
        this.sql = sql;
        this.plan = plan;
        this.context = context;
        this.owned = owned;
        this.freshness = freshness;
        this.word = word;
        this.surroundings =
                new PgFunctions.Surroundings(context.reading().snapshot().state(), session);
        this.id = engine.began(session.user(), sql, freshness.toString());
        enter();
        try {
            rows = plan.run(context).enumerator();
        } catch (RuntimeException | Error e) {
            close();
            throw told(e);
        } finally {
            PgFunctions.leave();
        }
    }

    @Override
    public List<Column> columns() {
        return plan.columns();
    }

    @Override
    public List<String[]> answer() {
        Reading reading = context.reading();
        return List.of(
                new String[] {"lazybase.snapshot", reading.reach().token().toString()},
                new String[] {"lazybase.answer_age", reading.age() + " ms"},
                new String[] {"lazybase.stages", reading.stages()});
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public @Nullable Object @Nullable [] next() {
        Enumerator<@Nullable Object[]> source = rows;
        enter();
        try {
            if (source == null || !source.moveNext()) {
                broken = false;
                return null;
            }
            if ((++count & 0xFF) == 0) {
                context.check();
            }
            return source.current();
        } catch (RuntimeException | Error e) {
            close();
            throw told(e);
        } finally {
            PgFunctions.leave();
        }
    }

    /** Generated code may call functions that look at the definitions. */
    private void enter() {
        if (plan.scan() == null) {
            PgFunctions.enter(surroundings);
        }
    }

    private RuntimeException told(Throwable e) {
        Throwable cause = e;
        for (int depth = 0; depth < 10 && cause != null; depth++) {
            if (cause instanceof LazyBaseException own) {
                return own;
            }
            if (cause instanceof CorruptFileException corrupt) {
                return engine.damaged(corrupt);
            }
            if (cause instanceof ArithmeticException) {
                String said = String.valueOf(cause.getMessage());
                boolean isDivision = said.endsWith("by zero");
                return isDivision
                        ? new LazyBaseException(Code.DIVISION, "Division by zero.", e)
                        : new LazyBaseException(Code.OVERFLOW, said + ".", e);
            }
            if (cause instanceof NumberFormatException
                    || cause instanceof org.apache.calcite.runtime.CalciteException) {
                String message = String.valueOf(cause.getMessage());
                String said = message.replaceFirst("(?s)^For input string: \"(.*)\".*", "'$1' is no number");
                return new LazyBaseException(Code.BAD_VALUE, said + ".", e);
            }
            cause = cause.getCause();
        }
        return new LazyBaseException(Code.INTERNAL, e + ".", e);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Enumerator<@Nullable Object[]> source = rows;
        if (source != null) {
            source.close();
        }
        Reading reading = context.reading();
        long nanos = System.nanoTime() - began;
        session.answered(List.of(
                reading.reach().token().toString(),
                Long.toString(reading.age()),
                reading.stages(),
                Long.toString(count),
                Long.toString(context.stats().rows()),
                Long.toString(context.stats().bytes())));
        if (!broken && !plan.scans().isEmpty()) {
            engine.costs().learn(context.stats().rows(), nanos);
        }
        engine.ended(
                id,
                new Engine.Ran(
                        session.user(),
                        sql,
                        freshness.toString(),
                        reading.reach().token().toString(),
                        reading.age(),
                        reading.stages(),
                        count,
                        context.stats().rows(),
                        context.stats().bytes(),
                        nanos / 1_000,
                        broken));
        if (owned) {
            context.close();
        }
    }
}
