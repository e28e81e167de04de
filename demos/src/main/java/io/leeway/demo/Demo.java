package io.leeway.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs drop-ins one after the other and writes the page. */
public final class Demo {

    private Demo() {}

    /** What {@code ./demo} starts. Ends with 0 if all went well, 1 if a drop-in failed, 2 for a wrong argument. */
    public static void main(String[] arguments) throws IOException {
        System.exit(run(DropIns.all(), Terminal.standard(), arguments));
    }

    static int run(List<DropIn> known, Teller terminal, String... arguments) throws IOException {
        try {
            return run(Options.parse(known, arguments), terminal) ? 0 : 1;
        } catch (Options.NotUnderstood e) {
            terminal.text(e.explanation());
            return 2;
        }
    }

    private static boolean run(Options options, Teller terminal) throws IOException {
        var page = new HtmlPage();
        var teller = new Both(terminal, page);
        var summary = new ArrayList<List<String>>();
        boolean allWell = true;
        for (DropIn dropIn : options.dropIns()) {
            boolean well = show(dropIn, new DemoContext(options.isShort(), teller, options.directory()));
            summary.add(List.of(dropIn.name(), dropIn.title(), well ? "done" : "failed"));
            allWell &= well;
        }
        conclude(teller, summary);
        page.write(options.page());
        terminal.text("\nThe same as a page: " + options.page());
        return allWell;
    }

    private static boolean show(DropIn dropIn, DemoContext context) {
        context.teller().heading(dropIn.title());
        try {
            dropIn.run(context);
            return true;
        } catch (Exception e) {
            context.teller().text("This part failed and is not complete.");
            context.teller().code(StackTraces.of(e));
            return false;
        }
    }

    private static void conclude(Teller teller, List<List<String>> summary) {
        teller.heading("Summary");
        if (summary.isEmpty()) {
            teller.text(
                    "No drop-in is registered in this version of the demo, so nothing was started and nothing shown.");
        } else {
            teller.table(new Table("What was shown", List.of("drop-in", "what", "outcome"), summary));
        }
    }
}
