package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.sql.Statement.CopyFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a client sends with COPY, in text, CSV or binary. Whole rows are taken as bytes arrive. Outside of a transaction they are
 * committed every so many rows; the error of a bad row names its line and how many rows were committed before. For one thread.
 */
public final class CopyInput {

    private static final byte[] SIGNATURE = "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);

    private final Session session;
    private final RowBuilder rows;
    private final CopyFormat format;
    private final int commitRows;
    private byte[] pending = {};
    private long line;
    private long total;
    private long committed;
    private boolean headerSeen;
    private boolean ended;
    private final byte[] nullText;
    private byte[] scratch = new byte[256];
    private final JsonRow json;

    CopyInput(Session session, RowBuilder rows, CopyFormat format, int commitRows) {
        this.session = session;
        this.rows = rows;
        this.format = format;
        this.commitRows = commitRows;
        this.nullText = format.nullText().getBytes(StandardCharsets.UTF_8);
        this.json = new JsonRow(rows.columns());
    }

    /** The columns of a row. */
    public List<Column> columns() {
        return rows.columns();
    }

    /** Whether values are binary. */
    public boolean isBinary() {
        return format.kind() == CopyFormat.Kind.BINARY;
    }

    /** Takes one row that comes alone; one that fails leaves nothing behind. */
    void one(byte @Nullable [] row) {
        if (row == null) {
            throw bad("The message is empty.");
        }
        int to = row.length;
        while (to > 0 && (row[to - 1] == '\n' || row[to - 1] == '\r')) {
            to--;
        }
        switch (format.kind()) {
            case CSV -> csvRow(row, 0, to);
            case JSON -> jsonLine(row, 0, to);
            case TEXT -> textLine(row, 0, to);
            default -> throw bad("Rows that come alone cannot be binary.");
        }
    }

    /** Takes bytes. */
    public void data(byte[] bytes) {
        byte[] all = bytes;
        if (pending.length > 0) {
            all = Arrays.copyOf(pending, pending.length + bytes.length);
            System.arraycopy(bytes, 0, all, pending.length, bytes.length);
        }
        int used;
        try {
            used = isBinary() ? binary(all) : format.kind() == CopyFormat.Kind.CSV ? csv(all, false) : text(all);
        } catch (LazyBaseException e) {
            throw new LazyBaseException(
                    e.code(),
                    "Line " + (line + 1) + ": " + e.detail() + " " + committed + " rows before it were committed.",
                    e);
        }
        pending = used == all.length ? new byte[0] : Arrays.copyOfRange(all, used, all.length);
    }

    /** All bytes were taken; returns the number of rows. */
    public long finish() {
        if (pending.length > 0 && !isBinary()) {
            byte[] last = Arrays.copyOf(pending, pending.length + 1);
            last[pending.length] = '\n';
            pending = new byte[0];
            int used = format.kind() == CopyFormat.Kind.CSV ? csv(last, true) : text(last);
            if (used < last.length) {
                throw bad("The last line does not end.");
            }
        } else if (pending.length > 0) {
            throw bad("The last row does not end.");
        }
        flush();
        return total;
    }

    private LazyBaseException bad(String detail) {
        return new LazyBaseException(Code.BAD_COPY, detail);
    }

    private void endRow() {
        rows.endRow();
        rowEnded();
    }

    private void rowEnded() {
        total++;
        if (rows.rows() >= commitRows) {
            flush();
        }
    }

    private void flush() {
        if (rows.rows() > 0) {
            int count = rows.rows();
            session.write(rows.table(), rows.build());
            session.commitIfAuto();
            committed += session.isInTransaction() ? 0 : count;
        }
    }

    // Text: fields divided by the delimiter, \N is NULL, backslashes escape. JSON comes in lines, too.

    private int text(byte[] all) {
        int at = 0;
        while (!ended) {
            int end = lineEnd(all, at);
            if (end < 0) {
                break;
            }
            int stop = end > at && all[end - 1] == '\r' ? end - 1 : end;
            if (stop - at == 2 && all[at] == '\\' && all[at + 1] == '.') {
                ended = true;
            } else if (format.header() && !headerSeen) {
                headerSeen = true;
            } else if (format.kind() == CopyFormat.Kind.JSON) {
                jsonLine(all, at, stop);
            } else {
                textLine(all, at, stop);
            }
            line++;
            at = end + 1;
        }
        return ended ? all.length : at;
    }

    private static int lineEnd(byte[] all, int from) {
        for (int i = from; i < all.length; i++) {
            if (all[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void jsonLine(byte[] all, int from, int to) {
        if (from == to) {
            return;
        }
        try {
            json.addTo(rows, all, from, to);
            rowEnded();
        } catch (LazyBaseException e) {
            rows.cancelRow();
            throw e;
        }
    }

    private void textLine(byte[] all, int from, int to) {
        int begin = from;
        boolean escaped = false;
        try {
            for (int i = from; i <= to; i++) {
                if (i == to || all[i] == format.delimiter()) {
                    textField(all, begin, i, escaped);
                    begin = i + 1;
                    escaped = false;
                } else if (all[i] == '\\') {
                    escaped = true;
                    i++;
                }
            }
            endRow();
        } catch (LazyBaseException | IndexOutOfBoundsException e) {
            rows.cancelRow();
            throw e instanceof LazyBaseException own
                    ? own
                    : new LazyBaseException(Code.BAD_COPY, "The row has too many values.", e);
        }
    }

    private void textField(byte[] all, int from, int to, boolean escaped) {
        if (Arrays.equals(all, from, to, nullText, 0, nullText.length)) {
            rows.add(null);
        } else if (!escaped) {
            rows.addText(all, from, to);
        } else {
            int length = unescape(all, from, to);
            rows.addText(scratch, 0, length);
        }
    }

    private int unescape(byte[] all, int from, int to) {
        if (scratch.length < to - from) {
            scratch = new byte[2 * (to - from)];
        }
        int length = 0;
        for (int i = from; i < to; i++) {
            byte b = all[i];
            if (b == '\\' && i + 1 < to) {
                i++;
                b = switch (all[i]) {
                    case 'n' -> (byte) '\n';
                    case 't' -> (byte) '\t';
                    case 'r' -> (byte) '\r';
                    case 'b' -> (byte) '\b';
                    case 'f' -> (byte) '\f';
                    case 'v' -> 11;
                    default -> all[i];
                };
            }
            scratch[length++] = b;
        }
        return length;
    }

    // CSV: a quoted field may hold delimiters, doubled quotes and line ends.

    private int csv(byte[] all, boolean last) {
        int at = 0;
        while (!ended) {
            int end = csvLine(all, at);
            if (end < 0) {
                if (last && at < all.length) {
                    throw bad("A quoted value does not end.");
                }
                break;
            }
            line++;
            at = end;
        }
        return ended ? all.length : at;
    }

    /** Where the next line begins, or -1 if this one does not end yet. */
    private int csvLine(byte[] all, int from) {
        boolean quoted = false;
        int end = -1;
        for (int i = from; i < all.length && end < 0; i++) {
            if (all[i] == format.quote()) {
                quoted = !quoted;
            } else if (all[i] == '\n' && !quoted) {
                end = i;
            }
        }
        if (end < 0) {
            return -1;
        }
        int stop = end > from && all[end - 1] == '\r' ? end - 1 : end;
        if (stop - from == 2 && all[from] == '\\' && all[from + 1] == '.') {
            ended = true;
        } else if (format.header() && !headerSeen) {
            headerSeen = true;
        } else {
            csvRow(all, from, stop);
        }
        return end + 1;
    }

    private void csvRow(byte[] all, int from, int to) {
        try {
            int at = from;
            while (at <= to) {
                at = csvField(all, at, to) + 1;
            }
            endRow();
        } catch (LazyBaseException | IndexOutOfBoundsException e) {
            rows.cancelRow();
            throw e instanceof LazyBaseException own
                    ? own
                    : new LazyBaseException(Code.BAD_COPY, "The row has too many values.", e);
        }
    }

    /** Takes a field and returns where it ends. */
    private int csvField(byte[] all, int from, int to) {
        var text = new ByteArrayOutputStream();
        boolean wasQuoted = false;
        boolean quoted = false;
        int at = from;
        while (at < to && (quoted || all[at] != format.delimiter())) {
            if (all[at] == format.quote()) {
                wasQuoted = true;
                if (quoted && at + 1 < to && all[at + 1] == format.quote()) {
                    text.write(all[at]);
                    at++;
                } else {
                    quoted = !quoted;
                }
            } else {
                text.write(all[at]);
            }
            at++;
        }
        byte[] value = text.toByteArray();
        if (!wasQuoted && Arrays.equals(value, nullText)) {
            rows.add(null);
        } else {
            rows.addText(value, 0, value.length);
        }
        return at;
    }

    // Binary: a signature, then rows of counted values.

    private int binary(byte[] all) {
        int at = 0;
        if (!headerSeen) {
            int header = SIGNATURE.length + 8;
            if (all.length < header) {
                return 0;
            }
            if (!Arrays.equals(all, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
                throw bad("It does not begin like binary data of a COPY.");
            }
            int extension = intAt(all, SIGNATURE.length + 4);
            if (extension < 0 || all.length < header + extension) {
                return 0;
            }
            at = header + extension;
            headerSeen = true;
        }
        while (!ended) {
            int end = binaryRow(all, at);
            if (end < 0) {
                break;
            }
            at = end;
            line++;
        }
        return ended ? all.length : at;
    }

    private static int intAt(byte[] all, int at) {
        return (all[at] & 0xFF) << 24 | (all[at + 1] & 0xFF) << 16 | (all[at + 2] & 0xFF) << 8 | (all[at + 3] & 0xFF);
    }

    private int binaryRow(byte[] all, int from) {
        if (from + 2 > all.length) {
            return -1;
        }
        int count = (short) ((all[from] & 0xFF) << 8 | (all[from + 1] & 0xFF));
        if (count == -1) {
            ended = true;
            return from + 2;
        }
        if (count != columns().size()) {
            throw bad("A row has " + count + " values instead of " + columns().size() + ".");
        }
        int at = from + 2;
        for (int c = 0; c < count; c++) {
            if (at + 4 > all.length) {
                return -1;
            }
            int length = intAt(all, at);
            at += 4 + Math.max(0, length);
            if (at > all.length || at < 0) {
                return -1;
            }
        }
        at = from + 2;
        try {
            for (int c = 0; c < count; c++) {
                int length = intAt(all, at);
                at += 4;
                if (length < 0) {
                    rows.add(null);
                } else {
                    BinaryValues.append(columns().get(c), rows, all, at, length);
                    at += length;
                }
            }
            endRow();
        } catch (LazyBaseException e) {
            rows.cancelRow();
            throw e;
        }
        return at;
    }

    /** Nothing of what was not committed counts. */
    public void cancel() {
        rows.cancelRow();
        Batch dropped = rows.build();
        if (dropped.rows() > 0) {
            total -= dropped.rows();
        }
    }
}
