package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leeway.hindex.internal.guard.Guard;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.util.StringUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HBase ends a server for anything but an {@link IOException} that leaves a hook. */
class GuardedHooksTest {

    /** They give back what they are given. */
    private static final Set<String> EMPTY = Set.of("postCheckAndMutate");

    private static Stream<JavaMethod> hooks() {
        return new ClassFileImporter()
                .importClasses(HindexObserver.class, HindexEndpoint.class, HindexMasterObserver.class).stream()
                        .flatMap(each -> each.getMethods().stream())
                        .filter(each -> each.getName().matches("(pre|post)[A-Z].*|start|stop"))
                        .filter(each -> !each.getModifiers().contains(JavaModifier.SYNTHETIC));
    }

    @Test
    void everyHookIsGuarded() {
        List<JavaMethod> hooks = hooks().toList();
        assertThat(hooks).hasSizeGreaterThan(40);

        assertThat(hooks)
                .filteredOn(hook -> hook.getMethodCallsFromSelf().stream()
                        .noneMatch(call -> call.getTargetOwner().isEquivalentTo(Guard.class)))
                .extracting(JavaMethod::getName)
                .containsExactlyElementsOf(EMPTY);
    }

    private static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("a fault"),
                new NullPointerException("a fault"),
                new NoSuchMethodError("a fault"),
                new NoClassDefFoundError("a fault"),
                new StackOverflowError("a fault"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultFailsTheOperationOnly(Throwable fault) {
        assertThatThrownBy(() -> Guard.require("hook", () -> sneak(fault)))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("hook")
                .hasCause(fault);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultAfterTheOperationChangesNothing(Throwable fault) {
        assertThatCode(() -> Guard.attempt("hook", () -> sneak(fault))).doesNotThrowAnyException();
    }

    @Test
    void whatTheCallerCannotHaveIsNotTriedAgain() {
        assertThatThrownBy(() -> Guard.require("hook", () -> {
                    throw new IllegalArgumentException("not this");
                }))
                .isInstanceOf(DoNotRetryIOException.class)
                .hasMessageContaining("not this")
                // As HBase sends it to clients.
                .satisfies(refusal -> assertThat(
                                StringUtils.stringifyException(refusal).lines())
                        .hasSize(1));
    }

    @Test
    void whatHBaseCanHandleIsLeftToIt() {
        var busy = new IOException("busy");
        assertThatThrownBy(() -> Guard.require("hook", () -> {
                    throw busy;
                }))
                .isSameAs(busy);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable fault) throws T {
        throw (T) fault;
    }
}
