package io.leeway.demo;

import java.io.IOException;

/** Runs the demonstration of one drop-in and writes its page. Every drop-in has a JVM of its own. */
public final class Demo {

    private Demo() {}

    /**
     * What the {@code main} of a drop-in's demonstration calls. Ends the JVM: with 0 if all went well, 1 if it failed,
     * 2 for a wrong argument.
     *
     * @param dropIn what is shown
     * @param arguments of the command line: {@code --short}, {@code --directory=DIR}
     */
    public static void main(DropIn dropIn, String... arguments) throws IOException {
        System.exit(run(dropIn, Terminal.standard(), arguments));
    }

    static int run(DropIn dropIn, Teller terminal, String... arguments) throws IOException {
        try {
            return run(dropIn, Options.parse(arguments), terminal) ? 0 : 1;
        } catch (Options.NotUnderstood e) {
            terminal.text(e.explanation());
            return 2;
        }
    }

    private static boolean run(DropIn dropIn, Options options, Teller terminal) throws IOException {
        var page = new HtmlPage();
        boolean well = show(dropIn, new DemoContext(options.isShort(), new Both(terminal, page), options.directory()));
        page.write(options.directory(), dropIn.name());
        return well;
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
}
