package io.leeway.lazytables.internal.server;

import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The processes that a server knows, by their numbers; and those that it waits for and that have never come. Nobody is
 * ever taken out: who has left still says which clocks it completed, and is refused if it comes back.
 *
 * <p>Ordered by number, so that whatever goes through all of them does so alike on every server and in every run;
 * the first of several slowest ones is the same everywhere.
 */
final class Members {

    private final int processes;
    private final TreeMap<Integer, Member> byProcess = new TreeMap<>();
    private int missing;

    /** For so many processes that are waited for. */
    Members(int processes) {
        this.processes = processes;
        missing = processes;
    }

    void add(Member member) {
        byProcess.put(member.process, member);
        // One that joins beyond the number is waited for from its first word on, but never missed before.
        if (member.process < processes) {
            missing--;
        }
    }

    @Nullable
    Member find(int process) {
        return byProcess.get(process);
    }

    /** All, by their numbers. */
    Collection<Member> values() {
        return byProcess.values();
    }

    /** How many of the processes that are waited for have never come. */
    int missing() {
        return missing;
    }

    /** The first that has never come, to be told to those who wait; there is one if {@link #missing} says so. */
    int firstMissing() {
        int process = 0;
        while (byProcess.containsKey(process)) {
            process++;
        }
        return process;
    }
}
