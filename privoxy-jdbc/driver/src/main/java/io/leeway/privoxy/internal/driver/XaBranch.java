package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.request.Trace;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.transaction.xa.Xid;

/**
 * A branch that an XA connection works on, or has worked on: what was written in it may become so when nobody here
 * looks. Until the same XA connection ends it, nothing is believed of these tables. Thread-safe.
 *
 * <p>Kept by the XA connection and not by the handle, since a branch is prepared and committed after its handle was
 * closed.
 */
final class XaBranch {

    private record Left(Trace trace, Object transaction) {}

    private final List<Left> left = new ArrayList<>();

    /** What names a branch; not every application's class of it can be compared. */
    static String key(Xid xid) {
        HexFormat hex = HexFormat.of();
        return xid.getFormatId() + ":" + hex.formatHex(xid.getGlobalTransactionId()) + ":"
                + hex.formatHex(xid.getBranchQualifier());
    }

    /** A transaction was a part of this branch. */
    synchronized void hadPart(Trace trace, Object transaction) {
        left.add(new Left(trace, transaction));
    }

    /**
     * The work on it has ended.
     *
     * <p>From here on any resource of the database may end it, and this process need not hear of it.
     */
    synchronized void left() {
        left.forEach(each -> each.trace.leftOpen(each.transaction));
    }

    /** It was committed or taken back. */
    synchronized void ended() {
        left.forEach(each -> each.trace.leftIsOver(each.transaction));
        left.clear();
    }
}
