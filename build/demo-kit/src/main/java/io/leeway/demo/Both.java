package io.leeway.demo;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Tells the same to several. */
record Both(List<Teller> tellers) implements Teller {

    Both(Teller... tellers) {
        this(List.of(tellers));
    }

    @Override
    public void heading(String title) {
        each(teller -> teller.heading(title));
    }

    @Override
    public void text(String paragraph) {
        each(teller -> teller.text(paragraph));
    }

    @Override
    public void code(String text) {
        each(teller -> teller.code(text));
    }

    @Override
    public void decision(Decision decision) {
        each(teller -> teller.decision(decision));
    }

    @Override
    public void table(Table table) {
        each(teller -> teller.table(table));
    }

    @Override
    public void bars(Bars bars) {
        each(teller -> teller.bars(bars));
    }

    @Override
    public void page(String what, Path page) {
        each(teller -> teller.page(what, page));
    }

    @Override
    public void progress(String what, double share) {
        each(teller -> teller.progress(what, share));
    }

    private void each(Consumer<Teller> telling) {
        tellers.forEach(telling);
    }
}
