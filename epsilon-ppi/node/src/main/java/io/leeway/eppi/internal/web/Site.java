package io.leeway.eppi.internal.web;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.index.IndexEntry;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.json.Json;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.report.Report;
import io.leeway.eppi.internal.search.Remote;
import io.leeway.eppi.internal.search.Searcher;
import io.leeway.eppi.internal.server.IndexServer;
import io.leeway.eppi.internal.session.Coordinator;
import io.leeway.eppi.internal.session.Progress;
import io.leeway.eppi.internal.session.Secrets;
import io.leeway.eppi.internal.web.HttpNode.Request;
import io.leeway.eppi.internal.web.HttpNode.Response;
import io.leeway.eppi.internal.web.HttpNode.Route;
import io.leeway.eppi.node.EppiMetrics;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What each kind of node answers over HTTP. */
public final class Site implements AutoCloseable {

    private static final String PROVIDER_NAVIGATION =
            "<a href=\"/\">State</a><a href=\"/search\">Search</a><a href=\"/report\">Privacy report</a>";
    /** With the name of the member: cookies do not know ports, and several nodes may be on one machine. */
    private static final String COOKIE = "eppi-";

    private static final int SECRET_BYTES = 16;

    private final HttpNode http;
    private final String secret;

    private Site(HttpNode http, String secret) {
        this.http = http;
        this.secret = secret;
    }

    /** Where it answers. */
    public String url() {
        return http.url();
    }

    /** Where a person goes first; with the secret that pages ask for, if they do. */
    public String entrance() {
        return secret.isEmpty() ? url() : url() + "/?secret=" + secret;
    }

    /** The API and pages of the index server; the only ones that others may reach. */
    public static Site ofIndex(String address, IndexServer server, Meters meters) {
        Map<String, Route> routes = new HashMap<>();
        routes.put("/v1/index", request -> Response.json(summary(server.index())));
        routes.put("/v1/query", request -> Response.json(query(server.index(), request, meters)));
        routes.put("/v1/header", request -> Response.binary(Remote.headerMessage(server.index())));
        routes.put("/v1/answer", request -> answer(server.index(), request, meters));
        routes.put("/v1/file", request -> Response.binary(IndexServer.file(server.index())));
        var reports = new Reports();
        routes.put("/v1/report", request -> Response.json(report(reports.of(server.index()))));
        common(routes, meters, () -> {
            Map<String, Object> all = status(server.progress());
            all.put("epoch", server.hasIndex() ? server.index().header().epoch() : 0);
            return all;
        });
        routes.put("/", request -> Response.html(indexPage(server, reports)));
        routes.put("/report", request -> Response.html(indexPage(server, reports)));
        return new Site(new HttpNode(address, true, routes), "");
    }

    /** The report of the newest index, made once: whoever asks must not make the server look at every person. */
    private static final class Reports {

        private @Nullable PpiIndex index;
        private @Nullable Report report;

        synchronized Report of(PpiIndex newest) {
            Report known = report;
            if (known == null || index != newest) {
                known = Report.of(newest);
                report = known;
                index = newest;
            }
            return known;
        }
    }

    /** State, metrics and the command to construct of a coordinator. */
    public static Site ofCoordinator(String address, Coordinator coordinator, Meters meters) {
        Map<String, Route> routes = new HashMap<>();
        Supplier<Map<String, Object>> status = () -> {
            Map<String, Object> all = status(coordinator.progress());
            all.put("epoch", coordinator.epoch());
            all.put("waiting", List.copyOf(coordinator.waiting()));
            return all;
        };
        common(routes, meters, status);
        routes.put("/", request -> Response.html(Pages.page("Coordinator", "", Pages.state(Json.of(status.get())))));
        routes.put("/v1/construct", request -> {
            if (!request.method().equals("POST")) {
                return Response.of(405, "text/plain", "use POST\n");
            }
            if (request.isOfAnotherPage()) {
                return Response.of(403, "text/plain", "a page of another address must not construct\n");
            }
            return Response.json(Map.of("epoch", coordinator.construct()));
        });
        return new Site(new HttpNode(address, false, routes), "");
    }

    /** The pages of a provider: they search with its rights, so they ask for a secret that only who started it sees. */
    public static Site ofProvider(
            String name, String address, Progress progress, Optional<Searcher> searcher, Meters meters) {
        String cookie = COOKIE + name;
        String secret = HexFormat.of().formatHex(Secrets.random(SECRET_BYTES));
        Map<String, Route> open = new HashMap<>();
        common(open, meters, () -> status(progress));
        Map<String, Route> guarded = new HashMap<>();
        guarded.put(
                "/",
                request -> Response.html(
                        Pages.page("Provider", PROVIDER_NAVIGATION, Pages.state(Json.of(status(progress))))));
        guarded.put("/search", request -> searchPage(searcher, request));
        guarded.put("/report", request -> reportPage(searcher));
        guarded.forEach((path, route) -> open.put(path, request -> guarded(cookie, secret, request, route)));
        return new Site(new HttpNode(address, false, open), secret);
    }

    private static void common(Map<String, Route> routes, Meters meters, Supplier<Map<String, Object>> status) {
        routes.put("/metrics", request -> Response.of(200, "text/plain; version=0.0.4", meters.text()));
        routes.put("/status", request -> Response.json(status.get()));
    }

    private static Response guarded(String cookie, String secret, Request request, Route route) {
        if (isSecret(secret, request.query().getOrDefault("secret", ""))) {
            // From here on the cookie has it, and no address that is seen or kept.
            return new Response(
                    303,
                    "text/plain",
                    new byte[0],
                    Map.of(
                            "Location",
                            "/",
                            "Set-Cookie",
                            cookie + "=" + secret + "; HttpOnly; SameSite=Strict; Path=/"));
        }
        if (!isSecret(secret, request.cookies().getOrDefault(cookie, ""))) {
            return Response.of(403, "text/plain", "open the address that the node printed when it started\n");
        }
        return route.answer(request);
    }

    private static boolean isSecret(String secret, String given) {
        return java.security.MessageDigest.isEqual(
                secret.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    private static Response searchPage(Optional<Searcher> searcher, Request request) {
        String identity = request.query().getOrDefault("identity", "");
        String body = Pages.form(identity);
        if (request.method().equals("POST") && !identity.isBlank()) {
            try {
                Searcher with = required(searcher);
                body += Pages.found(
                        with.search(identity), with.index().providers().size());
            } catch (EppiException e) {
                body += Pages.error(e);
            }
        }
        return Response.html(Pages.page("Search", PROVIDER_NAVIGATION, body));
    }

    private static Response reportPage(Optional<Searcher> searcher) {
        String body;
        try {
            body = Pages.report(Report.of(required(searcher).index().whole()));
        } catch (EppiException e) {
            body = Pages.error(e);
        }
        return Response.html(Pages.page("Privacy report", PROVIDER_NAVIGATION, body));
    }

    private static Searcher required(Optional<Searcher> searcher) {
        return searcher.orElseThrow(() -> EppiException.of(Code.CONFIGURATION, "eppi.index is not set at this node"));
    }

    private static Map<String, Object> status(Progress progress) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("construction", construction(progress.state()));
        return all;
    }

    private static Map<String, Object> construction(Progress.State state) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (state instanceof Progress.State.Running running) {
            all.put("state", "running");
            all.put("epoch", running.epoch());
            all.put("text", "epoch " + running.epoch() + ", attempt " + running.attempt() + ": " + running.step());
            all.put("share", running.share());
        } else if (state instanceof Progress.State.Done done) {
            all.put("state", "done");
            all.put("epoch", done.epoch());
            all.put("text", "epoch " + done.epoch() + " is done");
            all.put("share", 1);
        } else if (state instanceof Progress.State.Failed failed) {
            all.put("state", "failed");
            all.put("epoch", failed.epoch());
            all.put("text", "epoch " + failed.epoch() + " was given up: " + failed.error());
            all.put("share", 0);
        } else {
            all.put("state", "idle");
            all.put("text", "nothing was constructed yet");
            all.put("share", 0);
        }
        return all;
    }

    private static Map<String, Object> summary(PpiIndex index) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("network", index.header().network());
        all.put("epoch", index.header().epoch());
        all.put("policy", index.header().policy());
        all.put("persons", index.size());
        all.put("providers", index.header().providers());
        all.put("root", HexFormat.of().formatHex(index.root()));
        all.put(
                "signatures",
                index.rootSignatures().stream()
                        .map(each -> Base64.getEncoder().encodeToString(each))
                        .toList());
        return all;
    }

    private static int position(PpiIndex index, Request request, Meters meters) {
        long begin = System.nanoTime();
        Token token = Token.parse(request.query().getOrDefault("token", ""));
        Optional<Integer> position = index.find(token);
        String outcome = position.isPresent() ? "found" : "unknown";
        meters.add(EppiMetrics.QUERIES, "outcome=\"" + outcome + "\"", 1);
        meters.add(EppiMetrics.QUERY_SECONDS, (System.nanoTime() - begin) / 1e9);
        return position.orElseThrow(() -> EppiException.of(Code.UNKNOWN_PERSON, "the index has no such person"));
    }

    private static Response answer(PpiIndex index, Request request, Meters meters) {
        return Response.binary(Remote.answerMessage(index, position(index, request, meters)));
    }

    private static Map<String, Object> query(PpiIndex index, Request request, Meters meters) {
        IndexEntry entry = index.entry(position(index, request, meters));
        List<String> names = index.header().providers();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("epoch", index.header().epoch());
        all.put("token", entry.token().toString());
        all.put("epsilon", entry.epsilon());
        all.put("everywhere", entry.frequency() == Outcome.EVERYWHERE);
        all.put(
                "providers",
                java.util.Arrays.stream(entry.listed()).mapToObj(names::get).toList());
        return all;
    }

    private static Map<String, Object> report(Report report) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("epoch", report.epoch());
        all.put("persons", report.persons());
        all.put("providers", report.providers());
        all.put("policy", report.policy());
        all.put("classes", report.classes().stream().map(Site::ofClass).toList());
        return all;
    }

    private static Map<String, @Nullable Object> ofClass(Report.OfClass each) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("epsilon", each.epsilon());
        all.put("persons", each.persons());
        all.put("everywhere", each.everywhere());
        all.put("noise", each.isKnown() ? each.got() : null);
        all.put("satisfied", each.isKnown() ? each.satisfied() : null);
        all.put("medianCost", each.medianCost());
        all.put("meanCost", each.meanCost());
        return all;
    }

    private static String indexPage(IndexServer server, Reports reports) {
        String body = server.hasIndex()
                ? Pages.report(reports.of(server.index()))
                : "<p>There is no index yet. The first coordinator constructs it.</p>";
        return Pages.page(
                "Privacy report",
                "",
                body + "<p><small>Searches are made at a provider's or a searcher's own node: only they can make"
                        + " pseudonyms, and a page of this server must not see identities.</small></p>");
    }

    @Override
    public void close() {
        http.close();
    }
}
