package io.leeway.lazybase.internal.cli;

import java.io.PrintStream;
import java.util.Locale;

/** How far something is, on one line; nothing where there is no terminal. For one thread. */
final class ProgressBar {

    private static final int WIDTH = 40;

    private final PrintStream out;
    private final String what;
    private final long all;
    private final boolean shown;
    private long done;
    private int lastPercent = -1;

    @SuppressWarnings("SystemConsoleNull")
    ProgressBar(PrintStream out, String what, long all) {
        this.out = out;
        this.what = what;
        this.all = Math.max(1, all);
        this.shown = System.console() != null;
    }

    void add(long more) {
        done += more;
        int percent = (int) Math.min(100, 100 * done / all);
        if (shown && percent != lastPercent) {
            lastPercent = percent;
            int full = WIDTH * percent / 100;
            out.print(String.format(
                    Locale.ROOT, "\r%s [%s%s] %3d %%", what, "#".repeat(full), " ".repeat(WIDTH - full), percent));
        }
    }

    void end() {
        if (shown) {
            out.println();
        }
    }
}
