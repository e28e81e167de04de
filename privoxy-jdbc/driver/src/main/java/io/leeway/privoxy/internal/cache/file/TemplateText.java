package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.Pattern;
import io.leeway.privoxy.internal.cache.PatternComparison;
import io.leeway.privoxy.internal.cache.Premise;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Term;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Templates as text for people: {@code when an earlier query … returned a row with …, then allow …}.
 *
 * <p>A sentence that can be read aloud: "when an earlier query returned a row with …, then allow …". Reviewers are not
 * all programmers of this product.
 */
public final class TemplateText {

    private final QueryText queries;

    /** Prints with the names of this schema. */
    public TemplateText(Schema schema) {
        this.queries = new QueryText(schema);
    }

    /** The text of a template, or null if it has none that would be read back as the same template. */
    public @Nullable String print(ReviewedTemplate reviewed) {
        try {
            return new Writer(reviewed.template()).print(reviewed.reviews());
        } catch (UnprintableException withoutText) {
            return null;
        }
    }

    /** Knows the names of one template's variables. */
    private final class Writer {

        private final Template template;
        private final VariableNames names;
        private final Layout layout = new Layout();

        Writer(Template template) {
            this.template = template;
            this.names = new VariableNames(template, queries);
        }

        String print(List<Review> reviews) {
            layout.line(0, "template #" + template.id());
            if (!template.context().isEmpty()) {
                layout.list(1, "for a request with", context(), ",");
            }
            template.premises().forEach(this::premise);
            List<String> demands = demands();
            if (!demands.isEmpty()) {
                layout.list(1, "provided that", demands, " and");
            }
            layout.line(1, "then allow");
            queries.print(layout, 2, template.goal());
            arguments(template.arguments());
            for (Review review : reviews) {
                layout.line(1, "reviewed by " + Quoting.quoted(review.by(), '"') + " on " + date(review));
            }
            return layout.toString();
        }

        private String date(Review review) {
            return Quoting.quoted(review.on().toString(), '\'');
        }

        private List<String> context() {
            List<String> items = new ArrayList<>();
            template.context().forEach((name, pattern) -> {
                boolean namesItself = pattern instanceof Pattern.Variable variable
                        && names.name(variable.index()).equals(name);
                items.add(namesItself ? Quoting.name(name) : Quoting.name(name) + " = " + text(pattern));
            });
            return items;
        }

        private void premise(Premise premise) {
            layout.line(1, "when an earlier query");
            queries.print(layout, 2, premise.query());
            arguments(premise.arguments());
            List<String> cells = cells(premise);
            if (cells.isEmpty()) {
                layout.line(2, "returned a row");
            } else {
                layout.list(2, "returned a row with", cells, ",");
            }
        }

        private void arguments(List<Pattern> patterns) {
            List<String> items = new ArrayList<>();
            for (int i = 0; i < patterns.size(); i++) {
                items.add("?" + (i + 1) + " = " + text(patterns.get(i)));
            }
            if (!items.isEmpty()) {
                layout.list(2, "asked with", items, ",");
            }
        }

        private List<String> cells(Premise premise) {
            List<String> items = new ArrayList<>();
            List<Term> head = premise.query().head();
            for (int i = 0; i < head.size(); i++) {
                Pattern pattern = premise.row().get(i);
                if (!(pattern instanceof Pattern.Any)) {
                    // A column that the query returns twice is told by its number.
                    boolean hasName = head.get(i) instanceof Term.Variable && head.indexOf(head.get(i)) == i;
                    String cell = hasName ? queries.term(head.get(i), premise.query()) : "column " + (i + 1);
                    items.add(cell + " = " + text(pattern));
                }
            }
            return items;
        }

        private List<String> demands() {
            List<String> items = new ArrayList<>();
            for (int variable : template.notNull()) {
                items.add(Quoting.name(names.name(variable)) + " is not null");
            }
            for (PatternComparison comparison : template.comparisons()) {
                items.add(
                        text(comparison.left()) + " " + comparison.operator().sign() + " " + text(comparison.right()));
            }
            return items;
        }

        private String text(Pattern pattern) {
            if (pattern instanceof Pattern.Variable variable) {
                return Quoting.name(names.name(variable.index()));
            }
            return pattern instanceof Pattern.Constant constant ? QueryText.value(constant.value()) : "*";
        }
    }
}
