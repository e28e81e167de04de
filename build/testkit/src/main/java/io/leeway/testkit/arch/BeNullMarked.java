package io.leeway.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Lives in a package whose {@code package-info} says {@link NullMarked}. */
final class BeNullMarked extends ArchCondition<JavaClass> {

    BeNullMarked() {
        super("live in a null-marked package");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        boolean marked = type.getPackage()
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
        if (!marked) {
            events.add(SimpleConditionEvent.violated(
                    type, type.getName() + ": package-info of " + type.getPackageName() + " is not @NullMarked"));
        }
    }
}
