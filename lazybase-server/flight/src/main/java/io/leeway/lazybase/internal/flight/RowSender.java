package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.sql.Result;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.StringJoiner;
import org.apache.arrow.flight.BackpressureStrategy.WaitResult;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/**
 * Sends rows in batches, as fast as the client takes them. The first batch has what there is to say of the answer as its metadata: a line
 * {@code name=value} for snapshot, age and stages. For one answer.
 */
final class RowSender {

    private static final int BATCH_ROWS = 8_192;
    private static final int BATCH_BYTES = 1 << 20;

    private final Result.Rows rows;
    private final BufferAllocator allocator;
    private final Pressure pressure;
    private final Duration patience;

    RowSender(Result.Rows rows, BufferAllocator allocator, Pressure pressure, Duration patience) {
        this.rows = rows;
        this.allocator = allocator;
        this.pressure = pressure;
        this.patience = patience;
    }

    void send(ServerStreamListener listener) {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(ArrowRows.schema(rows.columns()), allocator)) {
            listener.start(root);
            boolean more = true;
            for (boolean first = true; more; first = false) {
                more = fill(root);
                if (root.getRowCount() > 0 || first) {
                    await();
                    if (first) {
                        listener.putNext(answer());
                    } else {
                        listener.putNext();
                    }
                }
            }
            listener.completed();
        }
    }

    /** Takes rows for a batch; returns whether there may be more. */
    private boolean fill(VectorSchemaRoot root) {
        root.clear();
        root.allocateNew();
        int count = 0;
        int bytes = 0;
        while (count < BATCH_ROWS && bytes < BATCH_BYTES) {
            @Nullable Object @Nullable [] row = rows.next();
            if (row == null) {
                root.setRowCount(count);
                return false;
            }
            bytes += ArrowRows.write(root, rows.columns(), count, row);
            count++;
        }
        root.setRowCount(count);
        return true;
    }

    private void await() {
        WaitResult result = pressure.waitForListener(patience.toMillis());
        if (result != WaitResult.READY) {
            throw new LazyBaseException(
                    Code.CANCELLED,
                    result == WaitResult.TIMEOUT
                            ? "The client took no rows for " + patience.toSeconds() + " s."
                            : "The client went.");
        }
    }

    private ArrowBuf answer() {
        var lines = new StringJoiner("\n");
        rows.answer().forEach(each -> lines.add(each[0] + "=" + each[1]));
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        ArrowBuf buffer = allocator.buffer(bytes.length);
        buffer.writeBytes(bytes);
        return buffer;
    }
}
