package io.leeway.demo;

/** Tells people what happens: in the terminal at once, on the page at the end. For one thread. */
public interface Teller {

    /** Begins a part. */
    void heading(String title);

    /** A paragraph. */
    void text(String paragraph);

    /** Something to copy: a URL, SQL, a policy. */
    void code(String text);

    /** Something that was allowed or refused. */
    void decision(Decision decision);

    /** A table. */
    void table(Table table);

    /** A bar plot. */
    void bars(Bars bars);
}
