package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Policy;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.index.IndexBuilder;
import io.leeway.eppi.internal.index.IndexHeader;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.internal.publish.Noise;
import io.leeway.eppi.internal.session.People;
import io.leeway.eppi.internal.session.Progress;
import io.leeway.eppi.internal.session.Secrets;
import io.leeway.eppi.internal.share.AesStream;
import io.leeway.eppi.internal.share.SecSumShare;
import io.leeway.eppi.node.EppiMetrics;
import io.leeway.eppi.node.EppiOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A provider's part in one attempt of a construction. What all coordinators have to say alike is compared: one that says
 * something else to this provider ends it.
 */
final class Participation {

    private static final Logger LOG = System.getLogger(Participation.class.getName());
    private static final int DECOY = -3;

    private final Net net;
    private final Settings settings;
    private final ProviderState state;
    private final Progress progress;
    private final byte[] session;
    private final long epoch;
    private final Membership membership;
    private final List<Connection> coordinators = new ArrayList<>();

    Participation(
            Net net,
            Settings settings,
            ProviderState state,
            Progress progress,
            byte[] session,
            long epoch,
            Membership membership) {
        this.net = net;
        this.settings = settings;
        this.state = state;
        this.progress = progress;
        this.session = session;
        this.epoch = epoch;
        this.membership = membership;
    }

    /** What was told of the construction. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Told(Policy policy, byte[] register, Persons persons) {}

    void run() {
        Noise noise = new Noise(state.noiseKey(epoch, settings.get(EppiOptions.STATE_FRESH)));
        try {
            progress.running(epoch, 1, "joins", 0.2);
            for (Member member : net.roster().coordinators()) {
                Connection connection = net.dialOnce(member);
                coordinators.add(connection);
                connection.limitWaits(net.timeout().multipliedBy(2));
                connection.send(Kind.JOIN, new Writing().bytes(session).done());
            }
            Told told = told();
            lookForPersons(told.persons);
            var plan = ConstructionPlan.of(
                    told.persons, told.policy, net.roster().providers().size());
            progress.running(epoch, 1, "shares memberships", 0.4);
            BitSet members = membership.among(told.persons);
            share(plan, members);
            Outcome outcome = outcome(told.persons);
            progress.running(epoch, 1, "publishes", 0.8);
            publish(noise, told, plan, members, outcome);
        } catch (EppiException e) {
            coordinators.forEach(each -> each.refuse(e));
            throw e;
        } finally {
            coordinators.forEach(Connection::close);
        }
    }

    /** Another secret than that of the registrar makes other pseudonyms, and then nobody would be found here. */
    private void lookForPersons(Persons persons) {
        long missing = membership.missing(persons);
        net.meters().set(EppiMetrics.NOT_ENROLLED, (double) missing);
        if (missing > 0 && missing == membership.now().size()) {
            LOG.log(
                    Level.WARNING,
                    "{0}: none of {1} persons with records is in the register; is {2} the file that the registrar has?",
                    net.self(),
                    missing,
                    EppiOptions.NETWORK_KEY);
        }
    }

    private Told told() {
        byte[] common = new byte[0];
        byte[] written = new byte[0];
        String policy = "";
        byte[] register = new byte[0];
        for (Connection coordinator : coordinators) {
            Reading in = coordinator.expect(Kind.PERSONS);
            long said = in.longNumber();
            policy = in.text();
            register = in.bytes(Digests.BYTES);
            byte[] digest = in.bytes(Digests.BYTES);
            byte[] persons = in.bytes();
            in.end();
            byte[] all = Digests.of(
                    "eppi-told",
                    Digests.number(said),
                    policy.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                    register,
                    digest);
            if (coordinator.peer().number() == 0) {
                common = all;
                written = persons;
                agree(said == epoch && Arrays.equals(People.digest(persons), digest), coordinator);
            }
            agree(Arrays.equals(all, common), coordinator);
        }
        Persons persons = People.read(new Reading(coordinators.get(0).peer().name(), written));
        return new Told(Provider.policy(policy, coordinators.get(0).peer().name()), register, persons);
    }

    private static void agree(boolean isSame, Connection coordinator) {
        if (!isSame) {
            throw EppiException.of(
                    Code.DISAGREEMENT, coordinator.peer() + " says something else than the first coordinator");
        }
    }

    /** Commits to shares, and sends them when everybody has committed. */
    private void share(ConstructionPlan plan, BitSet members) {
        int[] vector = plan.vector(members);
        byte[][] messages = new byte[coordinators.size()][];
        byte[][] seeds = new byte[coordinators.size() - 1][];
        for (int k = 0; k < seeds.length; k++) {
            seeds[k] = Secrets.random(AesStream.SEED_BYTES);
            messages[k] = seeds[k];
        }
        messages[seeds.length] = SecSumShare.encode(SecSumShare.lastShare(vector, plan.ring(), seeds), plan.ring());
        var commitments = new Writing();
        for (int k = 0; k < messages.length; k++) {
            commitments.bytes(Digests.of(
                    "eppi-share", session, Digests.number(net.self().number()), Digests.number(k), messages[k]));
        }
        byte[] written = commitments.done();
        coordinators.forEach(each -> each.send(Kind.COMMITMENT, written));
        coordinators.forEach(each -> each.expect(Kind.COMMITTED));
        for (int k = 0; k < messages.length; k++) {
            coordinators
                    .get(k)
                    .send(Kind.SHARE, new Writing().bytes(messages[k]).done());
        }
    }

    private Outcome outcome(Persons persons) {
        byte[] common = new byte[0];
        byte[] written = new byte[0];
        for (Connection coordinator : coordinators) {
            Reading in = coordinator.expect(Kind.RESULT);
            byte[] digest = in.bytes(Digests.BYTES);
            byte[] result = in.bytes();
            if (coordinator.peer().number() == 0) {
                common = digest;
                written = result;
                agree(Arrays.equals(Digests.of("eppi-result", result), digest), coordinator);
            }
            agree(Arrays.equals(digest, common), coordinator);
        }
        var in = new Reading(coordinators.get(0).peer().name(), written);
        int[] frequency = in.numbers();
        int providers = net.roster().providers().size();
        for (int each : frequency) {
            if (each < DECOY || each > providers) {
                throw in.malformed("has a frequency of " + each);
            }
        }
        if (frequency.length != persons.size()) {
            throw in.malformed("is about " + frequency.length + " persons instead of " + persons.size());
        }
        return new Outcome(frequency);
    }

    /** The row of those who exist, with all that was listed before; kept first, then signed and sent. */
    private void publish(Noise noise, Told told, ConstructionPlan plan, BitSet members, Outcome outcome) {
        Map<Token, Double> classes = new HashMap<>();
        int[] frequency = outcome.frequency();
        for (int i = 0; i < frequency.length; i++) {
            if (frequency[i] != DECOY) {
                classes.put(told.persons.token(i), told.persons.epsilon(i));
            }
        }
        Persons real = Persons.ofClasses(classes);
        double[] all = probabilities(plan, outcome);
        double[] probabilities = new double[real.size()];
        var realMembers = new BitSet(real.size());
        for (int i = 0; i < probabilities.length; i++) {
            int number = told.persons.find(real.token(i));
            probabilities[i] = all[number];
            realMembers.set(i, members.get(number));
        }
        BitSet row = noise.row(real.encoded(), Noise.limits(probabilities), realMembers);
        Set<Token> listed = new TreeSet<>(state.listed());
        for (int i = 0; i < real.size(); i++) {
            if (listed.contains(real.token(i))) {
                row.set(i);
            }
        }
        row.stream().forEach(person -> listed.add(real.token(person)));
        state.counted(membership.counted());
        state.listed(listed);
        send(row, real.size(), told);
    }

    /** Those of decoys are never looked at. */
    private static double[] probabilities(ConstructionPlan plan, Outcome outcome) {
        int[] frequency = outcome.frequency().clone();
        for (int i = 0; i < frequency.length; i++) {
            frequency[i] = frequency[i] == DECOY ? Outcome.EXACT : frequency[i];
        }
        return new Outcome(frequency).probabilities(plan);
    }

    private void send(BitSet row, int persons, Told told) {
        List<String> names = net.roster().providers().stream().map(Member::name).toList();
        var header = new IndexHeader(net.roster().network(), epoch, session, told.register, told.policy.text(), names);
        byte[] statement = header.rowStatement(net.self().number(), IndexBuilder.rowDigest(row, persons));
        try (Connection index = net.dial(net.roster().index())) {
            index.send(
                    Kind.ROW,
                    new Writing()
                            .bytes(session)
                            .bytes(IndexBuilder.encode(row))
                            .bytes(Digests.sign(net.key().key(), statement))
                            .done());
            index.expect(Kind.COMPLETE);
        }
    }
}
