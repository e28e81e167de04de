package io.leeway.lazybase.internal.flight;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.sql.RowBuilder;
import io.leeway.lazybase.internal.sql.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;

/** Batches that a client sends: values of parameters, or rows of a table. For one stream. */
final class Incoming {

    private static final long COMMIT_BYTES = 32L << 20;

    private final FlightStream stream;
    private long row;
    private long committed;

    Incoming(FlightStream stream) {
        this.stream = stream;
    }

    /** All rows, as values for these columns, which are the client's by their place. */
    void rows(List<Column> columns, Consumer<List<@Nullable Object>> taker) {
        while (stream.next()) {
            batch((vectors, count) -> {
                if (vectors.size() != columns.size()) {
                    throw new LazyBaseException(
                            Code.SYNTAX, vectors.size() + " values for " + columns.size() + " parameters.");
                }
                for (int r = 0; r < count; r++) {
                    var values = new ArrayList<@Nullable Object>();
                    for (int c = 0; c < vectors.size(); c++) {
                        values.add(ArrowValues.get(vectors.get(c), r, columns.get(c)));
                    }
                    taker.accept(values);
                }
            });
        }
    }

    /**
     * Puts all rows into a table; the client's columns are named as the table's. As with COPY, every so many rows are a commit, and the
     * error of a bad row says which it is and how many rows stay.
     */
    long ingest(Session session, String table, int commitRows) {
        RowBuilder rows = session.rowsOf(
                table,
                stream.getSchema().getFields().stream().map(Field::getName).toList());
        while (stream.next()) {
            batch((vectors, count) -> {
                for (int r = 0; r < count; r++) {
                    row++;
                    add(rows, vectors, r);
                    if (rows.rows() >= commitRows || ((row & 0x3FF) == 0 && rows.bytes() >= COMMIT_BYTES)) {
                        session.put(rows);
                        committed = row;
                    }
                }
            });
        }
        session.put(rows);
        return row;
    }

    private void add(RowBuilder rows, List<FieldVector> vectors, int r) {
        try {
            for (int c = 0; c < vectors.size(); c++) {
                rows.add(ArrowValues.get(vectors.get(c), r, rows.columns().get(c)));
            }
            rows.endRow();
        } catch (LazyBaseException e) {
            rows.cancelRow();
            throw new LazyBaseException(
                    e.code(),
                    "Row " + row + ": " + e.detail() + " " + committed + " rows before it were committed.",
                    e);
        }
    }

    private interface Batch {
        void take(List<FieldVector> vectors, int count);
    }

    /** The batch that came last; what is numbers of a dictionary becomes its values. */
    private void batch(Batch taker) {
        var vectors = new ArrayList<FieldVector>();
        var decoded = new ArrayList<ValueVector>();
        try {
            for (FieldVector vector : stream.getRoot().getFieldVectors()) {
                DictionaryEncoding encoding = vector.getField().getDictionary();
                if (encoding == null) {
                    vectors.add(vector);
                    continue;
                }
                Dictionary dictionary = stream.getDictionaryProvider().lookup(encoding.getId());
                if (dictionary == null) {
                    throw new LazyBaseException(
                            Code.BAD_VALUE,
                            "Column " + vector.getName() + " has numbers of a dictionary that did not come.");
                }
                ValueVector values = DictionaryEncoder.decode(vector, dictionary);
                decoded.add(values);
                vectors.add((FieldVector) values);
            }
            taker.take(vectors, stream.getRoot().getRowCount());
        } finally {
            decoded.forEach(ValueVector::close);
        }
    }
}
