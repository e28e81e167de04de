package io.leeway.autotune.lab.internal.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as a tree of spans, mended where tracers fail: a span whose parent is missing hangs below the smallest span
 * that encloses it, else below the root; a cycle is cut where it closes; the clock of a host that runs ahead or behind
 * is moved so that a call lies within its caller.
 */
public final class Trace {

    /** A span in the tree. */
    public static final class Node {

        private final Span span;
        private final List<Node> children = new ArrayList<>();
        private @Nullable Node parent;
        private Node top = this;
        private long start;
        private long end;
        private long moved;
        private int place;

        Node(Span span) {
            this.span = span;
            this.start = span.startMicros();
            this.end = span.endMicros();
        }

        private void below(Node caller) {
            parent = caller;
            top = caller;
            caller.children.add(this);
        }

        /** The topmost caller so far; the way there is shortened for the next who asks. */
        private Node top() {
            Node node = this;
            while (node.top != node) {
                node.top = node.top.top;
                node = node.top;
            }
            return node;
        }

        /** As it was reported. */
        public Span span() {
            return span;
        }

        /** Whose work it is. */
        public String service() {
            return span.service();
        }

        /** Its place among the trace's nodes. */
        public int place() {
            return place;
        }

        /** What it called. */
        public List<Node> children() {
            return children;
        }

        /** Who called it; null for the root. */
        public @Nullable Node parent() {
            return parent;
        }

        /** Microseconds after the root's start, mended. */
        public long start() {
            return start;
        }

        /** Microseconds after the root's start, mended. */
        public long end() {
            return end;
        }

        /** How long it took. */
        public long micros() {
            return end - start;
        }

        /** How long it took less the time in which a call that it waited for was going on. */
        public long selfMicros() {
            List<Node> waited = children.stream()
                    .filter(child -> !child.span.isAsync())
                    .sorted(Comparator.comparingLong(Node::start))
                    .toList();
            long covered = 0;
            long until = start;
            for (Node child : waited) {
                long from = Math.max(until, child.start);
                long to = Math.min(end, child.end);
                covered += Math.max(0, to - from);
                until = Math.max(until, to);
            }
            return micros() - covered;
        }
    }

    /** Of so many spans the caller is looked for where it is missing. */
    private static final int MOST_ADOPTED = 1_000;

    private final Node root;
    private final List<Node> nodes;
    private final List<String> mended;

    private Trace(Node root, List<Node> nodes, List<String> mended) {
        this.root = root;
        this.nodes = nodes;
        this.mended = mended;
    }

    /** The trace of these spans of one request; empty if there are none. */
    public static Optional<Trace> of(List<Span> spans) {
        var byId = new HashMap<String, Node>();
        var nodes = new ArrayList<Node>();
        var mended = new ArrayList<String>();
        for (Span span : spans) {
            add(new Node(span), byId, nodes, mended);
        }
        if (nodes.isEmpty()) {
            return Optional.empty();
        }
        link(byId, nodes, mended);
        Node root = root(nodes);
        adopt(root, nodes, mended);
        long zero = root.start;
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            node.place = i;
            node.start -= zero;
            node.end -= zero;
        }
        align(root, mended);
        return Optional.of(new Trace(root, List.copyOf(nodes), List.copyOf(mended)));
    }

    /**
     * Zipkin's two sides of a call may have one id: the longer side is the caller's, the other its only call, and who
     * names the id as its parent was called by that one.
     */
    private static void add(Node node, Map<String, Node> byId, List<Node> nodes, List<String> mended) {
        Node known = byId.putIfAbsent(node.span.id(), node);
        if (known != null && (known.parent != null || known.service().equals(node.service()))) {
            mended.add("span " + node.span.id() + " comes twice");
            return;
        }
        nodes.add(node);
        if (known != null) {
            Node caller = node.micros() > known.micros() ? node : known;
            Node called = caller == node ? known : node;
            called.below(caller);
            byId.put(node.span.id(), called);
        }
    }

    private static void link(Map<String, Node> byId, List<Node> nodes, List<String> mended) {
        for (Node node : nodes) {
            Node parent = node.span.parent() == null || node.parent != null ? null : byId.get(node.span.parent());
            if (parent != null && parent.top() == node) {
                mended.add("a cycle was cut at " + node.span.id());
            } else if (parent != null) {
                node.below(parent);
            }
        }
    }

    /** A span that never had a parent, if there is one; of several, the longest. */
    private static Node root(List<Node> nodes) {
        return nodes.stream()
                .filter(node -> node.parent == null)
                .max(Comparator.comparing((Node node) -> node.span.parent() == null)
                        .thenComparing(Node::micros))
                .orElseThrow();
    }

    private static void adopt(Node root, List<Node> nodes, List<String> mended) {
        int adopted = 0;
        for (Node orphan : nodes) {
            if (orphan.parent != null || orphan == root) {
                continue;
            }
            // Who looks through all spans for each of very many would look for minutes.
            boolean isLookedFor = adopted++ < MOST_ADOPTED;
            Node parent = !isLookedFor
                    ? root
                    : nodes.stream()
                            .filter(node -> node != orphan
                                    && node.start <= orphan.start
                                    && node.end >= orphan.end
                                    && node.top() != orphan)
                            .min(Comparator.comparingLong(Node::micros))
                            .orElse(root);
            orphan.below(parent);
            if (isLookedFor) {
                mended.add("the caller of " + orphan.span.id() + " is missing");
            }
        }
        if (adopted > MOST_ADOPTED) {
            mended.add("the callers of " + (adopted - MOST_ADOPTED) + " more are missing, which hang below the root");
        }
    }

    /** From the root down: a call that fits into its caller but lies outside of it was clocked by another clock. */
    private static void align(Node root, List<String> mended) {
        var open = new ArrayDeque<Node>();
        open.add(root);
        while (!open.isEmpty()) {
            Node node = open.remove();
            for (Node child : node.children) {
                move(child, node.moved);
                boolean isOutside = child.start < node.start || child.end > node.end;
                if (isOutside && !child.span.isAsync() && !child.service().equals(node.service())) {
                    long room = node.micros() - child.micros();
                    long shift = room >= 0
                            ? node.start + room / 2 - child.start
                            : child.start < node.start ? node.start - child.start : 0;
                    if (shift != 0) {
                        move(child, shift);
                        mended.add("the clock of " + child.service() + " was moved by " + shift + " µs");
                    }
                }
                open.add(child);
            }
        }
    }

    /** Who moves takes all below along, once the way down comes there. */
    private static void move(Node node, long shift) {
        node.start += shift;
        node.end += shift;
        node.moved += shift;
    }

    /** Where the request came in. */
    public Node root() {
        return root;
    }

    /** All spans. */
    public List<Node> nodes() {
        return nodes;
    }

    /** The kind of request: the root's service and operation. */
    public String type() {
        return root.service() + " " + root.span.operation();
    }

    /** How long the request took. */
    public long micros() {
        return root.micros();
    }

    /** What had to be mended, for people. */
    public List<String> mended() {
        return mended;
    }

    /** Whether every span was reached from the root; tests rely on it. */
    boolean isTree() {
        var seen = new HashSet<Node>();
        var open = new ArrayDeque<Node>();
        open.add(root);
        while (!open.isEmpty()) {
            Node node = open.remove();
            if (!seen.add(node)) {
                return false;
            }
            open.addAll(node.children);
        }
        return seen.size() == nodes.size();
    }
}
