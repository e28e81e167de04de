package io.leeway.lazytables.internal.pace;

import io.leeway.lazytables.Pace;
import io.leeway.lazytables.PaceBounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Progress per second is passes per second times what a pass brings.
 *
 * A pass takes its computing, which does not depend on the pace, and for each of its clocks a wait, which does: more slack
 * averages out what holds single workers up, so a wait is taken to fall as 1 / (slack + 1), and more work per clock means fewer
 * waits. What slack does not cure, such as waits for the network, is learned whenever slack changes. That is a guess for paces that were
 * not tried; those that were are known by the time they took, until that is too long ago.
 *
 * A pass brings 1 / (1 + a (staleness - 1)) of what it would with staleness 1, in passes. Whenever the pace changes, what passes
 * brought before is carried on (it falls as it fell from one objective to the next while the pace held), and a is fitted to what
 * they bring now. When next to nothing is gained any more, a rises slowly: towards the end of a run freshness is worth more than speed.
 *
 * The first window of a pace may be a short one in an odd moment, and says nothing about how gains fall. It changes the pace only
 * where that promises much, so that a run which waits for most of its time does not go on with that; later ones may for little.
 *
 * Guard: an objective that gets worse within a window, by more than a share of all that was gained, is taken for the begin of
 * divergence. Staleness is brought down to a quarter at once and stays below half of what it was. At the least staleness that is
 * borne five times; the sixth time, if most of what was gained is lost, or with an objective that is no number, the run has diverged.
 */

/** Chooses the pace of a program by what its windows, some clocks each, have shown. Knows no time and no threads. */
public final class PaceModel {

    /*
     * The last section of chapter 4 of James Cipar, "Trading Freshness for Performance in Distributed Systems" (2014),
     * 4.7 "Open Problems" under "Dynamic Staleness", proposes to compute the objective now and then and to ask for
     * fresher data when it improves more slowly, and leaves open which staleness to begin with and when reads diverge.
     * This goes by the measured time of a pass as well, in both directions. Staleness is the paper's "work per clock x
     * (slack + 1)", in passes over the data.
     *
     * All numbers are of the whole run: shares of all that was gained, so that no objective's unit or size matters. NaN
     * stands for "not known yet" and fails each comparison, so what depends on it does not happen.
     */

    static final double FIRST_COST = 0.05;
    private static final double MOST_COST = 1;
    private static final double FITTED = 0.3;
    /** A change must promise so much. */
    private static final double BETTER = 1.03;
    /** By the first window of a pace. */
    private static final double MUCH_BETTER = 1.15;
    /** Of all that was gained; what gets worse by less is noise. */
    private static final double WORSE = 0.02;
    /** Of all that was gained: what must be lost to end a run. */
    private static final double GIVEN_BACK = 0.5;
    /** Of the first value: so must this. */
    private static final double NOISE = 0.1;
    /** Of all that was gained, in a window; less is no progress. */
    private static final double FLAT = 0.002;

    private static final int REMEMBERED = 24;
    /** Windows may be as short as two clocks. */
    private static final int MOST_ALARMS = 6;

    private final PaceBounds bounds;
    private final Map<Pace, Tried> tried = new HashMap<>();

    private Pace pace;
    private double cost = FIRST_COST;
    private double mostStaleness = Double.MAX_VALUE;
    private int windows;
    /** Windows at this pace. */
    private int here;

    private int alarms;
    private double first = Double.NaN;
    private double best = Double.NaN;
    private double last = Double.NaN;
    private double lastPasses;
    private boolean noNumber;

    /** The objective where the window began. */
    private double before = Double.NaN;

    private double passesBefore;
    private double gain = Double.NaN;
    /** The part of what a pass brought that one a pass later brings, while the pace holds. */
    private double fall = Double.NaN;
    /** What a pass brought between the last two objectives; no number if the pace changed there. */
    private double told = Double.NaN;
    /** The passes of the window before. */
    private double lengthBefore;
    /** How much staler than one pass reads were. */
    private double staleBefore;

    /** The share of waits that slack cures. */
    private double curable = 1;

    private double waitBefore = Double.NaN;
    private int slackBefore;

    /**
     * What is to be done from now on.
     *
     * @param pace the pace
     * @param why in words
     * @param diverged whether there is no way to go on
     */
    public record Choice(Pace pace, String why, boolean diverged) {}

    private record Tried(double passSeconds, int window) {}

    /** Begins with the first pace of the bounds. */
    public PaceModel(PaceBounds bounds) {
        this.bounds = bounds;
        this.pace = bounds.first();
        this.staleBefore = Math.max(0, bounds.staleness(pace) - 1);
    }

    /** The pace that was chosen last. */
    public Pace pace() {
        return pace;
    }

    /**
     * Goes on at a pace that another one before this chose. What it had seen is gone with it; the windows to come say
     * it anew.
     */
    public void goOnAt(Pace held) {
        pace = held;
        here = 0;
        staleBefore = Math.max(0, bounds.staleness(held) - 1);
    }

    /** The cost of a pass of staleness, as fitted so far. */
    double cost() {
        return cost;
    }

    /** The objective after so many passes. */
    public void objective(double passes, double value) {
        double up = bounds.falls() ? -value : value;
        noNumber |= !Double.isFinite(value);
        if (Double.isNaN(first)) {
            first = up;
            best = up;
            before = up;
            passesBefore = passes;
        }
        if (passes > lastPasses) {
            double now = (up - last) / (passes - lastPasses);
            if (now > 0 && told > 0) {
                double seen = Math.pow(now / told, 1 / (passes - lastPasses));
                fall = Double.isNaN(fall) ? seen : (fall + seen) / 2;
            }
            told = now;
        }
        last = up;
        lastPasses = passes;
        best = Math.max(best, up);
    }

    /** A window begins, after clocks in which the pace changed and which say nothing about it. */
    public void begin() {
        if (!Double.isNaN(first)) {
            before = last;
            passesBefore = lastPasses;
        }
        told = Double.NaN;
    }

    /** The objective that was told last. */
    public double objective() {
        return shown(last);
    }

    /** Whether there is an objective that the next window could be judged by: nobody tells one, or it has moved on. */
    public boolean hasMoved() {
        return noNumber || Double.isNaN(first) || lastPasses > passesBefore;
    }

    /**
     * A window is over.
     *
     * @param passSeconds how long a pass over the data took in it
     * @param waitShare the share of workers' time in which they waited
     * @return another pace, or null to go on
     */
    public @Nullable Choice window(double passSeconds, double waitShare) {
        windows++;
        here++;
        if (noNumber) {
            return new Choice(pace, "the objective is no number", true);
        }
        if (isWorse()) {
            return calm();
        }
        if (last >= before) {
            alarms = 0;
        }
        fit();
        learn(passSeconds * waitShare * pace.work() / bounds.unitsPerPass());
        Tried known = tried.get(pace);
        double seconds = known == null || here == 1 ? passSeconds : (known.passSeconds() + passSeconds) / 2;
        if (windows > 1) {
            // The first one has compilers in it: it would make what was begun with look bad for long.
            tried.put(pace, new Tried(seconds, windows));
        }
        return best(seconds, waitShare, here == 1 ? MUCH_BETTER : BETTER);
    }

    /** Whether something is to be done before the window's time is over. */
    public boolean isUrgent() {
        return noNumber || isWorse() && !within(bounds.staleness(pace) / 4).equals(pace);
    }

    /** Whether the objective has become worse by more than noise. */
    private boolean isWorse() {
        if (Double.isNaN(first) || last >= before) {
            return false;
        }
        double all = Math.max(best - first, Math.abs(first) * WORSE);
        // Within the window, or little by little since it was best.
        return Math.max(before - last, (best - last) / 5) > WORSE * all;
    }

    private @Nullable Choice calm() {
        double staleness = bounds.staleness(pace);
        mostStaleness = Math.min(mostStaleness, staleness / 2);
        Pace calm = within(staleness / 4);
        String what = String.format(Locale.ROOT, "the objective went from %.5g to %.5g", shown(before), shown(last));
        before = last;
        passesBefore = lastPasses;
        gain = Double.NaN;
        if (calm.equals(pace) && ++alarms >= MOST_ALARMS && isFarFromBest()) {
            return new Choice(pace, what + ", though reads are as fresh as they can be", true);
        }
        String why = String.format(
                Locale.ROOT, "%s: reads may be %.2f passes behind at most from now on", what, mostStaleness);
        return calm.equals(pace) ? null : changed(calm, why);
    }

    /**
     * By more than what is left to gain, or noise, may make of a run that began nearly done; as a DivergenceWatch sees
     * it.
     */
    private boolean isFarFromBest() {
        return best - last > Math.max(GIVEN_BACK * (best - first), NOISE * Math.abs(first));
    }

    /** How much a pass brought, and what that says about the cost of staleness. */
    private void fit() {
        double passes = lastPasses - passesBefore;
        if (Double.isNaN(first) || passes <= 0) {
            return;
        }
        double now = (last - before) / passes;
        double staleness = bounds.staleness(pace);
        if (last - before < FLAT * (best - first)) {
            cost = Math.min(MOST_COST, cost * 1.25);
        } else if (here == 1 && gain > 0 && !Double.isNaN(fall)) {
            double expected = gain * Math.min(1.1, Math.max(0.3, Math.pow(fall, (passes + lengthBefore) / 2)));
            cost += FITTED * (fitted(now / expected, Math.max(0, staleness - 1)) - cost);
        }
        gain = now;
        lengthBefore = passes;
        staleBefore = Math.max(0, staleness - 1);
        before = last;
        passesBefore = lastPasses;
    }

    /** The cost with which passes bring this share of what they brought before. */
    private double fitted(double share, double staleNow) {
        if (staleNow == staleBefore) {
            return cost;
        }
        boolean staler = staleNow > staleBefore;
        // With any cost the share is between one and this.
        double limit = staleBefore / staleNow;
        if (staler ? share >= 1 : share <= 1) {
            return 0;
        }
        if (staler ? share <= limit : share >= limit) {
            return MOST_COST;
        }
        return Math.min(MOST_COST, (1 - share) / (share * staleNow - staleBefore));
    }

    /** What a change of slack has done to the wait of a clock. */
    private void learn(double wait) {
        if (waitBefore > 0 && slackBefore != pace.slack()) {
            double cured = 1 - (slackBefore + 1.0) / (pace.slack() + 1);
            double seen = Math.min(1, Math.max(0, (1 - wait / waitBefore) / cured));
            curable = (curable + 2 * seen) / 3;
        }
        waitBefore = wait;
        slackBefore = pace.slack();
    }

    private @Nullable Choice best(double passSeconds, double waitShare, double least) {
        double now = score(passSeconds, pace);
        double most = now * least;
        Pace chosen = pace;
        for (Pace other : neighbours()) {
            double score = score(predicted(other, passSeconds, waitShare), other);
            if (score > most) {
                most = score;
                chosen = other;
            }
        }
        if (chosen.equals(pace)) {
            return null;
        }
        return changed(
                chosen,
                String.format(
                        Locale.ROOT,
                        "%.0f %% of the time was waited, a pass took %.3g s; progress should be %.0f %% faster",
                        100 * waitShare,
                        passSeconds,
                        100 * (most / now - 1)));
    }

    /** What is gained in a second, against passes that are not stale and take a second. */
    private double score(double passSeconds, Pace at) {
        return 1 / (passSeconds * (1 + cost * Math.max(0, bounds.staleness(at) - 1)));
    }

    private double predicted(Pace other, double passSeconds, double waitShare) {
        Tried known = tried.get(other);
        if (known != null && windows - known.window() <= REMEMBERED) {
            return known.passSeconds();
        }
        double computing = passSeconds * (1 - waitShare);
        double waiting = passSeconds * waitShare;
        double clocks = (double) pace.work() / other.work();
        double cured = (pace.slack() + 1.0) / (other.slack() + 1);
        return computing + waiting * clocks * (1 - curable + curable * cured);
    }

    /** Up to four times as stale. */
    private List<Pace> neighbours() {
        var neighbours = new ArrayList<Pace>();
        int slack = pace.slack();
        int work = pace.work();
        add(neighbours, slack - 1, work);
        add(neighbours, slack / 2, work);
        add(neighbours, slack + 1, work);
        add(neighbours, slack * 2 + 1, work);
        add(neighbours, slack * 4 + 3, work);
        add(neighbours, slack, work / 2);
        add(neighbours, slack, work * 2);
        add(neighbours, slack, work * 4);
        // The same staleness otherwise: fewer clocks for less slack, and the reverse.
        add(neighbours, (slack - 1) / 2, work * 2);
        add(neighbours, slack * 2 + 1, work / 2);
        return neighbours;
    }

    private void add(List<Pace> to, int slack, int work) {
        if (slack >= 0 && slack <= bounds.mostSlack() && work >= bounds.leastWork() && work <= bounds.mostWork()) {
            var other = new Pace(slack, work);
            if (bounds.staleness(other) <= mostStaleness) {
                to.add(other);
            }
        }
    }

    /**
     * The pace with the most work, and then the most slack, that is no staler than that; the freshest if there is none.
     */
    private Pace within(double staleness) {
        int work = pace.work();
        while (work / 2 >= bounds.leastWork() && bounds.staleness(new Pace(0, work)) > staleness) {
            work /= 2;
        }
        int slack = pace.slack();
        while (slack > 0 && bounds.staleness(new Pace(slack, work)) > staleness) {
            slack--;
        }
        return new Pace(slack, work);
    }

    private Choice changed(Pace other, String why) {
        pace = other;
        here = 0;
        told = Double.NaN;
        return new Choice(other, why, false);
    }

    private double shown(double up) {
        return bounds.falls() ? -up : up;
    }
}
