package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyOption;
import io.leeway.privoxy.PrivoxyOptions;
import java.sql.DriverPropertyInfo;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Own options in JDBC's form. */
final class PropertyInfo {

    private PropertyInfo() {}

    static Stream<DriverPropertyInfo> of(Map<String, String> given) {
        return PrivoxyOptions.all().stream().map(option -> of(option, given.get(option.key())));
    }

    private static DriverPropertyInfo of(PrivoxyOption<?> option, @Nullable String given) {
        String value = given == null ? option.defaultText() : given;
        var info = new DriverPropertyInfo(option.key(), option.sensitive() ? null : value);
        String bounds = option.bounds().isEmpty() ? "" : " (" + option.bounds() + ")";
        info.description = option.description() + bounds;
        info.required = option == PrivoxyOptions.POLICY;
        if (!option.choices().isEmpty()) {
            info.choices = option.choices().toArray(String[]::new);
        }
        return info;
    }
}
