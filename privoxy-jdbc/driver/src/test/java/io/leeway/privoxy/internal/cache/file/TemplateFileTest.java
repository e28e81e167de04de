package io.leeway.privoxy.internal.cache.file;

import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.cache.Fingerprint;
import io.leeway.privoxy.internal.cache.Pattern;
import io.leeway.privoxy.internal.cache.PatternComparison;
import io.leeway.privoxy.internal.cache.Premise;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.decide.QueryBuilder;
import io.leeway.privoxy.internal.decide.RandomProblems;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@SuppressWarnings("EnumOrdinal") // Any total order will do.
class TemplateFileTest {

    private static final Schema CALENDAR = new SchemaBuilder()
            .table("public.events", "id!", "title text", "starts_at timestamp")
            .table("public.attendances", "user_id!", "event_id!", "confirmed boolean")
            .build();
    private static final UnionQuery EVENT =
            from(CALENDAR, "public.events e").equal("e.id", parameter(0)).union("e.id", "e.title");
    private static final ConjunctiveQuery ATTENDANCE = from(CALENDAR, "public.attendances a")
            .equal("a.user_id", parameter(0))
            .equal("a.event_id", parameter(1))
            .select("a.user_id", "a.confirmed");
    private static final Fingerprint FINGERPRINT = new Fingerprint("5f1c", "88ab");

    private static final Pattern ANY = Pattern.ANY;
    private static final Pattern A = new Pattern.Variable(0);
    private static final Pattern B = new Pattern.Variable(1);

    private static Template calendar() {
        return Template.canonical(
                EVENT,
                List.of(A),
                Map.of("MyUId", B),
                List.of(new Premise(ATTENDANCE, List.of(B, A), List.of(ANY, new Pattern.Constant(Value.TRUE)))),
                List.of(),
                List.of());
    }

    private static String write(Schema schema, Template... templates) throws IOException {
        List<ReviewedTemplate> reviewed = new ArrayList<>();
        for (Template template : templates) {
            reviewed.add(ReviewedTemplate.of(template));
        }
        StringWriter writer = new StringWriter();
        assertThat(TemplateFile.write(writer, FINGERPRINT, reviewed, schema)).isZero();
        return writer.toString();
    }

    private static TemplateFile read(String text, Schema schema) throws IOException, TemplateSyntaxException {
        return TemplateFile.read(new StringReader(text), schema::table);
    }

    @Test
    void aTemplateReadsLikeASentence() throws IOException {
        String text = write(CALENDAR, calendar());

        assertThat(text).endsWith("""
                        privoxy templates format 1
                        policy #5f1c
                        schema #88ab

                        template #%s
                          for a request with MyUId
                          when an earlier query
                            SELECT a0.user_id, a0.confirmed
                            FROM public.attendances a0
                            WHERE a0.user_id = ?1 AND a0.event_id = ?2
                            asked with ?1 = MyUId, ?2 = ID
                            returned a row with a0.confirmed = TRUE
                          then allow
                            SELECT e0.id, e0.title
                            FROM public.events e0
                            WHERE e0.id = ?1
                            asked with ?1 = ID
                        """.formatted(calendar().id()));
    }

    @Test
    void premisesThatSayTheSameAreOne() throws IOException, TemplateSyntaxException {
        Premise one = new Premise(ATTENDANCE, List.of(B, A), List.of(ANY, new Pattern.Variable(2)));
        Premise twin = new Premise(ATTENDANCE, List.of(B, A), List.of(ANY, new Pattern.Variable(3)));

        Template template =
                Template.canonical(EVENT, List.of(A), new TreeMap<>(), List.of(one, twin), List.of(), List.of());

        assertThat(template.premises()).containsExactly(new Premise(ATTENDANCE, List.of(ANY, A), List.of(ANY, ANY)));
        assertThat(read(write(CALENDAR, template), CALENDAR).templates())
                .extracting(ReviewedTemplate::template)
                .containsExactly(template);
    }

    @Test
    void demandsReviewsAndTwoParametersOfTheContextAreReadBack() throws IOException, TemplateSyntaxException {
        ConjunctiveQuery starts =
                from(CALENDAR, "public.events e").equal("e.id", parameter(0)).select("e.starts_at", "e.starts_at");
        Template template = Template.canonical(
                EVENT,
                List.of(A),
                Map.of("Now", new Pattern.Variable(3), "Owner", B, "Tenant", B, "Zone", ANY),
                List.of(
                        new Premise(starts, List.of(A), List.of(new Pattern.Variable(4), new Pattern.Variable(5))),
                        new Premise(ATTENDANCE, List.of(ANY, A), List.of(ANY, ANY))),
                List.of(1),
                List.of(
                        new PatternComparison(Operator.LESS, new Pattern.Variable(4), new Pattern.Variable(3)),
                        new PatternComparison(
                                Operator.NOT_EQUAL, new Pattern.Variable(5), new Pattern.Constant(Value.of("x")))));
        Review review = new Review("Jane \"JD\" Doe", LocalDate.of(2025, 1, 31));
        StringWriter writer = new StringWriter();

        TemplateFile.write(writer, FINGERPRINT, List.of(new ReviewedTemplate(template, List.of(review), 0)), CALENDAR);

        String text = writer.toString();
        assertThat(text)
                .contains("for a request with Now, Owner, Tenant = Owner, Zone = *")
                .contains("returned a row with e0.starts_at = STARTS_AT, column 2 = STARTS_AT_2")
                .contains("provided that Owner is not null and STARTS_AT < Now and STARTS_AT_2 <> 'x'")
                .contains("reviewed by \"Jane \"\"JD\"\" Doe\" on '2025-01-31'");
        TemplateFile file = read(text, CALENDAR);
        assertThat(file.unreadable()).isEmpty();
        assertThat(file.fingerprint()).isEqualTo(FINGERPRINT);
        assertThat(file.templates())
                .containsExactly(new ReviewedTemplate(
                        template, List.of(review), text.split("template #")[0].split("\n", -1).length));
    }

    @Test
    void everyKindOfValueIsReadBackAsItWas() throws IOException, TemplateSyntaxException {
        List<Value> values = List.of(
                Value.NULL,
                Value.TRUE,
                Value.FALSE,
                Value.of(-5),
                Value.of(Long.MIN_VALUE),
                Value.of(new BigDecimal("0.000000000000000000012")),
                Value.of(new BigDecimal("-12345678901234567890123.5")),
                Value.of(new BigDecimal("1E+40")),
                Value.of(""),
                Value.of("it's \\ a \"quote\"\n\u202etxet\u0000 \ud83d\ude00 \ud83d ä"),
                Value.of(ValueKind.UUID, UUID.fromString("00000000-0000-0000-0000-0000000000ff")),
                Value.of(ValueKind.DATE, LocalDate.of(-44, 3, 15)),
                Value.of(ValueKind.TIME, LocalTime.of(0, 0)),
                Value.of(ValueKind.TIMESTAMP, LocalDateTime.of(2024, 5, 1, 12, 0, 0, 1000)),
                Value.of(ValueKind.INSTANT, Instant.parse("2024-05-01T12:00:00.5Z")),
                Value.of(ValueKind.BYTES, "00ff"),
                Value.of(ValueKind.OPAQUE, "(1,2)"));
        for (Value value : values) {
            QueryBuilder query = from(CALENDAR, "public.events e");
            Template template = Template.canonical(
                    UnionQuery.of(query.select(new Term.Constant(value))),
                    List.of(new Pattern.Constant(value)),
                    Map.of(),
                    List.of(),
                    List.of(),
                    List.of());

            String text = write(CALENDAR, template);

            assertThat(text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127) || c == 'ä'))
                    .isTrue();
            assertThat(read(text, CALENDAR).templates())
                    .extracting(ReviewedTemplate::template)
                    .containsExactly(template);
        }
    }

    @Test
    void aValueWithoutTextLeavesTheTemplateOut() throws IOException {
        Template template = Template.canonical(
                EVENT,
                List.of(new Pattern.Constant(Value.of(ValueKind.OPAQUE, new Object()))),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
        StringWriter writer = new StringWriter();

        int leftOut = TemplateFile.write(
                writer, FINGERPRINT, List.of(ReviewedTemplate.of(template), ReviewedTemplate.of(calendar())), CALENDAR);

        assertThat(leftOut).isEqualTo(1);
        assertThat(writer.toString()).contains(calendar().id()).doesNotContain(template.id());
    }

    @Test
    void strangeNamesAreQuotedAndReadBack() throws IOException, TemplateSyntaxException {
        Table table = new Table(
                "my schema.Table \"x\"",
                List.of(
                        new Column("from", ColumnType.integer("bigint"), true),
                        new Column("where is \u200bit", ColumnType.integer("bigint"), true),
                        new Column("1st", ColumnType.integer("bigint"), true)),
                List.of(),
                List.of());
        Schema schema = new Schema(Map.of(table.name(), table));
        ConjunctiveQuery query = new ConjunctiveQuery(
                List.of(new Atom(table.name(), 0, 3)),
                List.of(),
                List.of(
                        new Term.Variable(0),
                        new Term.Variable(1),
                        new Term.Variable(2),
                        new Term.Context("my id"),
                        new Term.Function("key:\"ci\"", List.of())));
        Template template = Template.canonical(
                UnionQuery.of(query),
                List.of(),
                Map.of("my id", A, "null", B),
                List.of(new Premise(query, List.of(), List.of(A, B, new Pattern.Variable(2), ANY, ANY))),
                List.of(2),
                List.of());

        String text = write(schema, template);

        assertThat(read(text, schema).templates())
                .extracting(ReviewedTemplate::template)
                .containsExactly(template);
    }

    @Test
    void randomTemplatesAreReadBackAndPrintedAlike() throws IOException, TemplateSyntaxException {
        Random random = new Random(Seeds.seed("template text"));
        for (int run = 0; run < 300; run++) {
            RandomProblems problems = new RandomProblems(random);
            Schema schema = problems.schema();
            Template template = template(random, problems, schema);
            String text = write(schema, template);

            TemplateFile file = read(text, schema);

            assertThat(file.unreadable()).as(text).isEmpty();
            assertThat(file.templates())
                    .as(text)
                    .extracting(ReviewedTemplate::template)
                    .containsExactly(template);
            assertThat(write(schema, file.templates().get(0).template())).isEqualTo(text);
        }
    }

    private static Template template(Random random, RandomProblems problems, Schema schema) {
        List<Premise> premises = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            ConjunctiveQuery query = problems.query(schema, 2, -1, false);
            premises.add(new Premise(
                    query, patterns(random, 2), patterns(random, query.head().size())));
        }
        TreeMap<String, Pattern> parameters = new TreeMap<>(Map.of("Me", pattern(random)));
        if (random.nextBoolean()) {
            parameters.put("Now", pattern(random));
        }
        List<Pattern> arguments = List.of(new Pattern.Variable(0), new Pattern.Variable(1), pattern(random));
        List<PatternComparison> comparisons = random.nextBoolean()
                ? List.of()
                : List.of(new PatternComparison(
                        Operator.values()[1 + random.nextInt(3)],
                        new Pattern.Variable(0),
                        random.nextBoolean() ? new Pattern.Variable(1) : new Pattern.Constant(Value.of(4))));
        return Template.canonical(
                problems.union(schema, 3, true),
                arguments,
                parameters,
                premises,
                random.nextBoolean() ? List.of() : List.of(random.nextInt(2)),
                comparisons);
    }

    private static List<Pattern> patterns(Random random, int count) {
        List<Pattern> patterns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            patterns.add(pattern(random));
        }
        return patterns;
    }

    private static Pattern pattern(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> ANY;
            case 1 -> new Pattern.Constant(random.nextBoolean() ? Value.NULL : Value.of(random.nextInt(3)));
            default -> new Pattern.Variable(random.nextInt(5));
        };
    }

    @Test
    void mistakesAreToldWithLineAndColumn() throws IOException {
        String text = write(CALENDAR, calendar());

        assertSyntaxError(text.replace("then allow", "then deny"), "line 15, column 8: allow expected instead of deny");
        assertSyntaxError(text.replace("= ?2", "~ ?2"), "line 12, column 43: an unexpected character");
        assertSyntaxError(text.replace("TRUE", "'yes"), "a quote without an end");
        assertSyntaxError(text.replace("TRUE", "date'tomorrow'"), "not a value of this type");
        assertSyntaxError(text.replace("TRUE", "'\u202e'"), "a character that cannot be seen");
        assertSyntaxError(text.replace("format 1", "format 2"), "format 2 is not known");
        assertSyntaxError(text.replace("?2 = ID", "?3 = ID"), "parameters are given in order");
        assertSyntaxError(text.replace("a0.confirmed = TRUE", "a0.event_id = 3"), "does not return this column");
        assertSyntaxError(text.replace("a0.confirmed = TRUE", "column 3 = 3"), "does not return this column");
        assertSyntaxError(text.replace("SELECT e0.id", "SELECT x.id"), "there is no row x in FROM");
        assertSyntaxError(text + "and so on", "a template, a signature or the end of the file expected");
        assertSyntaxError("", "line 1, column 1: privoxy expected instead of the end of the file");
        assertSyntaxError(
                text.replace("SELECT e0.id", "SELECT " + "fn\"f\"(".repeat(5000) + "e0.id" + ")".repeat(5000)),
                "nested too deeply");
    }

    private static void assertSyntaxError(String text, String message) {
        assertThatThrownBy(() -> read(text, CALENDAR))
                .isInstanceOf(TemplateSyntaxException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatNoLongerFitsTheSchemaIsReportedAndTheRestIsRead() throws IOException, TemplateSyntaxException {
        Template other = Template.canonical(
                from(CALENDAR, "public.attendances a").union("a.user_id"),
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
        String text = write(CALENDAR, calendar(), other);
        Schema withoutTitle = new SchemaBuilder()
                .table("public.events", "id!", "starts_at timestamp")
                .table("public.attendances", "user_id!", "event_id!", "confirmed boolean")
                .build();
        Schema withoutEvents = new SchemaBuilder()
                .table("public.attendances", "user_id!", "event_id!", "confirmed boolean")
                .build();

        assertThat(read(text, withoutTitle).templates())
                .extracting(ReviewedTemplate::template)
                .containsExactly(other);
        assertThat(read(text, withoutTitle).unreadable())
                .containsExactly(
                        new TemplateFile.Unreadable(calendar().id(), 7, "table public.events has no column title"));
        assertThat(read(text, withoutEvents).unreadable())
                .containsExactly(new TemplateFile.Unreadable(calendar().id(), 7, "there is no table public.events"));
    }

    @Test
    void aChangedTemplateIsToldByItsNumber() throws IOException, TemplateSyntaxException {
        String text = write(CALENDAR, calendar());

        TemplateFile changed = read(text.replace("confirmed = TRUE", "confirmed = *"), CALENDAR);
        TemplateFile meant = read(
                text.replace("confirmed = TRUE", "confirmed = *")
                        .replace(" #" + calendar().id(), ""),
                CALENDAR);

        assertThat(changed.templates()).isEmpty();
        assertThat(changed.unreadable())
                .singleElement()
                .satisfies(only -> assertThat(only.reason()).contains("its content was changed"));
        assertThat(meant.templates()).hasSize(1);
    }

    @Test
    void aQueryMustBeGivenAllItsParameters() throws IOException, TemplateSyntaxException {
        String text = write(CALENDAR, calendar());
        Template grants = Template.canonical(
                from(CALENDAR, "public.events e")
                        .equal("e.id", context("MyUId"))
                        .union("e.id"),
                List.of(),
                Map.of("MyUId", ANY),
                List.of(),
                List.of(),
                List.of());

        assertThat(read(text.replace(", ?2 = ID", ""), CALENDAR).unreadable())
                .singleElement()
                .satisfies(only -> assertThat(only.reason()).contains("more parameters than it is asked with"));
        assertThat(read(write(CALENDAR, grants).replace("  for a request with MyUId = *\n", ""), CALENDAR)
                        .unreadable())
                .singleElement()
                .satisfies(only -> assertThat(only.reason()).contains("mentions a parameter of the context"));
    }
}
