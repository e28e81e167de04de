package io.leeway.demo;

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

    private void each(Consumer<Teller> telling) {
        tellers.forEach(telling);
    }
}
