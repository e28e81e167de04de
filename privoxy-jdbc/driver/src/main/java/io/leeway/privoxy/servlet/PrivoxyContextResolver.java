package io.leeway.privoxy.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;

/**
 * Says who makes a web request. Called once for each request, on its thread; thread-safe.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface PrivoxyContextResolver {

    /** The policy's parameters by name; empty if nobody is logged in, which leaves only what is shown to everybody. */
    Map<String, ?> resolve(HttpServletRequest request);
}
