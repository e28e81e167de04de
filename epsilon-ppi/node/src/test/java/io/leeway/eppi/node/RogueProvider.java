package io.leeway.eppi.node;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.Policy;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.construct.ConstructionPlan;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.internal.session.People;
import io.leeway.eppi.internal.share.SecSumShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A provider that does one thing that it must not, with a real certificate of the network. */
final class RogueProvider implements AutoCloseable {

    /** What it does. */
    enum Fault {
        LEAVES_AFTER_START,
        JOINS_ANOTHER_CONSTRUCTION,
        LEAVES_AFTER_JOIN,
        LEAVES_AFTER_COMMITMENT,
        SENDS_NOISE_AS_COMMITMENT,
        COMMITS_TO_DIFFERENT_THINGS,
        SENDS_ANOTHER_SHARE,
        SENDS_A_SHORT_SHARE,
        CLAIMS_EVERYBODY,
        SENDS_WHAT_IS_NO_ROW
    }

    private final Net net;
    private final Fault fault;
    private final Thread thread;
    private final List<Connection> open = new ArrayList<>();

    RogueProvider(Map<String, String> options, Fault fault) {
        this.net = new Net(Settings.of(options), new Meters());
        this.fault = fault;
        this.thread = new Thread(this::run, "rogue");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            act();
        } catch (EppiException expected) {
            // It is found out; what counts is what the others say.
        }
    }

    private void act() {
        Connection lead = opened(net.dial(net.roster().coordinators().get(0)));
        lead.send(Kind.WAIT, new byte[0]);
        Reading start = lead.expect(Kind.START);
        byte[] session = start.bytes();
        if (fault == Fault.LEAVES_AFTER_START) {
            leave();
            return;
        }
        if (fault == Fault.JOINS_ANOTHER_CONSTRUCTION) {
            session[0]++;
        }
        var coordinators = new ArrayList<Connection>();
        for (var member : net.roster().coordinators()) {
            Connection connection = opened(net.dial(member));
            connection.send(Kind.JOIN, new Writing().bytes(session).done());
            coordinators.add(connection);
        }
        if (fault == Fault.LEAVES_AFTER_JOIN) {
            leave();
            return;
        }
        commit(session, coordinators);
    }

    private void commit(byte[] session, List<Connection> coordinators) {
        ConstructionPlan plan = plan(coordinators);
        int[] vector = new int[plan.lanes().lanes()];
        if (fault == Fault.CLAIMS_EVERYBODY) {
            Arrays.fill(vector, 1);
        }
        byte[][] seeds = {new byte[16], new byte[16]};
        byte[] last = SecSumShare.encode(SecSumShare.lastShare(vector, plan.ring(), seeds), plan.ring());
        byte[][] shares = {seeds[0], seeds[1], fault == Fault.SENDS_A_SHORT_SHARE ? Arrays.copyOf(last, 1) : last};
        for (Connection each : coordinators) {
            var out = new Writing();
            for (int k = 0; k < shares.length; k++) {
                out.bytes(Digests.of(
                        "eppi-share", session, Digests.number(net.self().number()), Digests.number(k), shares[k]));
            }
            byte[] message = out.done();
            if (fault == Fault.SENDS_NOISE_AS_COMMITMENT) {
                message = new byte[] {1, 2, 3};
            } else if (fault == Fault.COMMITS_TO_DIFFERENT_THINGS) {
                message[message.length - 1] += (byte) each.peer().number();
            }
            each.send(Kind.COMMITMENT, message);
        }
        if (fault == Fault.LEAVES_AFTER_COMMITMENT) {
            leave();
            return;
        }
        coordinators.forEach(each -> each.expect(Kind.COMMITTED));
        for (int k = 0; k < shares.length; k++) {
            byte[] share = shares[k].clone();
            share[0] += (byte) (fault == Fault.SENDS_ANOTHER_SHARE && k == 0 ? 1 : 0);
            coordinators.get(k).send(Kind.SHARE, new Writing().bytes(share).done());
        }
        coordinators.forEach(each -> each.expect(Kind.RESULT));
        Connection index = opened(net.dial(net.roster().index()));
        index.send(
                Kind.ROW,
                new Writing()
                        .bytes(session)
                        .bytes(new byte[] {9})
                        .bytes(new byte[64])
                        .done());
        index.expect(Kind.COMPLETE);
    }

    private ConstructionPlan plan(List<Connection> coordinators) {
        Reading in = coordinators.get(0).expect(Kind.PERSONS);
        in.longNumber();
        Policy policy = Policy.parse(in.text());
        in.bytes();
        in.bytes();
        Persons persons = People.read(new Reading("lead", in.bytes()));
        coordinators.stream().skip(1).forEach(each -> each.expect(Kind.PERSONS));
        return ConstructionPlan.of(persons, policy, net.roster().providers().size());
    }

    private synchronized Connection opened(Connection connection) {
        open.add(connection);
        return connection;
    }

    private synchronized void leave() {
        open.forEach(Connection::close);
    }

    @Override
    public String toString() {
        return fault.toString();
    }

    @Override
    public void close() {
        leave();
        thread.interrupt();
    }
}
