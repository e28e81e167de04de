package io.leeway.demo.privoxy;

import io.leeway.demo.Decision;
import io.leeway.demo.Teller;
import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.Page;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** One limited post, opened through Hibernate by the user whom it reached and by two others. */
final class ThreeUsers {

    private final DataSource checked;
    private final FixtureInstance network;
    private final Teller teller;

    ThreeUsers(DataSource checked, FixtureInstance network, Teller teller) {
        this.checked = checked;
        this.network = network;
        this.teller = teller;
    }

    void show() {
        teller.heading("Three users open the same post, through Hibernate");
        teller.text(
                "The application looks whether the post reached the user, and then loads it with its comments. Whether"
                        + " it remembers to look makes all the difference, and nothing but the policy file knows the rule.");
        long post = postOf(network.scenarios().get(0).page("simple post"));
        try (SessionFactory sessions = sessions()) {
            long reached = userOf(network.scenarios().get(0).page("simple post"));
            open(sessions, "user " + reached + ", whom it reached", reached, post, true);
            for (int i = 1; i < 3; i++) {
                long other = userOf(network.scenarios().get(i).page("simple post"));
                open(sessions, "user " + other + ", whom it did not reach", other, post, i == 1);
            }
        }
    }

    /** Opens the post as a page of the application would. */
    private void open(SessionFactory sessions, String who, long user, long post, boolean looks) {
        String what =
                (looks ? "look whether post " + post + " reached me, then load it" : "load post " + post + " at once");
        try (PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", user));
                var session = sessions.openSession()) {
            if (looks) {
                List<ShareVisibility> reached = session.createQuery(
                                "from ShareVisibility v where v.userId = :user and v.shareableType = 'Post'"
                                        + " and v.shareableId = :post",
                                ShareVisibility.class)
                        .setParameter("user", user)
                        .setParameter("post", post)
                        .list();
                if (reached.isEmpty()) {
                    teller.decision(new Decision(
                            who,
                            what,
                            true,
                            "The look is allowed and finds nothing, so the application shows \"not found\"."));
                    return;
                }
            }
            Post found = Objects.requireNonNull(session.find(Post.class, post));
            int comments = found.comments.size();
            teller.decision(new Decision(
                    who,
                    what,
                    true,
                    "The post and its " + comments + " comments: the first answer showed the right to see it."));
        } catch (RuntimeException failure) {
            PolicyViolationException refusal = refusalIn(failure);
            teller.decision(new Decision(who, what, false, refusal.refusal().reason()));
        }
    }

    private static PolicyViolationException refusalIn(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PolicyViolationException refusal) {
                return refusal;
            }
        }
        throw failure;
    }

    private SessionFactory sessions() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("hibernate.connection.datasource", checked);
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Person.class)
                .addAnnotatedClass(Post.class)
                .addAnnotatedClass(Comment.class)
                .addAnnotatedClass(ShareVisibility.class);
        configuration.getProperties().putAll(settings);
        return configuration.buildSessionFactory();
    }

    private static long postOf(Page page) {
        return Long.parseLong(page.url().replaceAll("\\D", ""));
    }

    private static long userOf(Page page) {
        return ((Number) Objects.requireNonNull(page.context().get("MyUId"))).longValue();
    }
}
