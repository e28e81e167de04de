package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.Pace;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.ForwardingApplication;
import io.leeway.lazytables.apps.Seat;
import java.util.Arrays;
import java.util.List;

/**
 * An application that goes over its data at one pace after the other, and again: what paces cost is compared within the same processes, so
 * that neither what compilers made of each of them nor where its memory lies is taken for the pace's. The first clock of each waits for all
 * before it, whatever the slack: else its reads could be staler than at either pace, by clocks of the one that are as many as the other's slack.
 */
final class PacesInTurn<R> extends ForwardingApplication<R> {

    private final List<Pace> paces;
    private final int stretch;

    /**
     * Begins with the first of the paces.
     *
     * @param paces whose work is in passes
     * @param stretch so many passes each goes on; whole clocks of all of them
     */
    PacesInTurn(Application<R> inner, List<Pace> paces, int stretch) {
        super(inner);
        this.paces = List.copyOf(paces);
        this.stretch = stretch;
        for (Pace pace : paces) {
            if (stretch % pace.work() != 0) {
                throw new IllegalArgumentException(
                        "a stretch of " + stretch + " passes has no whole clocks of " + pace.work());
            }
        }
    }

    /** Work and slack of each, as in {@code 4/0,1/3}. */
    static List<Pace> parse(String text) {
        return Arrays.stream(text.split(","))
                .map(each -> {
                    String[] of = each.split("/", 2);
                    return new Pace(Integer.parseInt(of[1]), Integer.parseInt(of[0]));
                })
                .toList();
    }

    @Override
    protected Part<R> part(Seat seat, Part<R> part) {
        if (seat.settings().blocks() != 1) {
            throw new IllegalArgumentException("paces in turn are of whole passes");
        }
        return new ForwardingPart<>(part) {
            @Override
            public Pace pace(long blocks, Pace before) {
                Pace pace = paces.get((int) (blocks / stretch % paces.size()));
                return blocks % stretch == 0 ? new Pace(0, pace.work()) : pace;
            }
        };
    }
}
