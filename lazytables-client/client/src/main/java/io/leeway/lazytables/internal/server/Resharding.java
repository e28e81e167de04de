package io.leeway.lazytables.internal.server;

import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Spreads what the servers of a run hold over another number of servers, by their snapshots.
 *
 * <p>Servers take snapshots each for itself. Put together they are one state of the run if, for each process, all hold
 * the same clocks of it and nothing of a later one; then every update of those clocks is there once. Processes may
 * differ in their clocks. Where servers do not agree on a process, some have updates that others lack, and nothing is
 * spread.
 */
public final class Resharding {

    /*
     * The paper (James Cipar, "Trading Freshness for Performance in Distributed Systems", 2014, section 4.4.3) takes
     * snapshots at the same clock on all servers, which makes them one state but has the servers' updates put off. Here
     * servers take theirs when they like, so it is looked whether what they hold of each process is the same. That is
     * so after all have ended, or stand still for long enough; if not, the remedy that the error names brings it about.
     *
     * Nothing is written before all is checked: the snapshots that go out are made when the last table was moved, and
     * those that were read stay as they are.
     */

    private final int servers;
    private final CombineOps ops;
    /** In the order of their places. */
    private final List<ServerCore> before = new ArrayList<>();

    private Resharding(int servers, CombineOps ops) {
        this.servers = servers;
        this.ops = ops;
    }

    /**
     * The snapshots with which so many servers go on, in the order of their places.
     *
     * @param snapshots of all servers of the run, in any order
     * @throws WireException if they are not of all servers of one run, or not of one state of it
     */
    public static List<byte[]> spread(List<byte[]> snapshots, int servers, CombineOps ops) {
        if (servers < 1 || servers > Protocol.MAX_SERVERS) {
            throw new WireException("There may be 1 to " + Protocol.MAX_SERVERS + " servers, not " + servers);
        }
        var resharding = new Resharding(servers, ops);
        resharding.read(snapshots);
        return resharding.spread();
    }

    private void read(List<byte[]> snapshots) {
        var byPlace = new ServerCore[snapshots.size()];
        for (int i = 0; i < snapshots.size(); i++) {
            ServerCore core = ServerCore.restore(snapshots.get(i), ops);
            // By what the snapshot says, not by the order in which directories were named: rows would go on where
            // nobody looks for them.
            int place = core.admission.place();
            if (place < 0) {
                throw new WireException("One is of a server that no process has reached yet");
            }
            if (core.admission.servers() != snapshots.size()) {
                throw new WireException("One is of a run of " + core.admission.servers() + " servers, and there are "
                        + snapshots.size() + " of them: name the directories of all servers");
            }
            if (place >= byPlace.length) {
                throw new WireException(
                        "The one in directory " + (i + 1) + " says that it is of server " + place
                                + ", and there are servers 0 to " + (byPlace.length - 1)
                                + ": no server stored it so; take it out of the directory, where the one before it is used then");
            }
            if (byPlace[place] != null) {
                throw new WireException("Two are of server " + place + ": name the directory of each server once");
            }
            byPlace[place] = core;
        }
        before.addAll(List.of(byPlace));
        int processes = before.get(0).processes();
        if (before.stream().anyMatch(core -> core.processes() != processes)) {
            throw new WireException("They are of runs with different numbers of processes");
        }
    }

    private List<byte[]> spread() {
        List<Member> members = members();
        long run = run();
        // The latest that one of them has reached: others may not have heard yet that a clock is complete. All clocks
        // up to it are there on all of them, since they agree on each process.
        int globalClock =
                before.stream().mapToInt(ServerCore::globalClock).max().orElseThrow();
        List<ServerCore> after = IntStream.range(0, servers)
                .mapToObj(place -> {
                    ServerCore core = ServerCore.at(globalClock, before.get(0).processes(), ops);
                    core.admission.takePlace(place, servers);
                    core.admission.takeRun(run);
                    // The same objects for all of them: they are written next, and nothing changes them any more.
                    members.forEach(core.members::add);
                    return core;
                })
                .toList();
        before.forEach(core -> core.tables.values().forEach(table -> move(table, after)));
        // A server may have heard later than others that a clock is complete.
        after.forEach(core -> core.tables.values().forEach(table -> table.clockReached(globalClock)));
        return after.stream().map(ServerCore::snapshot).toList();
    }

    /** What tells the run from others; a server that no process 0 had reached does not know it. */
    private long run() {
        long run = 0;
        for (ServerCore core : before) {
            long said = core.admission.run();
            if (run != 0 && said != 0 && said != run) {
                throw new WireException("They are of different runs: name the directories of all servers of one");
            }
            run = said == 0 ? run : said;
        }
        return run;
    }

    private static void move(ServerTable table, List<ServerCore> after) {
        table.moveTo(after.stream()
                .map(core -> {
                    ServerTable target = core.tables.computeIfAbsent(
                            table.name, name -> new ServerTable(name, table.spec, core.memory));
                    if (!target.spec.equals(table.spec)) {
                        throw new WireException("Table " + table.name + " is not defined alike on all servers");
                    }
                    return target;
                })
                .toList());
    }

    /** What all servers know of each process. */
    private List<Member> members() {
        var numbers = new TreeSet<Integer>();
        before.forEach(core -> core.members.values().forEach(member -> numbers.add(member.process)));
        return numbers.stream().map(this::member).toList();
    }

    private Member member(int process) {
        var known = new ArrayList<Member>();
        for (ServerCore core : before) {
            Member member = core.members.find(process);
            // Each server took its snapshot at a moment of its own: one may hold a clock that another does not.
            if (member == null || !member.agrees(known.isEmpty() ? member : known.get(0))) {
                throw new WireException("Servers 0 and " + core.admission.place()
                        + " do not hold the same of process " + process
                        + ". Start the servers as they were, let all processes resume and end, end the servers with"
                        + " SIGTERM, and try again");
            }
            known.add(member);
        }
        return Member.merged(known);
    }
}
