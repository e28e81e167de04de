package io.leeway.lazytables.internal.net;

import io.leeway.lazytables.internal.wire.WireBuffer;

/**
 * Messages about rows in an outbox. What a message says of all its rows is its head, written once: a row joins the
 * message before it where kind and head are the same. Of a row's number the difference to the one before it is written,
 * which is small where rows come in their order.
 */
public final class RowsMessage {

    private final Outbox outbox;

    private long number = Outbox.NO_MESSAGE;
    private int kind;
    private long table;
    private long second;
    private long third;
    /** The row that the message had last. */
    private long last;

    /** Of this outbox, to which others may write, too. */
    public RowsMessage(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * Begins a row, in a message of this kind and with this head; the rest of it is written to what is returned, up to
     * {@link #end}.
     */
    public WireBuffer row(int ofKind, long ofTable, long headSecond, long headThird, long row) {
        WireBuffer out = kind == ofKind && table == ofTable && second == headSecond && third == headThird
                ? outbox.resume(number)
                : null;
        if (out == null) {
            out = begin(ofKind, ofTable, headSecond, headThird);
        }
        // Differences may be negative: rows come in the order in which they are asked for.
        out.putSigned(row - last);
        last = row;
        return out;
    }

    public void end() {
        outbox.end();
    }

    private WireBuffer begin(int ofKind, long ofTable, long headSecond, long headThird) {
        WireBuffer out = outbox.begin(ofKind);
        number = outbox.number();
        kind = ofKind;
        table = ofTable;
        second = headSecond;
        third = headThird;
        // A row's number alone, at first.
        last = 0;
        out.putVar(ofTable);
        out.putVar(headSecond);
        out.putVar(headThird);
        return out;
    }
}
