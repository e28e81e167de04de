package io.leeway.lazytables.internal.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Several processes write lines while bars are drawn: lines stay, and at most one bar stands below them. Public for Lincheck. */
public class ScreenLincheckTest {

    private static final int ITERATIONS = 5;
    private static final int INVOCATIONS = 100;

    private final Rows rows = new Rows();
    private final Screen screen = new Screen(rows, true);

    @Operation
    public void line() {
        screen.line("line");
    }

    @Operation(nonParallelGroup = "progress")
    public void bars() {
        screen.bars(List.of("bar"));
    }

    @Validate
    public void nothingIsTorn() {
        int bar = rows.shown.indexOf("bar");
        if (bar >= 0 && bar != rows.shown.size() - 1 || rows.lines != rows.shown.size() - (bar < 0 ? 0 : 1)) {
            throw new IllegalStateException("after " + rows.lines + " lines: " + rows.shown);
        }
    }

    @Test
    void everyInterleavingIsExplained() {
        new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(3)
                .actorsPerThread(2)
                .check(ScreenLincheckTest.class);
    }

    /** What a terminal shows. */
    private static final class Rows extends PrintStream {

        private final List<String> shown = new ArrayList<>();
        private int lines;

        Rows() {
            super(OutputStream.nullOutputStream());
        }

        @Override
        public void println(String row) {
            shown.add(row);
            lines += row.equals("line") ? 1 : 0;
        }

        /** The only thing that is printed without an end of the line: one up, and clear to the end. */
        @Override
        public void print(String up) {
            if (!up.equals("\033[1A\033[J")) {
                throw new IllegalStateException(up);
            }
            shown.remove(shown.size() - 1);
        }

        @Override
        public void flush() {}
    }
}
