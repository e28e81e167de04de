package io.leeway.lazytables.internal.row;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.lazytables.spi.CombineOp;
import java.util.List;

/**
 * Tables' specifications as bytes: in messages by which clients define tables, and in snapshots. Both sides must mean
 * the same by a table, so all of it is written, also what has a default. Without state.
 */
public final class SpecCodec {

    /**
     * In the order of their numbers on the wire.
     *
     * <p>Never to be changed: snapshots of earlier versions have them.
     */
    private static final List<CellType> TYPES = List.of(CellType.INT, CellType.LONG, CellType.FLOAT, CellType.DOUBLE);

    private SpecCodec() {}

    public static void write(TableSpec spec, WireBuffer out) {
        out.putByte(TYPES.indexOf(spec.type()));
        out.putVar(spec.columns());
        out.putByte(spec.sparse() ? 1 : 0);
        out.putVar(spec.rows());
        // By its name: its code is on the other side or is not, and there nobody would run code that was sent.
        out.putText(spec.op().name());
        out.putVar(spec.slack());
        out.putByte(spec.strict() ? 1 : 0);
        out.putLong(Double.doubleToRawLongBits(spec.maxStep()));
    }

    /**
     * Reads a specification, and checks it as one that a program gives is checked.
     *
     * @throws WireException also if the operation is not known here, with the code that says so to the client
     */
    public static TableSpec read(WireReader in, CombineOps ops) {
        CellType type = TYPES.get(in.getInt("The type of cells", 0, TYPES.size() - 1));
        int columns = in.getInt("The number of columns", 1, Integer.MAX_VALUE);
        boolean sparse = in.getInt("Sparse", 0, 1) == 1;
        long rows = in.getVar("The number of rows", 1, Long.MAX_VALUE);
        String name = in.getText("The operation", Protocol.MAX_NAME);
        CombineOp op = ops.find(name);
        if (op == null) {
            throw new WireException(
                    Code.BAD_TABLE,
                    "The operation " + name
                            + " is not known here: put a class that implements CombineOp into the class path and name it in"
                            + " META-INF/services");
        }
        int slack = in.getInt("The slack", 0, Integer.MAX_VALUE);
        boolean strict = in.getInt("Strict", 0, 1) == 1;
        double maxStep = Double.longBitsToDouble(in.getLong());
        try {
            return new TableSpec(type, columns, sparse, rows, op, slack, strict, maxStep);
        } catch (LazyTablesException e) {
            // The client is told what is wrong with its table, and not only that a message was.
            throw new WireException(e.code(), e.reason());
        }
    }
}
