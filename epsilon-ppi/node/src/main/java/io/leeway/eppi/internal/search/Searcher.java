package io.leeway.eppi.internal.search;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.index.IndexEntry;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.internal.report.Report;
import io.leeway.eppi.node.EppiOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A search in its two phases (ε-PPI §2.2.1): {@code QueryPPI} at the index server, then {@code AuthSearch} at every listed
 * provider, most of which may have nothing. Thread-safe.
 */
public final class Searcher {

    private static final int AT_ONCE = 16;
    private static final int MOST_COLUMNS = 1_000;

    /**
     * What a provider answered.
     *
     * @param provider its name
     * @param isAnswered whether it answered at all; if not, the error says why
     * @param error empty, or the code and what happened
     * @param columns names of columns; empty without records
     * @param rows records
     */
    public record Answer(
            String provider, boolean isAnswered, String error, List<String> columns, List<List<String>> rows) {}

    /**
     * What a search found.
     *
     * @param person pseudonym
     * @param entry what the index has
     * @param answers of the listed providers
     */
    public record Found(Token person, IndexEntry entry, List<Answer> answers) {

        /** How many providers had something. */
        public long holders() {
            return answers.stream().filter(each -> !each.rows.isEmpty()).count();
        }

        /** What the person's privacy is, in words. */
        public String privacy(int providers) {
            return Report.inWords(entry, providers);
        }
    }

    private final Net net;
    private final Remote index;
    private final byte[] networkKey;

    /** Searches as this node. */
    public Searcher(Settings settings, Net net, byte[] networkKey) {
        this.net = net;
        this.index = new Remote(settings.required(EppiOptions.INDEX), net.roster());
        this.networkKey = networkKey;
    }

    /** The index. */
    public Remote index() {
        return index;
    }

    /** The pseudonym of an identity. */
    public Token person(String identity) {
        return Token.of(identity, networkKey);
    }

    /** The first phase: names of the listed providers. */
    public List<String> query(String identity) {
        return names(index.query(person(identity)));
    }

    private List<String> names(IndexEntry entry) {
        List<String> providers = index.providers();
        var names = new ArrayList<String>();
        for (int number : entry.listed()) {
            names.add(providers.get(number));
        }
        return names;
    }

    /** Both phases. */
    public Found search(String identity) {
        Token person = person(identity);
        IndexEntry entry = index.query(person);
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, task -> {
            Thread thread = new Thread(task, "eppi-search");
            thread.setDaemon(true);
            return thread;
        });
        try {
            var asked = new ArrayList<Future<Answer>>();
            for (String name : names(entry)) {
                asked.add(threads.submit(() -> ask(net.roster().named(name), person)));
            }
            var answers = new ArrayList<Answer>();
            for (Future<Answer> each : asked) {
                answers.add(each.get());
            }
            return new Found(person, entry, answers);
        } catch (ExecutionException e) {
            throw EppiException.of(Code.INTERNAL, "a search failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private Answer ask(Member provider, Token person) {
        try (Connection connection = net.dialOnce(provider)) {
            connection.send(
                    Kind.SEARCH,
                    new Writing()
                            .longNumber(person.high())
                            .longNumber(person.low())
                            .done());
            return read(provider.name(), connection.expect(Kind.RECORDS));
        } catch (EppiException e) {
            return new Answer(provider.name(), false, e.code().id() + " " + e.detail(), List.of(), List.of());
        }
    }

    private static Answer read(String provider, Reading in) {
        int columnCount = in.count(2);
        if (columnCount > MOST_COLUMNS) {
            throw in.malformed("has " + columnCount + " columns");
        }
        var columns = new ArrayList<String>();
        for (int c = 0; c < columnCount; c++) {
            columns.add(in.text());
        }
        int rowCount = in.count(1);
        var rows = new ArrayList<List<String>>();
        for (int r = 0; r < rowCount; r++) {
            var row = new ArrayList<String>();
            for (int c = 0; c < columnCount; c++) {
                row.add(new String(in.bytes(), StandardCharsets.UTF_8));
            }
            rows.add(row);
        }
        in.end();
        return new Answer(provider, true, "", columns, rows);
    }
}
