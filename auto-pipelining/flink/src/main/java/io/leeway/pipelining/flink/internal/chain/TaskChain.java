package io.leeway.pipelining.flink.internal.chain;

import io.leeway.pipelining.internal.profile.ExecutionStack;
import io.leeway.pipelining.internal.profile.Sampler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.jspecify.annotations.Nullable;

/** The chain of operators of one running task, with its ports. */
public final class TaskChain {

    /*
     * A chain is a tree, and each operator but the head has one input. So the part behind a port is run by one thread, and no
     * operator needs a lock.
     *
     * Exclusive sections. Only data runs beside each other. Everything else that Flink does with a chain - mails (timers,
     * notifications, events), checkpoints, the end - runs in an exclusive section: on entering, the ports are drained, those
     * upstream first; inside, what operators emit goes straight through; so it finds every operator exactly where one thread
     * would have left it. That is what exactly-once rests on.
     *
     * Ports come and go in a mail, which is an exclusive section between two records: nothing is in flight, no lock is needed.
     */

    private final String name;
    private final int head;
    private final String headName;
    private final Thread task;
    private final MailboxExecutor mailbox;
    private final List<ChainEdge> edges;
    private final ExecutionStack stack = new ExecutionStack();

    /** Depth of exclusive sections. Written by the task's thread while no port's thread runs; queues hand it over. */
    private int exclusive;

    private boolean profiling;
    private volatile List<ChainEdge> threaded = List.of();
    private volatile boolean ended;
    private volatile long drains;
    private volatile long drainNanos;

    TaskChain(String name, int head, String headName, MailboxExecutor mailbox, List<ChainEdge> edges) {
        this.name = name;
        this.head = head;
        this.headName = headName;
        this.mailbox = mailbox;
        this.edges = List.copyOf(edges);
        this.task = Thread.currentThread();
    }

    // Exclusive sections: the task's thread.

    boolean isExclusive() {
        return exclusive > 0;
    }

    /** Begins one. Throws what a port's thread died of. */
    void enter() throws InterruptedException {
        if (exclusive == 0 && !threaded.isEmpty()) {
            drain();
        }
        exclusive++;
    }

    /** Ends one. */
    void exit() {
        exclusive--;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by the task's thread alone
    private void drain() throws InterruptedException {
        long begin = System.nanoTime();
        stack.waiting(true);
        try {
            for (ChainEdge edge : threaded) {
                ThreadedPort port = edge.port();
                if (port != null) {
                    port.drain();
                }
            }
        } finally {
            stack.waiting(false);
            drains++;
            drainNanos += System.nanoTime() - begin;
        }
    }

    /** Makes exactly these the ports. In an exclusive section. */
    private void place(Set<Integer> ports, int capacity) throws InterruptedException {
        if (ended) {
            return;
        }
        for (ChainEdge edge : edges) {
            if (edge.port() != null && !ports.contains(edge.id())) {
                edge.remove();
            }
        }
        var now = new ArrayList<ChainEdge>();
        // Edges are listed upstream first, so what runs before a port is known when its turn comes.
        for (ChainEdge edge : edges) {
            if (ports.contains(edge.id()) && edge.port() == null) {
                edge.insert(this, capacity, stackBefore(edge));
            }
            if (edge.port() != null) {
                now.add(edge);
            }
        }
        threaded = List.copyOf(now);
        wire();
    }

    /** Switches the profile. In an exclusive section. */
    private void profile(boolean on) {
        if (!ended) {
            profiling = on;
            wire();
        }
    }

    /** Takes all ports out for good: the chain is about to finish. In an exclusive section. */
    void finish() throws InterruptedException {
        place(Set.of(), 2);
        ended = true;
        edges.forEach(ChainEdge::unwire);
    }

    /** Ends all threads, whatever they do, and waits for them: operators are about to be closed. */
    void abandon() {
        ended = true;
        List<ChainEdge> last = threaded;
        threaded = List.of();
        exclusive++;
        for (ChainEdge edge : last) {
            ThreadedPort port = edge.port();
            if (port != null) {
                port.abandon();
            }
        }
        boolean interrupted = false;
        for (ChainEdge edge : last) {
            ThreadedPort port = edge.port();
            while (port != null && port.thread().isAlive()) {
                try {
                    port.thread().join();
                } catch (InterruptedException e) {
                    // The operators' native state is freed next: going on before the thread has left them crashes the
                    // process.
                    interrupted = true;
                    port.abandon();
                }
            }
        }
        edges.forEach(ChainEdge::unwire);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The task is cancelled: wakes threads that sleep in user code. */
    void interrupt() {
        for (ChainEdge edge : threaded) {
            ThreadedPort port = edge.port();
            if (port != null) {
                port.thread().interrupt();
            }
        }
    }

    private void wire() {
        for (ChainEdge edge : edges) {
            edge.wire(stackBefore(edge), profiling);
        }
    }

    private ExecutionStack stackBefore(ChainEdge edge) {
        for (ChainEdge above = edge.parent(); above != null; above = above.parent()) {
            ThreadedPort port = above.port();
            if (port != null) {
                return port.stack();
            }
        }
        return stack;
    }

    // A port's thread.

    /** A port's thread died: fails the task even if it waits for input. */
    void failed(Throwable cause, boolean expected) {
        if (!expected && !ended) {
            try {
                mailbox.execute(
                        () -> {
                            throw new Exception("A thread of a port failed.", cause);
                        },
                        "failure behind a threaded port");
            } catch (RejectedExecutionException e) {
                // The task ends already, with its own reason.
            }
        }
    }

    // Any thread.

    /** A name for people. */
    public String name() {
        return name;
    }

    /** The number of the first operator. */
    public int head() {
        return head;
    }

    /** Its name. */
    public String headName() {
        return headName;
    }

    /** Whether it is over. */
    public boolean isEnded() {
        return ended || !task.isAlive();
    }

    /** One operator behind the head. */
    public record Link(int from, int operator, String name, String refusal, boolean threaded) {}

    /** The operators behind the head, upstream first. */
    public List<Link> links() {
        var links = new ArrayList<Link>();
        for (ChainEdge edge : edges) {
            ChainEdge parent = edge.parent();
            links.add(new Link(
                    parent == null ? head : parent.id(), edge.id(), edge.name(), edge.refusal(), edge.port() != null));
        }
        return links;
    }

    /** Records that each operator behind the head has taken. */
    public Map<Integer, Long> processed() {
        var processed = new TreeMap<Integer, Long>();
        edges.forEach(edge -> processed.put(edge.id(), edge.processed()));
        return processed;
    }

    /** The threads that run it, with their stacks and names. */
    public List<Sampler.Watched> watched() {
        var watched = new ArrayList<Sampler.Watched>();
        watched.add(new Sampler.Watched(stack, task, false));
        for (ChainEdge edge : threaded) {
            ThreadedPort port = edge.port();
            if (port != null) {
                watched.add(new Sampler.Watched(port.stack(), port.thread(), false));
            }
        }
        return watched;
    }

    /** The operators that one of its threads runs, and the one at whose port it begins if it is not the task's. */
    public Set<Integer> runBy(Thread thread) {
        var run = new HashSet<Integer>();
        for (ChainEdge edge : edges) {
            if (runner(edge) == thread) {
                run.add(edge.id());
            }
        }
        return run;
    }

    private Thread runner(ChainEdge edge) {
        for (@Nullable ChainEdge above = edge; above != null; above = above.parent()) {
            ThreadedPort port = above.port();
            if (port != null) {
                return port.thread();
            }
        }
        return task;
    }

    /** Whether that is the task's own thread. */
    boolean isTask(Thread thread) {
        return thread == task;
    }

    /** Elements that wait in its queues. */
    public int waiting() {
        int waiting = 0;
        for (ChainEdge edge : threaded) {
            ThreadedPort port = edge.port();
            waiting += port == null ? 0 : port.waiting();
        }
        return waiting;
    }

    /** How often its ports were drained. */
    public long drains() {
        return drains;
    }

    /** For how many nanoseconds altogether. */
    public long drainNanos() {
        return drainNanos;
    }

    /** Asks for something to be done between two records, in an exclusive section. */
    public void mail(String what, ChainWork work) {
        mailbox.execute(() -> work.on(this), what);
    }

    /** What is done between two records. */
    public interface ChainWork {
        /** Does it. */
        void on(TaskChain chain) throws InterruptedException;
    }

    /** Makes exactly these of its operators the ones with a thread in front of them; only inside {@link ChainWork}. */
    public void placeNow(Set<Integer> ports, int capacity) throws InterruptedException {
        place(ports, capacity);
    }

    /** Switches the profile; only inside {@link ChainWork}. */
    public void profileNow(boolean on) {
        profile(on);
    }
}
