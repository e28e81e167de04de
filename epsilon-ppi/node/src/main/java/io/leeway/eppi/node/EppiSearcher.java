package io.leeway.eppi.node;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.provider.Provider;
import io.leeway.eppi.internal.search.Searcher;
import java.util.List;
import java.util.Map;

/**
 * Searches as a member of the network. Thread-safe.
 *
 * @since 0.1
 */
public final class EppiSearcher {

    /**
     * What one provider answered.
     *
     * @param provider its name
     * @param error empty, or why it did not answer
     * @param columns names of columns; empty without records
     * @param records values as text
     */
    public record Answer(String provider, String error, List<String> columns, List<List<String>> records) {}

    /**
     * What a search found.
     *
     * @param epsilon the wish that stands for the person's class
     * @param privacy what the person got, in words
     * @param answers of all providers that the index lists
     */
    public record Result(double epsilon, String privacy, List<Answer> answers) {}

    private final Searcher searcher;

    private EppiSearcher(Searcher searcher) {
        this.searcher = searcher;
    }

    /**
     * A searcher with options; it needs {@link EppiOptions#INDEX} and {@link EppiOptions#NETWORK_KEY}.
     *
     * @throws EppiException with {@link Code#CONFIGURATION} and all faults
     */
    public static EppiSearcher of(Map<String, String> options) {
        Settings settings = Settings.of(
                options,
                EppiOptions.NAME,
                EppiOptions.ROSTER,
                EppiOptions.KEY,
                EppiOptions.NETWORK_KEY,
                EppiOptions.INDEX);
        return new EppiSearcher(new Searcher(settings, new Net(settings, new Meters()), Provider.networkKey(settings)));
    }

    /** The providers that the index lists for a person ({@code QueryPPI}); all that have records, and others. */
    public List<String> query(String identity) {
        return searcher.query(identity);
    }

    /** Asks the index, and then every provider that it lists ({@code AuthSearch}). */
    public Result search(String identity) {
        Searcher.Found found = searcher.search(identity);
        List<Answer> answers = found.answers().stream()
                .map(each -> new Answer(each.provider(), each.error(), each.columns(), each.rows()))
                .toList();
        return new Result(
                found.entry().epsilon(),
                found.privacy(searcher.index().providers().size()),
                answers);
    }
}
