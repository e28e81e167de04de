package io.leeway.lazytables.internal.cli;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.StoredTables;
import io.leeway.lazytables.internal.console.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** {@code lazytables tables}: shows tables as they were at the end of a clock. */
final class TablesCommand {

    static final String HELP = """
            lazytables tables DIR... [--clock=N] [--table=NAME]
              Shows the tables that servers stored of a clock (lazytables.tables.clocks): of the newest that all have, or
              of clock N. DIR is the snapshot directory of each server; they may be at work. With --table the
              cells of a table, a line for each: row, column and value with tabs between them.

            """;

    private static final String CLOCK = "clock";
    private static final String TABLE = "table";

    private TablesCommand() {}

    static int run(List<String> arguments, PrintStream print) {
        Words words = Words.of(arguments, Set.of(CLOCK, TABLE));
        if (words.names().isEmpty() || !words.options().isEmpty()) {
            throw Words.usage("tables takes the snapshot directory of each server, --clock and --table");
        }
        List<String> places = words.names();
        int clock = words.whole(CLOCK, -1, 0, Integer.MAX_VALUE);
        StoredTables tables = clock < 0 ? StoredTables.newest(places) : StoredTables.at(clock, places);
        String name = words.text(TABLE);
        if (name == null) {
            list(tables, StoredTables.clocks(places), print);
        } else {
            boolean whole = tables.spec(name).type() == CellType.INT
                    || tables.spec(name).type() == CellType.LONG;
            print.println("row\tcolumn\tvalue");
            tables.forEachRow(name, row -> cells(row, whole, print));
        }
        return 0;
    }

    private static void list(StoredTables tables, Set<Integer> clocks, PrintStream print) {
        print.println("clock " + tables.clock() + "; all servers have clocks " + clocks);
        var table = new TextTable("table", "rows", "kind");
        for (String name : new TreeSet<>(tables.names())) {
            table.add(
                    Printable.of(name),
                    Integer.toString(tables.rows(name)),
                    (tables.spec(name).sparse()
                                    ? "sparse"
                                    : "dense, " + tables.spec(name).columns() + " columns") + " of "
                            + tables.spec(name).type().name().toLowerCase(Locale.ROOT));
        }
        print.print(table);
    }

    /** Integers are written as such: as doubles, longs would lose digits. */
    private static void cells(RowView row, boolean whole, PrintStream print) {
        for (int i = 0; i < row.entries(); i++) {
            print.println(row.key() + "\t" + row.columnAt(i) + "\t"
                    + (whole ? Long.toString(row.longAt(i)) : Double.toString(row.valueAt(i))));
        }
    }
}
