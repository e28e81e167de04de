package io.leeway.lazytables.internal.cli;

import java.io.PrintStream;
import java.util.List;

/** Lines, and below them bars that are drawn over where somebody looks. Thread-safe. */
final class Screen {

    private final PrintStream out;
    private final boolean redraws;
    private List<String> bars = List.of();

    /** Redraws bars in their place if it may, else shows them as further lines. */
    Screen(PrintStream out, boolean redraws) {
        this.out = out;
        this.redraws = redraws;
    }

    /**
     * Adds a line.
     *
     * <p>Above the bars, which are taken away and drawn again below it: lines of all children come through here, one at
     * a time.
     */
    synchronized void line(String text) {
        erase();
        out.println(text);
        draw();
    }

    /** Shows these bars instead of those before. */
    synchronized void bars(List<String> now) {
        if (!redraws) {
            now.forEach(out::println);
            out.flush();
            return;
        }
        erase();
        bars = List.copyOf(now);
        draw();
    }

    /**
     * Goes up and clears to the end, by escape sequences of terminals. Only where somebody looks, see {@link Terminal}.
     */
    private void erase() {
        if (!bars.isEmpty()) {
            out.print("\033[" + bars.size() + "A\033[J");
        }
    }

    private void draw() {
        bars.forEach(out::println);
        out.flush();
    }
}
