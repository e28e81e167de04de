package io.leeway.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Prints an exception to the console. Printing it into a given writer is something else. */
final class PrintStackTraces extends ArchCondition<JavaClass> {

    PrintStackTraces() {
        super("print stack traces to the console");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getMethodCallsFromSelf().stream()
                .filter(call -> call.getTarget().getName().equals("printStackTrace"))
                .filter(call -> call.getTarget().getRawParameterTypes().isEmpty())
                .forEach(call -> events.add(SimpleConditionEvent.satisfied(call, call.getDescription())));
    }
}
