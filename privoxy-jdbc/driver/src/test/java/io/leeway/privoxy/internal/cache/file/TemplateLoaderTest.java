package io.leeway.privoxy.internal.cache.file;

import static io.leeway.privoxy.internal.decide.QueryBuilder.constant;
import static io.leeway.privoxy.internal.decide.QueryBuilder.context;
import static io.leeway.privoxy.internal.decide.QueryBuilder.from;
import static io.leeway.privoxy.internal.decide.QueryBuilder.parameter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.cache.Fingerprint;
import io.leeway.privoxy.internal.cache.Generaliser;
import io.leeway.privoxy.internal.cache.Prover;
import io.leeway.privoxy.internal.cache.StoreSettings;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.cache.TemplateListener;
import io.leeway.privoxy.internal.cache.TemplateStore;
import io.leeway.privoxy.internal.decide.Arg;
import io.leeway.privoxy.internal.decide.Budget;
import io.leeway.privoxy.internal.decide.ChaseEngine;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Fact;
import io.leeway.privoxy.internal.decide.Problem;
import io.leeway.privoxy.internal.decide.SchemaBuilder;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition.Operator;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Schema;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TemplateLoaderTest {

    private static final Schema CALENDAR = new SchemaBuilder()
            .table("events", "id!", "title text")
            .key("events", "id")
            .table("attendances", "user_id!", "event_id!")
            .key("attendances", "user_id", "event_id")
            .build();
    private static final UnionQuery MY_EVENTS = from(CALENDAR, "events e", "attendances a")
            .equal("e.id", "a.event_id")
            .equal("a.user_id", context("MyUId"))
            .union("e.*", "a.*");
    private static final UnionQuery EVENT =
            from(CALENDAR, "events e").equal("e.id", parameter(0)).union("e.id", "e.title");
    private static final UnionQuery MY_ATTENDANCES =
            from(CALENDAR, "attendances a").equal("a.user_id", context("MyUId")).union("a.*");
    private static final ConjunctiveQuery ATTENDANCE = from(CALENDAR, "attendances a")
            .equal("a.user_id", parameter(0))
            .equal("a.event_id", parameter(1))
            .select("a.user_id");
    private static final KeyPair OFFICER = TemplateSigner.keys();
    private static final KeyPair STRANGER = TemplateSigner.keys();
    private static final List<PublicKey> TRUSTED = List.of(OFFICER.getPublic());

    private final CompiledPolicy policy = policy(CALENDAR, MY_EVENTS, MY_ATTENDANCES);
    private final Template template = template(policy);

    private static CompiledPolicy policy(Schema schema, UnionQuery... queries) {
        List<View> views = new ArrayList<>();
        for (UnionQuery query : queries) {
            views.add(new View("v" + views.size(), "", query, List.of(), ""));
        }
        return CompiledPolicy.of(new Policy(schema, Map.of("MyUId", ColumnType.integer("bigint")), views, List.of()));
    }

    private static Prover prover(CompiledPolicy policy) {
        ChaseEngine engine = new ChaseEngine(policy, Budget.DEFAULT);
        return problem -> engine.decide(problem).isCompliant();
    }

    private static Template template(CompiledPolicy policy) {
        Arg me = Arg.of(Value.of(1));
        Arg event = Arg.of(Value.of(42));
        Fact seen = new Fact(policy.shape(ATTENDANCE), List.of(me, event), List.of(me));
        Problem problem =
                new Problem(policy.goal(EVENT), List.of(event), Map.of("MyUId", me), List.of(seen), List.of());
        return Objects.requireNonNull(new Generaliser(policy, List.of(prover(policy)), 50).generalise(problem));
    }

    private String text() throws IOException {
        StringWriter writer = new StringWriter();
        TemplateFile.write(
                writer,
                Fingerprint.of(policy, List.of(template)),
                List.of(ReviewedTemplate.of(template)),
                policy.schema());
        return writer.toString();
    }

    private static String signed(String text, KeyPair keys) throws TemplateSyntaxException, InvalidKeyException {
        return TemplateSigner.sign(text, keys, CALENDAR::table);
    }

    private static TemplateStore store(CompiledPolicy policy, boolean reviewedOnly) {
        return new TemplateStore(policy, new StoreSettings(100, 10, reviewedOnly), TemplateListener.NONE);
    }

    private static TemplateLoader.Report load(TemplateStore store, String text, Prover prover)
            throws IOException, TemplateSyntaxException {
        return new TemplateLoader(store, prover, TRUSTED, CALENDAR::table).load(new StringReader(text));
    }

    @Test
    void anUnsignedTemplateIsProvedAnew() throws IOException, TemplateSyntaxException {
        TemplateStore store = store(policy, false);

        TemplateLoader.Report report = load(store, text(), prover(policy));

        assertThat(report).isEqualTo(new TemplateLoader.Report(false, true, 1, 0, List.of()));
        assertThat(store.templates()).singleElement().satisfies(only -> {
            assertThat(only.template()).isEqualTo(template);
            assertThat(only.isReviewed()).isFalse();
        });
    }

    /** What was a proof by the rules of an earlier release need be none by those of this one. */
    @Test
    void aSignedTemplateOfEarlierRulesIsProvedAnew() throws IOException, TemplateSyntaxException, InvalidKeyException {
        String now = Fingerprint.of(policy, List.of(template)).policy();
        String before = now.substring(0, now.length() - 2);
        String text = signed(text().replace(now, before), OFFICER);

        TemplateLoader.Report refused = load(store(policy, true), text, problem -> false);
        TemplateLoader.Report proved = load(store(policy, true), text, prover(policy));

        assertThat(refused.isCurrent()).isFalse();
        assertThat(refused.loaded()).isZero();
        assertThat(proved.loaded()).isEqualTo(1);
    }

    @Test
    void aSignedTemplateOfThisPolicyAndSchemaIsBelieved()
            throws IOException, TemplateSyntaxException, InvalidKeyException {
        TemplateStore store = store(policy, true);

        TemplateLoader.Report report = load(store, signed(text(), OFFICER), problem -> false);

        assertThat(report).isEqualTo(new TemplateLoader.Report(true, true, 1, 0, List.of()));
        assertThat(store.templates())
                .singleElement()
                .satisfies(only -> assertThat(only.isReviewed()).isTrue());
    }

    @Test
    void whatThePolicyNoLongerShowsIsReportedAndNotLoaded()
            throws IOException, TemplateSyntaxException, InvalidKeyException {
        CompiledPolicy narrower = policy(CALENDAR, MY_ATTENDANCES);
        TemplateStore store = store(narrower, true);

        TemplateLoader.Report report = load(store, signed(text(), OFFICER), prover(narrower));

        assertThat(report.isSigned()).isTrue();
        assertThat(report.isCurrent()).isFalse();
        assertThat(report.rejected()).singleElement().satisfies(only -> {
            assertThat(only.id()).isEqualTo(template.id());
            assertThat(only.reason()).isEqualTo("it does not hold under the present policy and schema");
        });
        assertThat(store.size()).isZero();
    }

    @Test
    void aSchemaWithoutTheKeyIsAnotherSchema() throws IOException, TemplateSyntaxException, InvalidKeyException {
        Schema withoutKey = new SchemaBuilder()
                .table("events", "id!", "title text")
                .table("attendances", "user_id!", "event_id!")
                .key("attendances", "user_id", "event_id")
                .build();
        CompiledPolicy keyless = policy(withoutKey, MY_EVENTS, MY_ATTENDANCES);
        TemplateStore store = store(keyless, false);

        TemplateLoader.Report report = load(store, signed(text(), OFFICER), prover(keyless));

        assertThat(report.isCurrent()).isFalse();
        assertThat(report.loaded() + report.rejected().size()).isEqualTo(1);
    }

    @Test
    void reviewedTemplatesOnlyMeansSignedOnes() throws IOException, TemplateSyntaxException, InvalidKeyException {
        TemplateStore store = store(policy, true);

        assertThat(load(store, text(), prover(policy)).rejected()).hasSize(1);
        assertThat(load(store, signed(text(), STRANGER), prover(policy)).rejected())
                .singleElement()
                .satisfies(only -> assertThat(only.reason()).contains("not signed with a trusted key"));
        assertThat(store.size()).isZero();
    }

    @Test
    void aTamperedFileIsNotSigned() throws IOException, TemplateSyntaxException, InvalidKeyException {
        String signed = signed(text(), OFFICER);
        String otherPolicy = signed.replaceFirst("policy #.", "policy #0").replaceFirst("policy #00", "policy #10");
        String widened =
                signed.replace("template #" + template.id(), "template").replace("?1 = MyUId, ?2", "?1 = *, ?2");
        String added = signed.replace("\nsignature", "\ntemplate then allow NOTHING\nsignature");
        String damaged = signed.replace("value '", "value 'A");

        assertThat(isSigned(signed)).isTrue();
        assertThat(List.of(otherPolicy, widened, added, damaged)).doesNotContain(signed);
        assertThat(isSigned(otherPolicy)).isFalse();
        assertThat(isSigned(widened)).isFalse();
        assertThat(isSigned(added)).isFalse();
        assertThat(isSigned(damaged)).isFalse();
        assertThat(load(store(policy, false), widened, prover(policy)).rejected())
                .hasSize(1);
    }

    @Test
    void commentsAndLineEndsMayChangeAndOthersMaySignToo()
            throws IOException, TemplateSyntaxException, InvalidKeyException {
        String signed = signed(signed(text(), STRANGER), OFFICER);

        assertThat(isSigned(signed)).isTrue();
        assertThat(isSigned(signed.replace("\n", "\r\n"))).isTrue();
        assertThat(isSigned(signed.replace("  then", "  -- looks good\n  then")))
                .isTrue();
    }

    private static boolean isSigned(String text) throws IOException, TemplateSyntaxException {
        TemplateFile file = TemplateFile.read(new StringReader(text), CALENDAR::table);
        return TemplateSigner.isSigned(file, TRUSTED);
    }

    @Test
    void keysSurviveTheirTextForm() throws InvalidKeyException {
        String pem = TemplateSigner.toPem(OFFICER.getPublic());
        String secret = TemplateSigner.toPem(OFFICER.getPrivate());

        assertThat(TemplateSigner.publicKey("# the officer's key\n" + pem)).isEqualTo(OFFICER.getPublic());
        assertThat(TemplateSigner.privateKey(secret)).isEqualTo(OFFICER.getPrivate());
        assertThat(TemplateSigner.keyId(OFFICER.getPublic())).hasSize(16);
        assertThatThrownBy(() -> TemplateSigner.publicKey(secret)).isInstanceOf(InvalidKeyException.class);
        assertThatThrownBy(() -> TemplateSigner.publicKey("nothing")).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void tablesThatThePolicyDoesNotKnowAreFoundElsewhere() throws IOException, TemplateSyntaxException {
        Schema more = new SchemaBuilder().table("notes", "id!", "text text").build();
        Template empty = Template.canonical(
                UnionQuery.of(from(more, "notes n")
                        .compare(Operator.LESS, constant(2), constant(1))
                        .select("n.text")),
                List.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of());
        StringWriter writer = new StringWriter();
        TemplateFile.write(writer, Fingerprint.of(policy, List.of(empty)), List.of(ReviewedTemplate.of(empty)), more);
        TemplateStore store = store(policy, false);

        TemplateLoader.Report report = new TemplateLoader(store, prover(policy), TRUSTED, more::table)
                .load(new StringReader(writer.toString()));

        assertThat(report.loaded()).isEqualTo(1);
        assertThat(policy.table("notes")).isNotNull();
    }
}
