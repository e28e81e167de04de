package io.leeway.eppi.internal.mpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.eppi.internal.mpc.SecureSelection.Selected;
import io.leeway.eppi.internal.policy.Mixing;
import io.leeway.eppi.internal.share.AesStream;
import io.leeway.eppi.internal.share.Ring;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a party sees while it computes tells nothing that its input and the result do not tell, in two ways.
 *
 * <p>Of many runs with random inputs: whatever sum of bits a party sees, with its own input and the result, it gives no sum
 * of the others' bits that input and result alone do not give. That is a comparison of ranks over two elements, so a mask
 * that is used twice, or left out, is found for certain. And of many runs with the same inputs: every bit that comes from
 * another is 1 in about half of them, so that a simulator that draws it makes the same.
 */
class TranscriptTest {

    private static final int TRANSFERS = 128;
    private static final int COLUMNS = 8;
    private static final int PERSONS = 3;
    private static final int PROVIDERS = 5;
    private static final int COMMON_FROM = 4;
    private static final int LANE = 0;
    private static final Mixing MIXING = new Mixing(2, 1, false);

    private final RandomGenerator random = Seeds.random("transcripts");
    private final Ring ring = Ring.forProviders(PROVIDERS);
    private final LanePlan plan = LanePlan.of(new int[] {PERSONS}, new int[] {COMMON_FROM});

    /** What one party saw of the lane, what it and the others put in, and what came out, as bits. */
    private record View(List<Boolean> seen, List<Boolean> own, List<Boolean> others, List<Boolean> result) {}

    @ParameterizedTest
    @CsvSource({"HONEST_MAJORITY,3", "FULL_THRESHOLD,2"})
    void aViewGivesNoSumOfTheOthersBitsThatTheResultDoesNotGive(Profile profile, int parties) throws Exception {
        compareRanks(profile, parties);
    }

    @Tag(Depth.DEEP)
    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void aViewOfMorePartiesGivesNoMore(int parties) throws Exception {
        compareRanks(Profile.FULL_THRESHOLD, parties);
    }

    private void compareRanks(Profile profile, int parties) throws Exception {
        int me = random.nextInt(parties);
        List<View> views = new ArrayList<>(List.of(run(profile, parties, me, shares(parties), coins(parties))));
        View first = views.get(0);
        int columns = first.seen.size() + first.own.size() + first.others.size() + first.result.size() + 1;
        // With so many rows more than columns, bits that are independent look so but once in 2⁴⁰ cases.
        while (views.size() < columns + 40) {
            views.add(run(profile, parties, me, shares(parties), coins(parties)));
        }
        int gained = rank(views, true, true) - rank(views, true, false);
        int ideal = rank(views, false, true) - rank(views, false, false);

        assertThat(first.seen).hasSizeGreaterThan(30);
        assertThat(first.others).hasSize((parties - 1) * (ring.bits() + Mixing.MOST_BITS));
        assertThat(gained).isEqualTo(ideal);
    }

    @ParameterizedTest
    @CsvSource({"HONEST_MAJORITY,3", "FULL_THRESHOLD,2"})
    void whatComesFromOthersIsAsOftenOneAsZeroWhateverTheInputs(Profile profile, int parties) throws Exception {
        int me = random.nextInt(parties);
        int[][] shares = shares(parties);
        int[][] coins = coins(parties);
        int runs = Depth.of(100, 3_000);
        int[] ones = new int[run(profile, parties, me, shares, coins).seen.size()];
        for (int i = 0; i < runs; i++) {
            add(run(profile, parties, me, shares, coins).seen, ones);
        }
        // Of some words of the count this lane is not used: zero whatever the inputs.
        int[] onesOfAnyInputs = new int[ones.length];
        for (int i = 0; i < 40; i++) {
            add(run(profile, parties, me, shares(parties), coins(parties)).seen, onesOfAnyInputs);
        }
        for (int bit = 0; bit < ones.length; bit++) {
            if (ones[bit] + onesOfAnyInputs[bit] > 0) {
                // Eight standard deviations: once in 10¹⁵ bits.
                assertThat(Math.abs(ones[bit] - runs / 2.0)).as("bit %d", bit).isLessThan(4 * Math.sqrt(runs));
            }
        }
    }

    private static void add(List<Boolean> bits, int[] ones) {
        for (int bit = 0; bit < ones.length; bit++) {
            ones[bit] += bits.get(bit) ? 1 : 0;
        }
    }

    private int[][] shares(int parties) {
        int[][] shares = new int[parties][plan.lanes()];
        for (int lane = 0; lane < PERSONS; lane++) {
            int rest = random.nextInt(PROVIDERS + 1);
            for (int party = 1; party < parties; party++) {
                shares[party][lane] = random.nextInt(ring.mask() + 1);
                rest -= shares[party][lane];
            }
            shares[0][lane] = ring.reduce(rest);
        }
        return shares;
    }

    private int[][] coins(int parties) {
        int[][] coins = new int[parties][plan.lanes()];
        for (int[] each : coins) {
            Arrays.setAll(each, lane -> random.nextInt(1 << Mixing.MOST_BITS));
        }
        return coins;
    }

    private View run(Profile profile, int parties, int me, int[][] shares, int[][] coins) throws Exception {
        List<byte[]> received = new ArrayList<>();
        List<byte[]> sent = new ArrayList<>();
        List<Object[]> results = Parties.run(
                profile,
                parties,
                random,
                (engine, links) -> {
                    var selection = SecureSelection.join(engine, plan, ring, shares[engine.party()]);
                    int[] common = selection.countCommon();
                    return new Object[] {common, selection.select(List.of(MIXING), coins[engine.party()], 0)};
                },
                me,
                received,
                sent);
        var seen = new ArrayList<Boolean>();
        received.forEach(message -> bits(message, seen));
        var own = new ArrayList<Boolean>();
        bits(shares[me][LANE], ring.bits(), own);
        bits(coins[me][LANE], Mixing.MOST_BITS, own);
        own(profile, received, sent, own);
        var others = new ArrayList<Boolean>();
        for (int party = 0; party < parties; party++) {
            if (party != me) {
                bits(shares[party][LANE], ring.bits(), others);
                bits(coins[party][LANE], Mixing.MOST_BITS, others);
            }
        }
        var result = new ArrayList<Boolean>();
        bits(((int[]) results.get(me)[0])[0], 8, result);
        Selected selected = (Selected) results.get(me)[1];
        result.add(selected.marked()[LANE]);
        bits(selected.frequencies()[LANE], ring.bits(), result);
        return new View(seen, own, others, result);
    }

    /** What a party computes of what it knows: what it sent, and the streams of keys that it shares with others. */
    private static void own(Profile profile, List<byte[]> received, List<byte[]> sent, List<Boolean> own) {
        sent.forEach(message -> bits(message, own));
        if (profile == Profile.HONEST_MAJORITY) {
            for (byte[] seed : List.of(sent.get(0), received.get(0))) {
                for (long word : new AesStream(seed).nextWords(64)) {
                    own.add((word >>> LANE & 1) == 1);
                }
            }
        }
    }

    /**
     * The lane's bit of every word; of the long messages of transfers some columns of the first triple. The public keys of
     * transfers are left out: they hide by what is hard to compute, not by masks.
     */
    private static void bits(byte[] message, List<Boolean> into) {
        var words = ByteBuffer.wrap(message).asLongBuffer();
        int all = words.remaining();
        if (all == TRANSFERS) {
            return;
        }
        boolean isMatrix = all > TRANSFERS && all % TRANSFERS == 0;
        for (int i = 0; i < (isMatrix ? COLUMNS : all); i++) {
            into.add((words.get(isMatrix ? i * (all / TRANSFERS) : i) >>> LANE & 1) == 1);
        }
    }

    private static void bits(int value, int count, List<Boolean> into) {
        for (int b = 0; b < count; b++) {
            into.add((value >>> b & 1) == 1);
        }
    }

    /** The rank, over two elements, of one row for each run. */
    private static int rank(List<View> views, boolean isSeen, boolean isWithOthers) {
        List<BitSet> rows = new ArrayList<>();
        for (View view : views) {
            var all = new ArrayList<>(view.own);
            all.addAll(view.result);
            all.add(true);
            if (isSeen) {
                all.addAll(view.seen);
            }
            if (isWithOthers) {
                all.addAll(view.others);
            }
            var row = new BitSet();
            for (int i = 0; i < all.size(); i++) {
                row.set(i, all.get(i));
            }
            rows.add(row);
        }
        return rank(rows);
    }

    private static int rank(List<BitSet> rows) {
        List<BitSet> basis = new ArrayList<>();
        for (BitSet row : rows) {
            for (BitSet each : basis) {
                if (row.get(each.nextSetBit(0))) {
                    row.xor(each);
                }
            }
            if (!row.isEmpty()) {
                basis.add(row);
            }
        }
        return basis.size();
    }
}
