package io.leeway.testkit.arch;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/** Reads the clock, or draws randomness that nobody passed in. */
final class ReadTimeOrRandomness extends ArchCondition<JavaClass> {

    private static final Set<String> CALLS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.random.RandomGenerator.getDefault");

    private static final String CLOCKS = "java.time.";

    ReadTimeOrRandomness() {
        super("read the clock or draw randomness that was not passed in");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getCodeUnitCallsFromSelf().stream()
                .filter(call -> isForbidden(call.getTarget()))
                .forEach(call ->
                        events.add(SimpleConditionEvent.satisfied(call, ((JavaAccess<?>) call).getDescription())));
    }

    private static boolean isForbidden(AccessTarget.CodeUnitCallTarget target) {
        String owner = target.getOwner().getName();
        boolean noArguments = target.getRawParameterTypes().isEmpty();
        return CALLS.contains(owner + "." + target.getName())
                || (owner.startsWith(CLOCKS) && target.getName().equals("now") && noArguments)
                || (owner.equals("java.util.Random") && target.getName().equals("<init>") && noArguments);
    }
}
