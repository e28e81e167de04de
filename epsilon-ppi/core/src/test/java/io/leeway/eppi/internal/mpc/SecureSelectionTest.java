package io.leeway.eppi.internal.mpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.eppi.internal.mpc.SecureSelection.Selected;
import io.leeway.eppi.internal.policy.Mixing;
import io.leeway.eppi.internal.share.Ring;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SecureSelectionTest {

    private final RandomGenerator random = Seeds.random("selection");

    /** What all parties put in and what has to come out. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Case(LanePlan plan, Ring ring, int[][] shares, int[][] coins, int[] frequencies) {

        boolean isUsed(int lane) {
            return plan.classes().stream()
                    .anyMatch(one -> lane >= 64 * one.firstWord() && lane < 64 * one.firstWord() + one.members());
        }

        int classOf(int lane) {
            int result = 0;
            for (int c = 0; c < plan.classes().size(); c++) {
                result = plan.classes().get(c).firstWord() * 64 <= lane ? c : result;
            }
            return result;
        }

        boolean isCommon(int lane) {
            return isUsed(lane)
                    && frequencies[lane] >= plan.classes().get(classOf(lane)).threshold();
        }

        int coin(int lane) {
            int coin = 0;
            for (int[] each : coins) {
                coin ^= each[lane];
            }
            return coin;
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Outcome(int[] common, Selected selected, long gates) {}

    @Test
    void threePartiesWithAnHonestMajorityComputeWhatIsComputedInTheClear() throws Exception {
        for (int i = 0; i < Depth.of(12, 300); i++) {
            compare(Profile.HONEST_MAJORITY, 3);
        }
    }

    @Test
    void twoToNinePartiesOfTheFullThresholdComputeWhatIsComputedInTheClear() throws Exception {
        for (int parties = 2; parties <= 9; parties++) {
            for (int i = 0; i < Depth.of(1, 20); i++) {
                compare(Profile.FULL_THRESHOLD, parties);
            }
        }
    }

    @Test
    void membershipsAsInputsGiveTheSameAsShares() throws Exception {
        for (int parties = 2; parties <= 6; parties++) {
            var ring = Ring.forProviders(parties);
            var plan = LanePlan.of(new int[] {70}, new int[] {Math.max(1, parties - 1)});
            int[][] memberships = new int[parties][plan.lanes()];
            int expected = 0;
            for (int lane = 0; lane < 70; lane++) {
                int sum = 0;
                for (int[] each : memberships) {
                    each[lane] = random.nextInt(2);
                    sum += each[lane];
                }
                expected += sum >= Math.max(1, parties - 1) ? 1 : 0;
            }
            List<int[]> counts = Parties.run(
                    Profile.FULL_THRESHOLD,
                    parties,
                    random,
                    engine -> SecureSelection.joinPure(engine, plan, ring, memberships[engine.party()])
                            .countCommon());
            assertThat(counts).allSatisfy(count -> assertThat(count).hasSize(1));
            assertThat(counts.get(0)[0]).isEqualTo(expected);
        }
    }

    @Test
    void countingTakesAboutThirtyNineGatesAPersonForSixThousandProviders() {
        var ring = Ring.forProviders(6_000);
        var plan = LanePlan.of(new int[] {64 * 1_000}, new int[] {600});
        var engine = new PlainEngine();
        var circuits = new Circuits(engine, plan);
        Wire zero = engine.input(0, new long[plan.words()]);
        List<Wire> number = java.util.Collections.nCopies(ring.bits(), zero);
        Circuits.Compared compared = circuits.addAndCompare(List.of(number, number, number), ring.bits());
        circuits.countPerClass(compared.common());

        assertThat(ring.bits()).isEqualTo(13);
        assertThat(engine.andGates() / 64_000.0).isBetween(36.0, 39.0);
    }

    private void compare(Profile profile, int parties) throws Exception {
        Case given = random(parties);
        int hidden = random.nextInt(2);
        List<Mixing> mixing =
                given.plan.classes().stream().map(each -> mixing()).toList();
        List<Outcome> outcomes = Parties.run(profile, parties, random, engine -> {
            int me = engine.party();
            var selection = SecureSelection.join(engine, given.plan, given.ring, given.shares[me]);
            int[] common = selection.countCommon();
            return new Outcome(common, selection.select(mixing, given.coins[me], hidden), selection.andGates());
        });
        for (Outcome outcome : outcomes) {
            check(given, mixing, hidden, outcome);
        }
    }

    private void check(Case given, List<Mixing> mixing, int hidden, Outcome outcome) {
        int[] common = new int[mixing.size()];
        for (int lane = 0; lane < given.plan.lanes(); lane++) {
            int one = given.classOf(lane);
            boolean isCommon = given.isCommon(lane);
            common[one] += isCommon ? 1 : 0;
            Mixing rule = mixing.get(one);
            int first = given.coin(lane) >>> Mixing.MOST_BITS - rule.bits();
            boolean marked = given.isUsed(lane) && (isCommon || first < rule.limit());
            int shown = marked || !given.isUsed(lane) ? 0 : given.frequencies[lane] >> hidden << hidden;
            assertThat(outcome.selected.marked()[lane])
                    .as("mark of lane %d", lane)
                    .isEqualTo(marked);
            assertThat(outcome.selected.frequencies()[lane]).as("lane %d", lane).isEqualTo(shown);
        }
        assertThat(outcome.common).isEqualTo(common);
    }

    private Mixing mixing() {
        int bits = random.nextInt(9);
        return new Mixing(bits, random.nextInt((1 << bits) + 1), false);
    }

    private Case random(int parties) {
        int providers = 1 + random.nextInt(3_000);
        var ring = Ring.forProviders(providers);
        int classes = 1 + random.nextInt(3);
        int[] members = random.ints(classes, 1, 300).toArray();
        int[] thresholds = random.ints(classes, 1, providers + 2).toArray();
        var plan = LanePlan.of(members, thresholds);
        var given = new Case(
                plan, ring, new int[parties][plan.lanes()], new int[parties][plan.lanes()], new int[plan.lanes()]);
        for (int lane = 0; lane < plan.lanes(); lane++) {
            if (given.isUsed(lane)) {
                fill(given, lane, providers, parties);
            }
        }
        return given;
    }

    private void fill(Case given, int lane, int providers, int parties) {
        int frequency = random.nextInt(4) == 0 ? random.nextInt(2) * providers : random.nextInt(providers + 1);
        given.frequencies[lane] = frequency;
        int rest = frequency;
        for (int party = 0; party < parties; party++) {
            given.coins[party][lane] = random.nextInt(1 << Mixing.MOST_BITS);
            given.shares[party][lane] =
                    party == parties - 1 ? given.ring.reduce(rest) : random.nextInt(given.ring.mask() + 1);
            rest -= given.shares[party][lane];
        }
    }
}
