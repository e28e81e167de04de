package io.leeway.demo;

/** The demonstration of one drop-in. Add a new one to {@link DropIns}. */
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
