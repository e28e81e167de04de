package io.leeway.lazybase.internal.pg;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.sql.BinaryValues;
import io.leeway.lazybase.internal.sql.Oids;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages to a client. They are collected and sent in pieces; when the client does not read, the writer waits, so that a slow client
 * costs the server no memory. For one thread.
 */
// Void promises: what fails is told to the handler.
@SuppressWarnings("FutureReturnValueIgnored")
final class PgOut {

    private static final int PIECE = 64 << 10;
    private static final long PATIENCE_MILLIS = 600_000;

    private final Channel channel;
    private ByteBuf buffer;
    private int begin;

    PgOut(Channel channel) {
        this.channel = channel;
        this.buffer = channel.alloc().buffer(1024);
    }

    private ByteBuf begin(char type) {
        buffer.writeByte(type);
        begin = buffer.writerIndex();
        return buffer.writeInt(0);
    }

    private void end() {
        buffer.setInt(begin, buffer.writerIndex() - begin);
        if (buffer.readableBytes() >= PIECE) {
            flush();
        }
    }

    private void text(String text) {
        buffer.writeCharSequence(text, StandardCharsets.UTF_8);
        buffer.writeByte(0);
    }

    /** Sends what was collected. */
    void flush() {
        if (!buffer.isReadable()) {
            return;
        }
        ByteBuf full = buffer;
        buffer = channel.alloc().buffer(4096);
        channel.writeAndFlush(full, channel.voidPromise());
        awaitWritable();
    }

    private void awaitWritable() {
        if (channel.isWritable()) {
            return;
        }
        long until = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
        synchronized (this) {
            while (!channel.isWritable() && channel.isActive()) {
                if (System.nanoTime() - until > 0) {
                    close(channel);
                    throw new LazyBaseException(Code.PROTOCOL, "The client does not read.");
                }
                try {
                    wait(1_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new LazyBaseException(Code.CLOSED, "The connection was interrupted.", e);
                }
            }
        }
        if (!channel.isActive()) {
            throw new LazyBaseException(Code.CLOSED, "The client is gone.");
        }
    }

    private static void close(Channel channel) {
        channel.close(channel.voidPromise());
    }

    synchronized void writable() {
        notifyAll();
    }

    void release() {
        buffer.release();
        buffer = io.netty.buffer.Unpooled.buffer(64);
    }

    void authentication(int kind, byte[] data) {
        begin('R').writeInt(kind).writeBytes(data);
        end();
    }

    void parameterStatus(String name, String value) {
        begin('S');
        text(name);
        text(value);
        end();
    }

    void keyData(int process, int secret) {
        begin('K').writeInt(process).writeInt(secret);
        end();
    }

    void ready(char state) {
        begin('Z').writeByte(state);
        end();
        flush();
    }

    void simple(char type) {
        begin(type);
        end();
    }

    void complete(String tag) {
        begin('C');
        text(tag);
        end();
    }

    void error(LazyBaseException error) {
        problem(
                'E',
                "ERROR",
                error.code().sqlState(),
                error.code().text() + ": " + error.detail(),
                error.code().remedy());
    }

    void fatal(LazyBaseException error) {
        problem(
                'E',
                "FATAL",
                error.code().sqlState(),
                error.code().text() + ": " + error.detail(),
                error.code().remedy());
        flush();
    }

    void notice(String message) {
        problem('N', "NOTICE", "00000", message, "");
    }

    private void problem(char type, String severity, String state, String message, String hint) {
        begin(type).writeByte('S');
        text(severity);
        buffer.writeByte('V');
        text(severity);
        buffer.writeByte('C');
        text(state);
        buffer.writeByte('M');
        text(message);
        if (!hint.isEmpty()) {
            buffer.writeByte('H');
            text(hint);
        }
        buffer.writeByte(0);
        end();
    }

    /** The types of parameters; where the client has named one it is the client's. */
    void parameterDescription(List<Column> parameters, int[] named) {
        begin('t').writeShort(parameters.size());
        for (int i = 0; i < parameters.size(); i++) {
            boolean isNamed = i < named.length && named[i] != 0;
            buffer.writeInt(isNamed ? named[i] : parameters.get(i).type().oid());
        }
        end();
    }

    void rowDescription(List<Column> columns, int[] formats) {
        begin('T').writeShort(columns.size());
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            text(column.name());
            buffer.writeInt(0).writeShort(0).writeInt(Oids.of(column)).writeShort(size(column));
            buffer.writeInt(modifier(column)).writeShort(formats[c]);
        }
        end();
    }

    private static int size(Column column) {
        return switch (column.type()) {
            case BOOLEAN -> 1;
            case SMALLINT -> 2;
            case INTEGER, REAL, DATE -> 4;
            case BIGINT, DOUBLE, TIME, TIMESTAMP, TIMESTAMPTZ -> 8;
            case UUID -> 16;
            default -> -1;
        };
    }

    private static int modifier(Column column) {
        return switch (column.type()) {
            // 38 digits are what sums may have, which PostgreSQL does not limit.
            case DECIMAL -> column.precision() == 38 ? -1 : (column.precision() << 16 | column.scale()) + 4;
            case VARCHAR -> column.precision() <= 0 ? -1 : column.precision() + 4;
            default -> -1;
        };
    }

    void row(List<Column> columns, int[] formats, @Nullable Object[] values) {
        begin('D').writeShort(columns.size());
        for (int c = 0; c < formats.length; c++) {
            value(columns.get(c), formats[c], values[c]);
        }
        end();
    }

    private void value(Column column, int format, @Nullable Object value) {
        if (value == null) {
            buffer.writeInt(-1);
        } else if (format == 1) {
            byte[] bytes = BinaryValues.encode(column, value);
            buffer.writeInt(bytes.length).writeBytes(bytes);
        } else {
            int at = buffer.writerIndex();
            buffer.writeInt(0);
            buffer.writeCharSequence(PgText.of(column.type(), value), StandardCharsets.UTF_8);
            buffer.setInt(at, buffer.writerIndex() - at - 4);
        }
    }

    void copyBegins(char type, boolean binary, int columns) {
        begin(type).writeByte(binary ? 1 : 0).writeShort(columns);
        for (int c = 0; c < columns; c++) {
            buffer.writeShort(binary ? 1 : 0);
        }
        end();
    }

    void copyData(byte[] data) {
        begin('d').writeBytes(data);
        end();
    }
}
