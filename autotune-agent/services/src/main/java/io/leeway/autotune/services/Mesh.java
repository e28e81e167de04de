package io.leeway.autotune.services;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An application of many services: who calls whom, and what a request costs each of them.
 *
 * @param members each behind all that it calls, so that they can be started in this order; the last is the front
 */
public record Mesh(List<Member> members) {

    /**
     * A service.
     *
     * @param name a word
     * @param calls by the request's kind, "" for all others: names, with a comma between those at the same time and a
     *     semicolon between those after each other
     * @param work thousands of steps of the CPU for each request
     * @param held milliseconds with a connection
     * @param threads without tuning
     * @param connections without tuning
     */
    public record Member(String name, Map<String, String> calls, int work, double held, int threads, int connections) {

        /** Copies. */
        public Member {
            calls = Map.copyOf(calls);
        }

        /** One that treats all requests alike. */
        public static Member of(String name, String calls, double held, int threads, int connections) {
            return new Member(name, calls.isEmpty() ? Map.of() : Map.of("", calls), 10, held, threads, connections);
        }

        /** Arguments of {@link MeshService}, without those that are tuned. */
        public List<String> arguments(Map<String, String> urls, String traces) {
            var arguments = new ArrayList<>(List.of("name=" + name, "work=" + work, "held=" + held));
            new TreeMap<>(calls).forEach((kind, stages) -> {
                String called = Arrays.stream(stages.split(";"))
                        .map(stage -> Arrays.stream(stage.split(","))
                                .map(other -> urls.getOrDefault(other, other))
                                .collect(Collectors.joining(",")))
                        .collect(Collectors.joining(";"));
                arguments.add((kind.isEmpty() ? "calls=" : "calls." + kind + "=") + called);
            });
            if (!traces.isEmpty()) {
                arguments.add("traces=" + traces);
            }
            return arguments;
        }
    }

    /** Copies. */
    public Mesh {
        members = List.copyOf(members);
    }

    /** Where requests come in. */
    public Member front() {
        return members.get(members.size() - 1);
    }

    /** A shop of seven services whose storage has a single connection. */
    public static Mesh shop() {
        return new Mesh(List.of(
                Member.of("storage", "", 30, 8, 1),
                Member.of("graph", "", 3, 8, 8),
                Member.of("index", "", 3, 8, 8),
                Member.of("timeline", "storage,graph", 4, 8, 8),
                Member.of("search", "index", 3, 8, 8),
                Member.of("auth", "", 2, 8, 8),
                Member.of("gateway", "auth;timeline,search", 2, 16, 16)));
    }

    /**
     * A social network of fifteen services, the calls as in the benchmark application of that name: {@code /compose},
     * {@code /home} and all others, which read one's own posts. The store of posts has too few connections, and those who
     * ask it too few threads.
     */
    public static Mesh social() {
        return new Mesh(List.of(
                Member.of("post-db", "", 24, 16, 1),
                Member.of("post-cache", "", 0, 8, 8),
                Member.of("post-storage", "post-cache;post-db", 2, 3, 8),
                Member.of("graph-cache", "", 0, 8, 8),
                Member.of("social-graph", "graph-cache", 4, 8, 8),
                Member.of("timeline-cache", "", 0, 8, 8),
                Member.of("home-timeline", "social-graph;post-storage", 3, 8, 8),
                Member.of("user-timeline", "timeline-cache;post-storage", 3, 3, 8),
                Member.of("url-shorten", "", 2, 8, 8),
                Member.of("text", "url-shorten", 3, 8, 8),
                Member.of("user", "", 3, 8, 8),
                Member.of("media", "", 4, 8, 8),
                Member.of("unique-id", "", 0, 8, 8),
                Member.of("compose", "text,user,media,unique-id;post-storage", 2, 8, 8),
                new Member(
                        "gateway",
                        Map.of("compose", "compose", "home", "home-timeline", "", "user-timeline"),
                        10,
                        0,
                        8,
                        8)));
    }

    /**
     * A random one: a tree of calls with stages, own times of 3 to 18 ms, and threads of which some are few, so that a
     * slow service makes its callers slow.
     *
     * @param services how many
     * @param seed the same one for the same application
     */
    public static Mesh random(int services, long seed) {
        var random = new SplittableRandom(seed);
        var calls = new ArrayList<List<List<String>>>();
        for (int i = 0; i < services; i++) {
            calls.add(new ArrayList<>());
        }
        for (int i = 1; i < services; i++) {
            // Near the front more than at the end: applications are broader than deep.
            List<List<String>> stages = calls.get((int) (i * Math.pow(random.nextDouble(), 1.3)));
            if (stages.isEmpty() || random.nextBoolean()) {
                stages.add(new ArrayList<>());
            }
            stages.get(stages.size() - 1).add("s" + i);
        }
        var members = new ArrayList<Member>();
        for (int i = services - 1; i >= 0; i--) {
            String stages =
                    calls.get(i).stream().map(stage -> String.join(",", stage)).collect(Collectors.joining(";"));
            double held = 3 + random.nextInt(16);
            members.add(Member.of("s" + i, stages, held, i == 0 ? 24 : 4 + random.nextInt(9), 3 + random.nextInt(6)));
        }
        return new Mesh(members);
    }
}
