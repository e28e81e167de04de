package io.leeway.eppi.internal.mpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The circuits of the construction, on any engine. */
final class Circuits {

    /** Halvings of a word until one lane is left. */
    private static final int HALVINGS = 6;

    /**
     * Frequencies of persons and who of them is common.
     *
     * @param frequency from the lowest bit
     * @param common one where a person is common
     */
    record Compared(List<Wire> frequency, Wire common) {}

    private final Engine engine;
    private final LanePlan plan;
    private final Wire zero;

    Circuits(Engine engine, LanePlan plan) {
        this.engine = engine;
        this.plan = plan;
        this.zero = engine.input(0, new long[plan.words()]);
    }

    /** Each party's number for every lane, as bits from the lowest. */
    List<List<Wire>> inputs(int[] numbers, int bits) {
        var all = new ArrayList<List<Wire>>();
        int words = plan.words();
        for (int owner = 0; owner < engine.parties(); owner++) {
            long[] own = owner == engine.party() ? sliced(numbers, bits, words) : new long[bits * words];
            Wire wire = engine.input(owner, own);
            var list = new ArrayList<Wire>();
            for (int b = 0; b < bits; b++) {
                list.add(wire.slice(b * words, (b + 1) * words));
            }
            all.add(list);
        }
        return all;
    }

    /** Adds the numbers modulo 2^bits and compares the sums, bit by bit at the same time. */
    Compared addAndCompare(List<List<Wire>> numbers, int bits) {
        List<Adder> adders = numbers.stream().skip(1).map(each -> new Adder()).toList();
        var comparison = new Comparison(engine, plan, plan.thresholds(), zero);
        var sums = new ArrayList<Wire>();
        for (int b = 0; b < bits; b++) {
            var left = new ArrayList<Wire>();
            var right = new ArrayList<Wire>();
            Wire sum = numbers.get(0).get(b);
            for (int a = 0; a < adders.size(); a++) {
                sum = adders.get(a).plan(sum, numbers.get(a + 1).get(b), b == bits - 1, left, right);
            }
            comparison.plan(sum, left, right);
            Iterator<Wire> products = engine.and(left, right).iterator();
            adders.forEach(adder -> adder.take(products));
            comparison.take(products);
            sums.add(sum);
        }
        return new Compared(sums, comparison.atLeast().and(plan.used()));
    }

    /** Counts one bit of every party and compares: what is computed if there is no secret sharing before it. */
    Compared countAndCompare(List<List<Wire>> memberships, int bits) {
        Wire all = Wire.concat(memberships.stream().map(list -> list.get(0)).toList());
        var count = new Popcount(all, plan.words());
        Popcount.run(engine, List.of(count));
        var sums = new ArrayList<Wire>();
        var comparison = new Comparison(engine, plan, plan.thresholds(), zero);
        for (int b = 0; b < bits; b++) {
            var left = new ArrayList<Wire>();
            var right = new ArrayList<Wire>();
            sums.add(count.bit(b, zero));
            comparison.plan(sums.get(b), left, right);
            comparison.take(engine.and(left, right).iterator());
        }
        return new Compared(sums, comparison.atLeast().and(plan.used()));
    }

    /** How many lanes of each class have a one; nothing else is shown. */
    int[] countPerClass(Wire wire) {
        List<Popcount> counts = plan.classes().stream()
                .map(one -> new Popcount(wire.slice(one.firstWord(), one.firstWord() + one.words()), 1))
                .toList();
        Popcount.run(engine, counts);
        int bits = HALVINGS + counts.stream().mapToInt(Popcount::bits).max().orElse(0);
        List<Wire> sums = addLanes(counts, bits);
        // The other lanes have sums of parts of a class, which are nobody's business.
        long[] first = new long[counts.size()];
        java.util.Arrays.fill(first, 1);
        List<long[]> opened =
                engine.open(sums.stream().map(sum -> sum.and(first)).toList());
        int[] result = new int[counts.size()];
        for (int c = 0; c < result.length; c++) {
            for (int b = 0; b < bits; b++) {
                result[c] |= (int) (opened.get(b)[c] & 1) << b;
            }
        }
        return result;
    }

    /** Adds the 64 numbers in the lanes of a word, halves of words at a time; a word for each class. */
    private List<Wire> addLanes(List<Popcount> counts, int bits) {
        Wire oneWord = zero.slice(0, 1);
        List<Adder> adders = java.util.stream.IntStream.range(0, HALVINGS)
                .mapToObj(i -> new Adder())
                .toList();
        var sums = new ArrayList<Wire>();
        for (int b = 0; b < bits; b++) {
            int index = b;
            Wire sum = Wire.concat(
                    counts.stream().map(count -> count.bit(index, oneWord)).toList());
            var left = new ArrayList<Wire>();
            var right = new ArrayList<Wire>();
            for (int h = 0; h < HALVINGS; h++) {
                Wire upper = sum.shiftedDown(32 >> h);
                sum = adders.get(h).plan(sum, upper, b == bits - 1, left, right);
            }
            Iterator<Wire> products = engine.and(left, right).iterator();
            adders.forEach(adder -> adder.take(products));
            sums.add(sum);
        }
        return sums;
    }

    /** Who is published everywhere: the common, and others by a coin that no party knows or can bend alone. */
    Wire mark(Wire common, List<List<Wire>> coins, int[] limits, int bits, boolean[] all) {
        Wire marked = common;
        if (bits > 0) {
            var comparison = new Comparison(engine, plan, limits, zero);
            for (int b = 0; b < bits; b++) {
                Wire coin = coins.get(0).get(b);
                for (int party = 1; party < coins.size(); party++) {
                    coin = coin.xor(coins.get(party).get(b));
                }
                var left = new ArrayList<Wire>();
                var right = new ArrayList<Wire>();
                comparison.plan(coin, left, right);
                comparison.take(engine.and(left, right).iterator());
            }
            Wire below = engine.not(comparison.atLeast());
            Wire both = engine.and(List.of(common), List.of(below)).get(0);
            marked = common.xor(below).xor(both);
        }
        long[] everybody = plan.perClass(all);
        long[] others = everybody.clone();
        for (int w = 0; w < others.length; w++) {
            others[w] = ~others[w];
        }
        return engine.xorPublic(marked.and(others), everybody).and(plan.used());
    }

    /** The marks, and behind them the frequencies of those who have none; zeros for the others. */
    List<long[]> open(Wire marked, List<Wire> frequency) {
        Wire unmarked = engine.not(marked).and(plan.used());
        var masks = new ArrayList<Wire>();
        frequency.forEach(each -> masks.add(unmarked));
        var shown = new ArrayList<Wire>();
        shown.add(marked);
        shown.addAll(engine.and(frequency, masks));
        return engine.open(shown);
    }

    /** Bit b of all numbers in one vector, and so for each bit. */
    private static long[] sliced(int[] numbers, int bits, int words) {
        long[] sliced = new long[bits * words];
        for (int lane = 0; lane < numbers.length; lane++) {
            int number = numbers[lane];
            for (int b = 0; b < bits; b++) {
                sliced[b * words + (lane >>> 6)] |= (long) (number >>> b & 1) << lane;
            }
        }
        return sliced;
    }
}
