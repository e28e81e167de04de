package io.leeway.privoxy.servlet;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes each web request a request of the policy: begun before the servlet, ended after it, or after the last of its
 * asynchronous parts. To be mapped with support for asynchronous requests, after authentication.
 *
 * <p>The context comes from a {@link PrivoxyContextResolver}, or by init parameters:
 *
 * <ul>
 *   <li>{@code parameter}: name of the policy's parameter, as {@code MyUId}
 *   <li>{@code source}: {@code principal} for the name of the user, which is the default, {@code session:<attribute>} or
 *       {@code request:<attribute>}
 *   <li>{@code refusalStatus}: HTTP status to answer if a refused query reaches the filter; without it the exception goes
 *       on
 * </ul>
 *
 * <p>Thread-safe. Threads that an application starts itself join with {@link PrivoxyRequest#wrap(Runnable)}.
 *
 * @since 0.1
 */
public final class PrivoxyFilter implements Filter {

    private static final String ATTRIBUTE = PrivoxyFilter.class.getName() + ".request";
    private static final Set<String> PARAMETERS = Set.of("parameter", "source", "refusalStatus");

    private volatile @Nullable PrivoxyContextResolver resolver;
    private volatile int refusalStatus;

    /** A filter that is configured by init parameters. */
    public PrivoxyFilter() {}

    /** A filter that asks the application who makes a request. */
    public PrivoxyFilter(PrivoxyContextResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        var unknown = new TreeSet<String>();
        config.getInitParameterNames().asIterator().forEachRemaining(unknown::add);
        unknown.removeAll(PARAMETERS);
        if (!unknown.isEmpty()) {
            throw new ServletException("PrivoxyFilter does not know the init parameters " + unknown);
        }
        refusalStatus = status(config.getInitParameter("refusalStatus"));
        if (resolver == null) {
            resolver = configured(config.getInitParameter("parameter"), config.getInitParameter("source"));
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        PrivoxyContextResolver who = resolver;
        if (who == null || !(request instanceof HttpServletRequest web)) {
            throw new ServletException("PrivoxyFilter is not configured, or the request is not one of HTTP");
        }
        if (web.getAttribute(ATTRIBUTE) instanceof PrivoxyRequest begun && begun.isOpen()) {
            filter(begun, web, response, chain);
        } else {
            begin(who.resolve(web), web, response, chain);
        }
    }

    private void begin(Map<String, ?> context, HttpServletRequest web, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (context.isEmpty()) {
            chain.doFilter(web, response);
            return;
        }
        PrivoxyRequest begun = Privoxy.open(context);
        web.setAttribute(ATTRIBUTE, begun);
        boolean goesOn = false;
        try {
            filter(begun, web, response, chain);
            if (web.isAsyncStarted()) {
                web.getAsyncContext().addListener(new EndOfRequest(begun));
                goesOn = true;
            }
        } finally {
            if (!goesOn) {
                web.removeAttribute(ATTRIBUTE);
                begun.close();
            }
        }
    }

    private void filter(PrivoxyRequest begun, HttpServletRequest web, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        PrivoxyRequest.Joined joined = begun.join();
        try {
            chain.doFilter(web, response);
        } catch (IOException | ServletException | RuntimeException failed) {
            if (refusalStatus == 0 || response.isCommitted() || !isRefusal(failed)) {
                throw failed;
            }
            ((HttpServletResponse) response).sendError(refusalStatus);
        } finally {
            joined.close();
        }
    }

    private static boolean isRefusal(Throwable failed) {
        Throwable cause = failed;
        for (int depth = 0; cause != null && depth < 100; depth++) {
            if (cause instanceof PolicyViolationException) {
                return true;
            }
            cause = cause instanceof ServletException servlet && servlet.getRootCause() != null
                    ? servlet.getRootCause()
                    : cause.getCause();
        }
        return false;
    }

    private static int status(@Nullable String text) throws ServletException {
        if (text == null) {
            return 0;
        }
        try {
            int status = Integer.parseInt(text.strip());
            if (status >= 400 && status < 600) {
                return status;
            }
        } catch (NumberFormatException notANumber) {
            // Falls through to the same message as a number out of range.
        }
        throw new ServletException("refusalStatus must be an HTTP status from 400 to 599");
    }

    private static PrivoxyContextResolver configured(@Nullable String parameter, @Nullable String source)
            throws ServletException {
        if (parameter == null || parameter.isBlank()) {
            throw new ServletException("PrivoxyFilter needs a resolver or the init parameter \"parameter\"");
        }
        String from = source == null ? "principal" : source.strip();
        String attribute = from.substring(from.indexOf(':') + 1);
        if (from.equals("principal")) {
            return request -> context(parameter, principal(request));
        }
        if (from.startsWith("session:") && !attribute.isEmpty()) {
            return request -> context(parameter, sessionAttribute(request, attribute));
        }
        if (from.startsWith("request:") && !attribute.isEmpty()) {
            return request -> context(parameter, request.getAttribute(attribute));
        }
        throw new ServletException("source must be principal, session:<attribute> or request:<attribute>");
    }

    private static Map<String, ?> context(String parameter, @Nullable Object value) {
        return value == null ? Map.of() : Map.of(parameter, value);
    }

    private static @Nullable Object principal(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    private static @Nullable Object sessionAttribute(HttpServletRequest request, String attribute) {
        HttpSession session = request.getSession(false);
        return session == null ? null : session.getAttribute(attribute);
    }

    /** Ends the request with its last asynchronous part. A part that starts another one takes the listener along. */
    private record EndOfRequest(PrivoxyRequest request) implements AsyncListener {

        @Override
        public void onComplete(AsyncEvent event) {
            request.close();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // The container completes the request, or the application does; onComplete follows.
        }

        @Override
        public void onError(AsyncEvent event) {
            // As for onTimeout.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
