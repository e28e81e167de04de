package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytes of {@link Edit}s. The first byte is the version of the format. */
final class EditCodec {

    static final int VERSION = 2;

    interface Put<T> {
        void to(DataOutputStream out, T value) throws IOException;
    }

    interface Get<T> {
        T from(DataInputStream in) throws IOException;
    }

    private EditCodec() {}

    static byte[] bytes(Edit edit) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            Catalog catalog = edit.catalog();
            out.writeBoolean(catalog != null);
            if (catalog != null) {
                put(out, catalog);
            }
            out.writeLong(edit.authority());
            out.writeLong(edit.authorityTime());
            putAll(out, edit.sealed(), EditCodec::put);
            putAll(out, edit.droppedFlights(), DataOutputStream::writeLong);
            putAll(out, edit.flights(), EditCodec::put);
            putAll(out, edit.droppedParts(), DataOutputStream::writeUTF);
            putAll(out, List.copyOf(edit.parts().entrySet()), (to, entry) -> {
                to.writeInt(entry.getKey());
                putAll(to, entry.getValue(), EditCodec::put);
            });
            out.writeLong(edit.nextFile());
        }
        return bytes.toByteArray();
    }

    static Edit of(byte[] bytes) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IOException("the log was written by another release: version " + version);
            }
            Catalog catalog = in.readBoolean() ? catalog(in) : null;
            long authority = in.readLong();
            long authorityTime = in.readLong();
            List<Sealed> sealed = all(in, EditCodec::sealed);
            List<Long> droppedFlights = all(in, DataInputStream::readLong);
            List<Flight> flights = all(in, EditCodec::flight);
            List<String> droppedParts = all(in, from -> from.readUTF());
            var parts = new HashMap<Integer, List<RunInfo>>();
            int views = in.readInt();
            for (int i = 0; i < views; i++) {
                parts.put(in.readInt(), all(in, EditCodec::run));
            }
            return new Edit(
                    catalog,
                    authority,
                    authorityTime,
                    sealed,
                    droppedFlights,
                    flights,
                    droppedParts,
                    parts,
                    in.readLong());
        }
    }

    static <T> void putAll(DataOutputStream out, List<T> values, Put<? super T> put) throws IOException {
        out.writeInt(values.size());
        for (T value : values) {
            put.to(out, value);
        }
    }

    static <T> List<T> all(DataInputStream in, Get<? extends T> get) throws IOException {
        int count = in.readInt();
        var values = new ArrayList<T>();
        for (int i = 0; i < count; i++) {
            values.add(get.from(in));
        }
        return values;
    }

    static void put(DataOutputStream out, Catalog catalog) throws IOException {
        out.writeLong(catalog.version());
        out.writeInt(catalog.nextId());
        putAll(out, catalog.tables(), EditCodec::put);
    }

    static Catalog catalog(DataInputStream in) throws IOException {
        return new Catalog(in.readLong(), in.readInt(), all(in, EditCodec::table));
    }

    static void put(DataOutputStream out, Table table) throws IOException {
        out.writeInt(table.id());
        out.writeUTF(table.name());
        putAll(out, table.columns(), EditCodec::put);
        putAll(out, table.views(), EditCodec::put);
        out.writeInt(table.nextColumn());
        out.writeInt(table.identity());
        putAll(out, table.references(), EditCodec::put);
    }

    static Table table(DataInputStream in) throws IOException {
        return new Table(
                in.readInt(),
                in.readUTF(),
                all(in, EditCodec::column),
                all(in, EditCodec::view),
                in.readInt(),
                in.readInt(),
                all(in, EditCodec::reference));
    }

    static void put(DataOutputStream out, Reference reference) throws IOException {
        out.writeInt(reference.column());
        out.writeInt(reference.table());
        putAll(out, reference.key(), EditCodec::put);
    }

    static Reference reference(DataInputStream in) throws IOException {
        return new Reference(in.readInt(), in.readInt(), all(in, EditCodec::column));
    }

    static void put(DataOutputStream out, Column column) throws IOException {
        out.writeInt(column.id());
        out.writeUTF(column.name());
        out.writeUTF(column.type().name());
        out.writeInt(column.precision());
        out.writeInt(column.scale());
        out.writeBoolean(column.notNull());
    }

    static Column column(DataInputStream in) throws IOException {
        return new Column(
                in.readInt(),
                in.readUTF(),
                ColumnType.valueOf(in.readUTF()),
                in.readInt(),
                in.readInt(),
                in.readBoolean());
    }

    static void put(DataOutputStream out, View view) throws IOException {
        out.writeInt(view.id());
        out.writeUTF(view.name());
        putAll(out, view.key(), DataOutputStream::writeInt);
        putAll(out, view.columns(), DataOutputStream::writeInt);
    }

    static View view(DataInputStream in) throws IOException {
        return new View(
                in.readInt(), in.readUTF(), all(in, DataInputStream::readInt), all(in, DataInputStream::readInt));
    }

    static void put(DataOutputStream out, Sealed scu) throws IOException {
        out.writeLong(scu.number());
        out.writeInt(scu.groups());
        out.writeLong(scu.rows());
        out.writeLong(scu.bytes());
        out.writeLong(scu.minTime());
        out.writeLong(scu.maxTime());
    }

    static Sealed sealed(DataInputStream in) throws IOException {
        return new Sealed(in.readLong(), in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }

    static void put(DataOutputStream out, Flight flight) throws IOException {
        out.writeLong(flight.first());
        out.writeLong(flight.last());
        out.writeInt(flight.level());
        out.writeLong(flight.minTime());
        out.writeLong(flight.maxTime());
        putAll(out, List.copyOf(flight.runs().entrySet()), (to, entry) -> {
            to.writeInt(entry.getKey());
            put(to, entry.getValue());
        });
    }

    static Flight flight(DataInputStream in) throws IOException {
        long first = in.readLong();
        long last = in.readLong();
        int level = in.readInt();
        long minTime = in.readLong();
        long maxTime = in.readLong();
        Map<Integer, RunInfo> runs = new HashMap<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            runs.put(in.readInt(), run(in));
        }
        return new Flight(first, last, level, minTime, maxTime, runs);
    }

    static void put(DataOutputStream out, RunInfo run) throws IOException {
        out.writeUTF(run.file());
        out.writeLong(run.rows());
        out.writeLong(run.bytes());
        out.writeInt(run.min().length);
        out.write(run.min());
        out.writeInt(run.max().length);
        out.write(run.max());
    }

    static RunInfo run(DataInputStream in) throws IOException {
        return new RunInfo(
                in.readUTF(), in.readLong(), in.readLong(), in.readNBytes(in.readInt()), in.readNBytes(in.readInt()));
    }
}
