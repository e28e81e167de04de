package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.storage.RunFile.CorruptFileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bytes of tasks and their results, between processes of one release. */
final class TaskCodec {

    private static final int SORT = 1;
    private static final int MERGE = 2;
    private static final int RENEW = 3;

    private static final int DONE = 1;
    private static final int FAILED = 2;
    private static final int DAMAGED = 3;

    /** A task, and the term of the leader who gives it. */
    record Order(long term, Task task) {}

    private TaskCodec() {}

    static byte[] bytes(Order order) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            Task task = order.task();
            out.writeByte(EditCodec.VERSION);
            out.writeLong(order.term());
            out.writeByte(task instanceof Task.Sort ? SORT : task instanceof Task.Merge ? MERGE : RENEW);
            out.writeLong(task.number());
            EditCodec.putAll(out, task.tables(), EditCodec::put);
            if (task instanceof Task.Sort sort) {
                EditCodec.put(out, sort.scu());
            } else if (task instanceof Task.Merge merge) {
                EditCodec.putAll(out, merge.inputs(), EditCodec::put);
            } else if (task instanceof Task.Renew renew) {
                out.writeInt(renew.view());
                EditCodec.putAll(out, renew.inputs(), EditCodec::put);
                EditCodec.putAll(out, renew.old(), EditCodec::put);
                put(out, renew.from());
                put(out, renew.to());
            }
        }
        return bytes.toByteArray();
    }

    static Order order(byte[] bytes) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != EditCodec.VERSION) {
                throw new IOException("the task is of another release: version " + version);
            }
            long term = in.readLong();
            int kind = in.readByte();
            long number = in.readLong();
            var tables = EditCodec.all(in, EditCodec::table);
            Task task = switch (kind) {
                case SORT -> new Task.Sort(number, tables, EditCodec.sealed(in));
                case MERGE -> new Task.Merge(number, tables, EditCodec.all(in, EditCodec::flight));
                case RENEW ->
                    new Task.Renew(
                            number,
                            tables,
                            in.readInt(),
                            EditCodec.all(in, EditCodec::run),
                            EditCodec.all(in, EditCodec::run),
                            key(in),
                            key(in));
                default -> throw new IOException("there is no task of kind " + kind);
            };
            return new Order(term, task);
        }
    }

    private static void put(DataOutputStream out, byte @Nullable [] key) throws IOException {
        out.writeInt(key == null ? -1 : key.length);
        if (key != null) {
            out.write(key);
        }
    }

    private static byte @Nullable [] key(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? null : in.readNBytes(length);
    }

    static byte[] bytes(Task.Done done) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(DONE);
            EditCodec.putAll(out, List.copyOf(done.runs().entrySet()), (to, entry) -> {
                to.writeInt(entry.getKey());
                EditCodec.putAll(to, entry.getValue(), EditCodec::put);
            });
            EditCodec.putAll(out, done.dropped(), DataOutputStream::writeUTF);
            out.writeLong(done.cpuNanos());
        }
        return bytes.toByteArray();
    }

    static byte[] bytes(Exception failure) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(failure instanceof CorruptFileException ? DAMAGED : FAILED);
            out.writeUTF(failure instanceof CorruptFileException corrupt ? corrupt.file() : failure.toString());
        }
        return bytes.toByteArray();
    }

    /** The result, or what failed as an exception. */
    static Task.Done done(byte[] bytes) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int kind = in.readByte();
            if (kind == FAILED) {
                throw new IOException("in another process: " + in.readUTF());
            }
            if (kind == DAMAGED) {
                throw new CorruptFileException(in.readUTF(), new IOException("as another process says"));
            }
            var runs = new HashMap<Integer, List<RunInfo>>();
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                runs.put(in.readInt(), EditCodec.all(in, EditCodec::run));
            }
            return new Task.Done(runs, EditCodec.all(in, from -> from.readUTF()), in.readLong());
        }
    }
}
