package io.leeway.demo;

import java.nio.file.Path;

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

    /** A page of its own that lies beside this one. */
    void page(String what, Path page);

    /** How far something is that takes its time, from 0 to 1; shown to who looks on until the next is told. */
    void progress(String what, double share);
}
