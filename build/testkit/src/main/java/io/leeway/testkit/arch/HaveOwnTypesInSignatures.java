package io.leeway.testkit.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.PackageMatchers;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Public and protected signatures name only the JDK, the product itself without its internals, and what is allowed. */
final class HaveOwnTypesInSignatures extends ArchCondition<JavaClass> {

    private final String internal;
    private final PackageMatchers allowed;

    HaveOwnTypesInSignatures(String root, List<String> thirdParties) {
        super("have only own types and types of the JDK in public signatures");
        this.internal = root + ".internal";
        var patterns = new ArrayList<>(List.of("java..", "javax..", root, root + "..", ""));
        patterns.addAll(thirdParties);
        this.allowed = PackageMatchers.of(patterns);
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream())
                .flatMap(parent -> parent.getAllInvolvedRawTypes().stream())
                .filter(this::isForeign)
                .forEach(parent -> report(type, type.getName() + " extends " + parent.getName(), events));
        type.getMembers().stream()
                .filter(HaveOwnTypesInSignatures::isVisible)
                .forEach(member -> check(type, member, events));
    }

    private void check(JavaClass type, JavaMember member, ConditionEvents events) {
        signature(member)
                .filter(this::isForeign)
                .distinct()
                .forEach(part -> report(type, member.getFullName() + " shows " + part.getName(), events));
    }

    private static boolean isVisible(JavaMember member) {
        var modifiers = member.getModifiers();
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }

    private static Stream<JavaClass> signature(JavaMember member) {
        if (member instanceof JavaCodeUnit unit) {
            Stream<JavaType> types = Stream.concat(unit.getParameterTypes().stream(), Stream.of(unit.getReturnType()));
            return Stream.concat(
                    types.flatMap(type -> type.getAllInvolvedRawTypes().stream()), unit.getExceptionTypes().stream());
        }
        return member.getAllInvolvedRawTypes().stream();
    }

    private boolean isForeign(JavaClass type) {
        JavaClass base = type.getBaseComponentType();
        String name = base.getPackageName();
        boolean ownInternal = name.equals(internal) || name.startsWith(internal + ".");
        return !base.isPrimitive() && (ownInternal || !allowed.test(name));
    }

    private static void report(JavaClass type, String violation, ConditionEvents events) {
        events.add(SimpleConditionEvent.violated(type, violation));
    }
}
