package io.leeway.privoxy.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainCommandTest extends OnSite {

    private static final String ATTENDANCE = "SELECT * FROM attendances WHERE user_id = 2";
    private static final String TITLE = "SELECT title FROM events WHERE id = 50";

    @Test
    void aRefusalShowsTheQuestionTheNearestViewsAndACounterexample() {
        Site.Ran ran = explain("--context", "MyUId=2", TITLE);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("SELECT title FROM events WHERE id = ?")
                .contains("SELECT a.TITLE FROM PUBLIC.EVENTS a WHERE a.ID = 50")
                .contains("Refused (PRIVOXY-1201)")
                .contains("my_events: no row of ATTENDANCES was seen with")
                .contains("Database 1\n  EVENTS (ID, TITLE, …)\n    (50, ")
                .contains("Database 2\n  (empty)");
    }

    @Test
    void earlierRowsMakeItAllowed() {
        Site.Ran ran = explain("--context", "MyUId=2", "--seen", ATTENDANCE, "--row", "2, 50, NULL", TITLE);

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Allowed, proved by the chase");
        assertThat(explain("--context", "MyUId=2", "--seen", ATTENDANCE, "--row", "2, 60, NULL", TITLE)
                        .code())
                .as("another event")
                .isEqualTo(1);
        assertThat(explain("--context", "MyUId=3", "--seen", ATTENDANCE, "--row", "2, 50, NULL", TITLE)
                        .code())
                .as("another user's attendances are refused themselves")
                .isEqualTo(2);
    }

    @Test
    void parametersAreBound() {
        String sql = "SELECT note FROM attendances WHERE user_id = ? AND event_id = ?";

        assertThat(explain("--context", "MyUId=2", "--bind", "2", "--bind", "50", sql)
                        .code())
                .isZero();
        assertThat(explain("--context", "MyUId=2", "--bind", "3", "--bind", "50", sql)
                        .code())
                .isEqualTo(1);
    }

    @Test
    void whatIsCoveredByColumnsSaysSo() {
        assertThat(explain("SELECT name FROM users").out()).contains("Allowed, by its columns alone");
    }

    @Test
    void whatIsNotUnderstoodSaysWhere() {
        Site.Ran ran = explain("SELECT id FROM users TABLESAMPLE BERNOULLI (5)");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("Refused: PRIVOXY-").contains("line 1");
    }

    @Test
    void aWriteSaysWhatItWritesAndWhatItReads() {
        Site.Ran ran = explain("UPDATE secrets SET text = 'x' WHERE text = 'y'");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).contains("It writes PUBLIC.SECRETS");
    }

    @Test
    void mistakesInEarlierRowsAreTold() {
        assertThat(explain("--row", "1", TITLE).err()).contains("--row belongs behind the --seen");
        assertThat(explain("--context", "MyUId=2", "--seen", ATTENDANCE, "--row", "2", TITLE)
                        .err())
                .contains("a row has 1 value, the query returns 2 or more columns");
        assertThat(explain("--seen", "SELECT text FROM secrets", "--row", "'x'", TITLE)
                        .err())
                .contains("the earlier query", "is refused itself");
    }

    @Test
    void anOptionOfTheDriverThatIsNoneIsTold() {
        Site.Ran ran = explain("--set", "privoxyEfort=5", TITLE);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("did you mean privoxyEffort?");
    }

    private Site.Ran explain(String... words) {
        var all = new ArrayList<>(List.of("--policy", site.policy.toString()));
        all.addAll(List.of(words));
        return site.live("explain", all.toArray(String[]::new));
    }
}
