package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.Refusal;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.Wrapper;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The contract of {@link Wrapper}, without the way around the check that it would be: our own types are given, the
 * database's only if they are on the list, or outside enforce mode. Each type that is given is logged once.
 */
final class Unwrapping {

    private static final System.Logger LOG = System.getLogger(Unwrapping.class.getName());
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    private Unwrapping() {}

    static <T> T unwrap(Target target, Wrapper self, Wrapper delegate, Class<T> type) throws SQLException {
        if (type.isInstance(self)) {
            return type.cast(self);
        }
        if (!isAllowed(target, type)) {
            throw refusal(type);
        }
        T inner = type.isInstance(delegate) ? type.cast(delegate) : delegate.unwrap(type);
        if (LOGGED.add(type.getName())) {
            LOG.log(Level.INFO, "Unwrapped to {0}: what is done through it is not checked", type.getName());
        }
        return inner;
    }

    static boolean isWrapperFor(Target target, Wrapper self, Wrapper delegate, Class<?> type) throws SQLException {
        return type.isInstance(self)
                || (isAllowed(target, type) && (type.isInstance(delegate) || delegate.isWrapperFor(type)));
    }

    /** Whether a type of the database's driver may be reached. */
    static boolean isAllowed(Target target, Class<?> type) {
        return target.config().mode() != PrivoxyMode.ENFORCE
                || target.unwrappable().contains(type.getName());
    }

    private static PolicyViolationException refusal(Class<?> type) {
        String reason = "unwrap(" + type.getName() + ") would give access to the database without a check.";
        return new PolicyViolationException(PrivoxyErrorCode.UNWRAP_REFUSED, Refusal.of("", "", reason));
    }
}
