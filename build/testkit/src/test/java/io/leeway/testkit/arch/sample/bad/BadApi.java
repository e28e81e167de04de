package io.leeway.testkit.arch.sample.bad;

import com.tngtech.archunit.core.domain.JavaClass;
import io.leeway.testkit.arch.sample.bad.internal.decide.BadDecision;
import java.util.List;

/** Shows a third party's type and an internal one. */
public final class BadApi {

    public List<JavaClass> thirdParty() {
        return List.of();
    }

    public BadDecision internal() {
        return new BadDecision();
    }
}
