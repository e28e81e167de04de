package io.leeway.privoxy.internal.sql;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Any text is read or refused, without another exception, and read again from its print. The normal build runs the inputs
 * that are kept beside; CONTRIBUTING.md says how to look for new ones, in one method at a time.
 */
class SqlFuzzTest {

    private static final List<String> MODES = List.of("", "ANSI", "NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE");

    @FuzzTest(maxDuration = "4m")
    void postgres(FuzzedDataProvider data) {
        SqlOptions options = SqlOptions.of(Dialect.POSTGRESQL);
        check(data, options, PostgresSamples.QUERIES, PostgresSamples.WRITES);
    }

    @FuzzTest(maxDuration = "4m")
    void mariaDb(FuzzedDataProvider data) {
        SqlOptions options = SqlOptions.ofSqlMode(data.pickValue(MODES));
        check(data, options, MariaDbSamples.QUERIES, MariaDbSamples.WRITES);
    }

    @FuzzTest(maxDuration = "4m")
    void h2(FuzzedDataProvider data) {
        check(data, SqlOptions.of(Dialect.H2), H2Samples.QUERIES, H2Samples.WRITES);
    }

    private static void check(FuzzedDataProvider data, SqlOptions options, List<String> queries, List<String> writes) {
        SqlOptions chosen = data.consumeBoolean() ? options : options.withJdbcParameters(false);
        if (data.consumeBoolean()) {
            Consistency.check(data.consumeRemainingAsString(), chosen);
            return;
        }
        var samples = new ArrayList<String>(queries);
        samples.addAll(writes);
        RandomGenerator random = data::consumeLong;
        var words = Keywords.of(options.dialect()).words();
        Consistency.check(new MutatedTexts(samples, words, random).next(), chosen);
    }
}
