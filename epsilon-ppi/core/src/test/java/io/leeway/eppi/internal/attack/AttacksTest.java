package io.leeway.eppi.internal.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.simulate.Simulation;
import io.leeway.eppi.internal.simulate.Simulation.Computed;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The attacks of the threat model against this index, made by all steps of a construction, and against earlier ones. */
class AttacksTest {

    private static final int PROVIDERS = 400;
    private static final int PERSONS = 1_200;
    private static final double EPSILON = 0.75;
    private static final Policy POLICY = new Policy.Exact(0.9);

    private final RandomGenerator random = Seeds.random("attacks");
    private final byte[] secret = new byte[16];
    private final ConstructionPlan plan = Simulation.plan(epsilons(), POLICY, PROVIDERS);
    private final List<BitSet> members = members();
    private final Lists truth = Simulation.lists(members, PERSONS);
    private final int threshold = POLICY.commonFrom(PROVIDERS, EPSILON);

    @Test
    void everyTrueMembershipIsListed() {
        Published published = construct(secret, 1);

        for (int person = 0; person < PERSONS; person++) {
            var missing = (BitSet) truth.of(person).clone();
            missing.andNot(published.lists.of(person));
            assertThat(missing.isEmpty()).isTrue();
        }
    }

    @Test
    void thePrimaryAttackIsAsSureAsTheWishAllowsForNineOfTenPersonsWhoAreNotCommon() {
        Published published = construct(secret, 1);
        int satisfied = 0;
        int counted = 0;
        for (int person = 0; person < PERSONS; person++) {
            if (truth.of(person).cardinality() < threshold) {
                counted++;
                double confidence =
                        Attacks.primary(truth, published.lists, person).confidence();
                satisfied += confidence <= 1 - EPSILON + 1e-9 ? 1 : 0;
            }
        }
        // Five standard errors below 0.9.
        assertThat((double) satisfied / counted).isGreaterThanOrEqualTo(0.855);
    }

    @Test
    void groupingGivesTheSamePersonsWhatHappensToComeOut() {
        Lists grouped = Baselines.grouping(truth, PROVIDERS / 2, random);
        long satisfied = java.util.stream.IntStream.range(0, PERSONS)
                .filter(person -> Attacks.primary(truth, grouped, person).confidence() <= 1 - EPSILON)
                .count();
        assertThat(satisfied).isLessThan(PERSONS / 20);
    }

    @Test
    void commonPersonsHideAmongOthersHereButNotInGroups() {
        int[] thresholds = new int[PERSONS];
        Arrays.fill(thresholds, threshold);
        Published published = construct(secret, 1);
        Lists grouped = Baselines.grouping(truth, PROVIDERS / 8, random);

        Attacks.Result here = Attacks.commonFromLists(truth, published.lists, thresholds);
        assertThat(here.right()).isEqualTo(5);
        // Four standard errors of the coins above the promised 1/4.
        assertThat(here.confidence()).isLessThanOrEqualTo(0.25 + 0.25);
        assertThat(here.claims()).isGreaterThanOrEqualTo(10);
        assertThat(Attacks.commonFromLists(truth, grouped, thresholds).confidence())
                .isEqualTo(1);
        assertThat(Attacks.commonFromFrequencies(truth, thresholds).confidence())
                .isEqualTo(1);
    }

    @Test
    void nobodySeesTheFrequencyOfAMarkedPerson() {
        Published published = construct(secret, 1);
        for (int person = 0; person < PERSONS; person++) {
            int shown = published.computed.outcome().frequency()[person];
            int real = truth.of(person).cardinality();
            assertThat(shown).isIn(real, Outcome.EVERYWHERE);
            if (real >= threshold) {
                assertThat(shown).isEqualTo(Outcome.EVERYWHERE);
            }
        }
    }

    @Test
    void collusionOfATenthOfTheProvidersGainsAboutATenth() {
        Published published = construct(secret, 1);
        var colluders = new BitSet();
        colluders.set(0, PROVIDERS / 10);
        double gain = 0;
        int counted = 0;
        for (int person = 0; person < PERSONS; person++) {
            if (truth.of(person).cardinality() < threshold) {
                gain += Attacks.primaryByColluders(truth, published.lists, person, colluders)
                                .confidence()
                        - Attacks.primary(truth, published.lists, person).confidence();
                counted++;
            }
        }
        assertThat(gain / counted).isBetween(-0.05, 0.05);
    }

    @Test
    void aHundredConstructionsTellNoMoreThanOne() {
        Published first = construct(secret, 1);
        var all = new ArrayList<Lists>();
        for (int run = 2; run < Depth.of(6, 100); run++) {
            all.add(construct(secret, run).lists);
        }
        for (int person = 0; person < PERSONS; person++) {
            assertThat(Attacks.intersection(truth, all, person)).isEqualTo(Attacks.primary(truth, first.lists, person));
        }
    }

    @Test
    void freshNoiseWouldBeAveragedOut() {
        var all = new ArrayList<Lists>();
        for (byte run = 1; run < 6; run++) {
            byte[] other = secret.clone();
            other[0] = run;
            all.add(construct(other, run).lists);
        }
        Attacks.Result result = new Attacks.Result(0, 0);
        for (int person = 0; person < PERSONS; person++) {
            if (truth.of(person).cardinality() < threshold) {
                Attacks.Result one = Attacks.intersection(truth, all, person);
                result = new Attacks.Result(result.claims() + one.claims(), result.right() + one.right());
            }
        }
        assertThat(result.confidence()).isGreaterThan(0.9);
    }

    @Test
    void newRecordsComeWithNewNoise() {
        Published before = construct(secret, 1);
        List<BitSet> more = new ArrayList<>();
        members.forEach(row -> more.add((BitSet) row.clone()));
        // Everybody who is not common gets a record at one provider more.
        for (int person = 10; person < PERSONS; person++) {
            int provider = random.nextInt(PROVIDERS);
            more.get(provider).set(person);
        }
        Lists moreTruth = Simulation.lists(more, PERSONS);
        Published after = construct(more, secret, 2);
        long claims = 0;
        long right = 0;
        for (int person = 10; person < PERSONS; person++) {
            Attacks.Result one = Attacks.difference(moreTruth, before.lists, after.lists, person);
            claims += one.claims();
            right += one.right();
            var lost = (BitSet) before.lists.of(person).clone();
            lost.andNot(after.lists.of(person));
            assertThat(lost.isEmpty()).as("nothing disappears").isTrue();
        }
        // A new record raises the probability, so about as many new entries are false as the wish says.
        assertThat((double) right / claims).isCloseTo(1 - EPSILON, within(0.1));
    }

    private record Published(Computed computed, Lists lists) {}

    private Published construct(byte[] secret, int run) {
        return construct(members, secret, run);
    }

    private Published construct(List<BitSet> members, byte[] secret, int run) {
        var simulation = new Simulation(plan, Profile.HONEST_MAJORITY, 3, secret, 0);
        Computed computed = simulation.compute(members, run);
        return new Published(computed, Simulation.lists(simulation.rows(members, computed.outcome()), PERSONS));
    }

    private static double[] epsilons() {
        double[] epsilons = new double[PERSONS];
        Arrays.fill(epsilons, EPSILON);
        return epsilons;
    }

    /** Five common persons, the others with 1 to 20 holders. */
    private List<BitSet> members() {
        var rows = new ArrayList<BitSet>();
        for (int provider = 0; provider < PROVIDERS; provider++) {
            rows.add(new BitSet(PERSONS));
        }
        for (int person = 0; person < PERSONS; person++) {
            int number = person;
            int holders = person < 5 ? PROVIDERS - person * 10 : 1 + random.nextInt(20);
            random.ints(0, PROVIDERS)
                    .distinct()
                    .limit(holders)
                    .forEach(provider -> rows.get(provider).set(number));
        }
        return rows;
    }
}
