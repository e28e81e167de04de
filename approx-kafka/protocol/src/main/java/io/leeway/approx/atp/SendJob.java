package io.leeway.approx.atp;

import java.util.ArrayList;
import java.util.List;

/** The groups of one job at the sender. */
final class SendJob<M> {

    final int id;
    final long deadline;
    final List<SendGroup<M>> groups = new ArrayList<>();

    SendJob(JobSpec spec) {
        id = spec.id();
        deadline = spec.deadline();
    }

    SendGroup<M> group(int group) {
        for (SendGroup<M> candidate : groups) {
            if (candidate.spec.id() == group) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("job " + id + " has no group " + group);
    }

    boolean satisfied() {
        for (SendGroup<M> group : groups) {
            if (!group.satisfied()) {
                return false;
            }
        }
        return true;
    }

    JobReport report() {
        return new JobReport(id, groups.stream().map(SendGroup::report).toList());
    }

    Control.Close close() {
        return new Control.Close(id, groups.stream().map(SendGroup::totals).toList());
    }
}
