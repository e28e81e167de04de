package io.leeway.testkit.arch;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/** Classes of a product's features other than the named ones. */
final class InOtherFeature extends DescribedPredicate<JavaClass> {

    private final String internal;
    private final List<String> features;

    InOtherFeature(String root, List<String> features) {
        super("are in a feature other than " + features);
        this.internal = root + ".internal.";
        this.features = features;
    }

    @Override
    public boolean test(JavaClass type) {
        if (!type.getPackageName().startsWith(internal)) {
            return false;
        }
        String feature = type.getPackageName().substring(internal.length());
        return features.stream().noneMatch(name -> feature.equals(name) || feature.startsWith(name + "."));
    }
}
