package io.leeway.demo;

/**
 * The demonstration of one drop-in.
 *
 * <p>A class of the product's part {@code demo}, with a {@code main} that hands it to {@link Demo#main(DropIn,
 * String...)}. {@code ./demo} finds it by a file {@code demo.conf} (or another {@code .conf}) of that part, which has two lines: {@code name=}
 * what is typed after {@code ./demo}, and {@code main=} the class.
 */
public interface DropIn {

    /** What is typed after {@code ./demo}: one lower-case word. */
    String name();

    /** One line for people. */
    String title();

    /**
     * Shows the drop-in at work on real servers.
     *
     * @param context what to tell, and how much time there is
     * @throws Exception what went wrong; it is told, and the demo as a whole fails
     */
    void run(DemoContext context) throws Exception;
}
