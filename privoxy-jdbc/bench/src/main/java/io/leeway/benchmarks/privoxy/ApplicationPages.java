package io.leeway.benchmarks.privoxy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageQuery;
import io.leeway.testkit.fixtures.PageState;
import io.leeway.testkit.fixtures.Row;
import jakarta.persistence.Tuple;
import jakarta.persistence.TupleElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.query.NativeQuery;

/**
 * The pages as an application serves them: each in a transaction, through HikariCP and Hibernate, its rows written as
 * HTML. The seed's figures are of such pages.
 */
final class ApplicationPages implements AutoCloseable {

    private final HikariDataSource pool;
    private final SessionFactory sessions;

    private ApplicationPages(HikariDataSource pool, SessionFactory sessions) {
        this.pool = pool;
        this.sessions = sessions;
    }

    /** An application on a pool of one connection. */
    static ApplicationPages on(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(1);
        HikariDataSource pool = new HikariDataSource(config);
        Configuration hibernate = new Configuration();
        hibernate.getProperties().put("hibernate.connection.datasource", pool);
        return new ApplicationPages(pool, hibernate.buildSessionFactory());
    }

    /** The page's HTML. */
    String serve(Page page) {
        PageState state = new PageState(page);
        StringBuilder html = new StringBuilder();
        sessions.inTransaction(session -> {
            for (PageQuery query : page.queries()) {
                for (PageQuery.Bound statement : query.bind(state)) {
                    List<Row> rows = rows(session, statement);
                    state.add(query.name(), rows);
                    write(html, query.name(), rows);
                }
            }
        });
        return html.toString();
    }

    @Override
    public void close() {
        sessions.close();
        pool.close();
    }

    private static List<Row> rows(Session session, PageQuery.Bound statement) {
        NativeQuery<Tuple> query = session.createNativeQuery(statement.sql(), Tuple.class);
        int position = 1;
        for (Object parameter : statement.parameters()) {
            query.setParameter(position++, parameter);
        }
        List<Row> rows = new ArrayList<>();
        for (Tuple tuple : query.list()) {
            List<String> columns = new ArrayList<>();
            for (TupleElement<?> element : tuple.getElements()) {
                columns.add(element.getAlias().toLowerCase(Locale.ROOT));
            }
            rows.add(new Row(columns, Arrays.asList(tuple.toArray())));
        }
        return rows;
    }

    private static void write(StringBuilder html, String name, List<Row> rows) {
        html.append("<h2>").append(name).append("</h2><table>");
        for (Row row : rows) {
            html.append("<tr>");
            for (Object value : row.values()) {
                html.append("<td>");
                escape(html, String.valueOf(value));
            }
        }
        html.append("</table>");
    }

    private static void escape(StringBuilder html, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> html.append("&lt;");
                case '&' -> html.append("&amp;");
                default -> html.append(c);
            }
        }
    }
}
