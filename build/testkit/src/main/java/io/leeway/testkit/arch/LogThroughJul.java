package io.leeway.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/**
 * Calls a method of {@code java.util.logging}. Calls only, since JDBC's {@code getParentLogger()} has its logger in the
 * signature and a driver must have that method.
 */
final class LogThroughJul extends ArchCondition<JavaClass> {

    LogThroughJul() {
        super("log through java.util.logging");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTargetOwner().getPackageName().equals("java.util.logging"))
                .forEach(call -> events.add(SimpleConditionEvent.satisfied(call, call.getDescription())));
    }
}
