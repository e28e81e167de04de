package io.leeway.eppi.internal.session;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.mpc.Link;
import io.leeway.eppi.internal.mpc.Links;
import io.leeway.eppi.internal.mpc.SecureSelection;
import io.leeway.eppi.internal.net.ComputeLink;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.internal.policy.Mixing;
import io.leeway.eppi.internal.publish.Noise;
import io.leeway.eppi.internal.share.AesStream;
import io.leeway.eppi.internal.share.SecSumShare;
import io.leeway.eppi.node.EppiMetrics;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjDoubleConsumer;

/**
 * One attempt of a construction at one coordinator.
 *
 * <p>Steps: providers join and get the persons; they commit to their shares; when all have, at all coordinators alike, they
 * send them; the shares of decoys are shown and have to be those of zeros; the secure computation; its result to all.
 * Until that result nothing leaves a coordinator but commitments, shares of decoys, and what the computation sends, which
 * is uniform: to stop at any step reveals nothing.
 *
 * <p>Runs in one thread; connections are handed in by others.
 */
final class Session implements AutoCloseable {

    /** In a result: this person was a decoy. */
    static final int DECOY = -3;

    private static final int STEPS = 6;

    private final Net net;
    private final Parameters parameters;
    private final byte[] id;
    private final byte[] coinKey;
    private final Map<Token, Double> decoys;
    private final Persons persons;
    private final ConstructionPlan plan;
    private final ObjDoubleConsumer<String> progress;
    private final BlockingQueue<Connection> joining = new LinkedBlockingQueue<>();
    private final BlockingQueue<Connection> linking = new LinkedBlockingQueue<>();
    private final Connection[] providers;
    private final ComputeLink[] links;

    Session(
            Net net,
            Parameters parameters,
            byte[] id,
            byte[] coinKey,
            Persons real,
            Map<Token, Double> decoys,
            ObjDoubleConsumer<String> progress) {
        this.net = net;
        this.parameters = parameters;
        this.id = id;
        this.coinKey = coinKey;
        this.decoys = Map.copyOf(decoys);
        this.persons = People.merged(real, decoys);
        this.progress = progress;
        providers = new Connection[net.roster().providers().size()];
        links = new ComputeLink[net.roster().coordinators().size()];
        plan = ConstructionPlan.of(persons, parameters.parsedPolicy(), providers.length);
    }

    boolean isCalled(byte[] session) {
        return MessageDigest.isEqual(id, session);
    }

    /** The number of a person among all, decoys too. */
    int number(Token token) {
        return persons.find(token);
    }

    void join(Connection provider) {
        joining.add(provider);
    }

    void link(Connection coordinator) {
        linking.add(coordinator);
    }

    /** Runs all steps but the last; what is known of all persons, decoys too. */
    int[] compute() {
        step("coordinators connect", 0);
        connectCoordinators();
        step("providers join", 1);
        awaitProviders();
        step("providers commit to their shares", 2);
        byte[][][] commitments = commitments();
        step("providers send their shares", 3);
        int[] sum = shares(commitments);
        step("coordinators compute", 4);
        return select(sum);
    }

    private void step(String what, int number) {
        progress.accept(what, (double) number / STEPS);
    }

    private int me() {
        return net.self().number();
    }

    private void connectCoordinators() {
        for (Member other : net.roster().coordinators()) {
            if (other.number() < me()) {
                Connection connection = net.dial(other);
                connection.send(Kind.LINK, id);
                links[other.number()] = new ComputeLink(connection, net.timeout());
            }
        }
        for (int missing = links.length - 1 - me(); missing > 0; missing--) {
            Connection connection = await(linking);
            if (connection == null) {
                throw EppiException.of(
                        Code.COORDINATORS,
                        "no connection from " + missingNames(links, net.roster().coordinators()));
            }
            int number = connection.peer().number();
            if (number <= me() || links[number] != null) {
                throw EppiException.of(
                        Code.REPLAYED, connection.peer() + " connected twice, or is waited for elsewhere");
            }
            links[number] = new ComputeLink(connection, net.timeout());
        }
    }

    private void awaitProviders() {
        for (int i = 0; i < providers.length; i++) {
            Connection connection = await(joining);
            if (connection == null) {
                throw EppiException.of(
                        Code.PROVIDERS,
                        "these did not join: "
                                + missingNames(providers, net.roster().providers()));
            }
            int number = connection.peer().number();
            if (providers[number] != null) {
                throw EppiException.of(Code.REPLAYED, connection.peer() + " joined twice");
            }
            connection.limitWaits(net.timeout());
            providers[number] = connection;
        }
        byte[] written = People.written(persons);
        byte[] message = new Writing()
                .longNumber(parameters.epoch())
                .text(parameters.policy())
                .bytes(parameters.register())
                .bytes(People.digest(written))
                .bytes(me() == 0 ? written : new byte[0])
                .done();
        for (Connection provider : providers) {
            provider.send(Kind.PERSONS, message);
        }
    }

    private static <T extends @org.jspecify.annotations.Nullable Object> String missingNames(
            T[] connected, List<Member> members) {
        return String.join(
                ", ",
                members.stream()
                        .filter(each -> connected[each.number()] == null)
                        .map(Member::name)
                        .toList());
    }

    private @org.jspecify.annotations.Nullable Connection await(BlockingQueue<Connection> queue) {
        try {
            return queue.poll(net.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    /** Of every provider the digests of all its shares; the same at all coordinators, or it is the end. */
    private byte[][][] commitments() {
        var all = new byte[providers.length][links.length][];
        MessageDigest together = Digests.begin("eppi-commitments");
        for (Connection provider : providers) {
            Reading in = provider.expect(Kind.COMMITMENT);
            for (int k = 0; k < links.length; k++) {
                byte[] digest = in.bytes(Digests.BYTES);
                all[provider.peer().number()][k] = digest;
                together.update(digest);
            }
            in.end();
        }
        byte[] mine = together.digest();
        for (ComputeLink link : links) {
            if (link != null) {
                link.send(mine);
            }
        }
        for (int other = 0; other < links.length; other++) {
            if (links[other] != null && !MessageDigest.isEqual(mine, links[other].receive())) {
                throw EppiException.of(
                        Code.DISAGREEMENT,
                        "a provider committed to other shares at " + net.self() + " than at coordinator " + other);
            }
        }
        for (Connection provider : providers) {
            provider.send(Kind.COMMITTED, new byte[0]);
        }
        return all;
    }

    /** What a provider commits to. */
    static byte[] commitment(byte[] session, int provider, int coordinator, byte[] share) {
        return Digests.of("eppi-share", session, Digests.number(provider), Digests.number(coordinator), share);
    }

    private int[] shares(byte[][][] commitments) {
        int lanes = plan.lanes().lanes();
        int[] sum = new int[lanes];
        int[] decoyLanes = decoyLanes();
        int[] ofDecoys = new int[providers.length * decoyLanes.length];
        for (Connection provider : providers) {
            int number = provider.peer().number();
            byte[] message = provider.expect(Kind.SHARE).bytes();
            if (!Arrays.equals(commitment(id, number, me(), message), commitments[number][me()])) {
                throw EppiException.of(
                        Code.COMMITMENT,
                        "the share of " + provider.peer()
                                + " is not the one that it committed to in this construction");
            }
            int[] share = share(provider.peer(), message, lanes);
            SecSumShare.add(sum, plan.ring(), share);
            for (int d = 0; d < decoyLanes.length; d++) {
                ofDecoys[number * decoyLanes.length + d] = share[decoyLanes[d]];
            }
        }
        audit(ofDecoys, decoyLanes.length);
        return sum;
    }

    private int[] share(Member provider, byte[] message, int lanes) {
        try {
            if (me() < links.length - 1) {
                if (message.length != AesStream.SEED_BYTES) {
                    throw new IllegalArgumentException("a seed of " + message.length + " bytes");
                }
                return SecSumShare.vector(message, plan.ring(), lanes);
            }
            return SecSumShare.decode(message, lanes, plan.ring());
        } catch (IllegalArgumentException e) {
            throw EppiException.of(Code.MALFORMED, "the share of " + provider + " is " + e.getMessage(), e);
        }
    }

    private int[] decoyLanes() {
        return decoys.keySet().stream()
                .sorted()
                .mapToInt(token -> plan.lane(persons.find(token)))
                .toArray();
    }

    /** Shows the shares of decoys, of which every provider has to have none. */
    private void audit(int[] mine, int decoysEach) {
        byte[] message = new Writing().numbers(mine).done();
        for (ComputeLink link : links) {
            if (link != null) {
                link.send(message);
            }
        }
        int[] total = mine.clone();
        for (int other = 0; other < links.length; other++) {
            if (links[other] != null) {
                int[] theirs = new Reading("coordinator " + other, links[other].receive()).numbers();
                if (theirs.length != total.length) {
                    throw EppiException.of(Code.MALFORMED, "coordinator " + other + " shows other decoys");
                }
                SecSumShare.add(total, plan.ring(), theirs);
            }
        }
        for (int i = 0; i < total.length; i++) {
            if (total[i] != 0) {
                throw EppiException.of(
                        Code.AUDIT,
                        providers[i / decoysEach].peer() + " counts " + total[i] + " for a person that does not exist");
            }
        }
    }

    private int[] select(int[] sum) {
        var others = new Link[links.length];
        System.arraycopy(links, 0, others, 0, links.length);
        byte[] seed = Secrets.random(AesStream.SEED_BYTES);
        var counted = new Links(me(), others);
        var selection = SecureSelection.join(parameters.parsedProfile(), counted, seed, plan.lanes(), plan.ring(), sum);
        List<Mixing> mixing = plan.mixing(selection.countCommon());
        int[] coins = new Noise(coinKey).numbers(persons.encoded(), Mixing.MOST_BITS);
        var selected = selection.select(mixing, plan.lanesOf(coins), parameters.hiddenBits());
        net.meters().add(EppiMetrics.GATES, (double) selection.andGates());
        net.meters().add(EppiMetrics.ROUNDS, (double) selection.rounds());
        Outcome outcome = plan.outcome(selected, parameters.hiddenBits());
        int[] frequency = outcome.frequency().clone();
        decoys.keySet().forEach(token -> frequency[persons.find(token)] = DECOY);
        return frequency;
    }

    /** Tells the providers what is known of all persons. */
    void tell(int[] frequency) {
        step("providers publish", 5);
        byte[] written = new Writing().numbers(frequency).done();
        byte[] message = new Writing()
                .bytes(Digests.of("eppi-result", written))
                .bytes(me() == 0 ? written : new byte[0])
                .done();
        for (Connection provider : providers) {
            provider.send(Kind.RESULT, message);
        }
    }

    /** Tells everybody who takes part why it is the end. */
    void refuse(EppiException reason) {
        var told = new ArrayList<Connection>(joining);
        for (Connection provider : providers) {
            if (provider != null) {
                told.add(provider);
            }
        }
        told.forEach(each -> each.refuse(reason));
    }

    @Override
    public void close() {
        for (Connection provider : providers) {
            if (provider != null) {
                provider.close();
            }
        }
        for (ComputeLink link : links) {
            if (link != null) {
                link.close();
            }
        }
        joining.forEach(Connection::close);
        linking.forEach(Connection::close);
    }
}
