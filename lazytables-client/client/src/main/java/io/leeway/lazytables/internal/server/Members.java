package io.leeway.lazytables.internal.server;

import java.util.Collection;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The processes that a server knows, by their numbers; and those that it waits for and that have never come. */
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

    int firstMissing() {
        int process = 0;
        while (byProcess.containsKey(process)) {
            process++;
        }
        return process;
    }
}
