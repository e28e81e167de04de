package io.leeway.privoxy.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.privoxy.Refusal;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrivoxyFilterTest {

    private final Web web = new Web();
    private final List<Object> seen = new ArrayList<>();
    private final FilterChain noting = (request, response) ->
            seen.add(Privoxy.current().map(PrivoxyRequest::parameters).orElse(Set.of()));

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(Privoxy.current()).isEmpty();
    }

    @Test
    void theServletRunsForTheResolvedUser() throws Exception {
        var filter = new PrivoxyFilter(request -> Map.of("MyUId", 2));
        filter.init(config(Map.of()));

        filter.doFilter(web.request(), web.response(), noting);

        assertThat(seen).containsExactly(Set.of("MyUId"));
        assertThat(web.attributes).isEmpty();
    }

    @Test
    void thePrincipalIsTheDefaultSource() throws Exception {
        PrivoxyFilter filter = configured(Map.of("parameter", "MyName"));
        web.principal = () -> "ada";

        filter.doFilter(web.request(), web.response(), noting);

        assertThat(seen).containsExactly(Set.of("MyName"));
    }

    @Test
    void attributesOfSessionAndRequestAreSources() throws Exception {
        web.sessionAttributes.put("user", 2L);
        configured(Map.of("parameter", "A", "source", "session:user")).doFilter(web.request(), web.response(), noting);
        web.attributes.put("user", 3L);
        configured(Map.of("parameter", "B", "source", "request:user")).doFilter(web.request(), web.response(), noting);

        assertThat(seen).containsExactly(Set.of("A"), Set.of("B"));
    }

    @Test
    void nobodyIsNobody() throws Exception {
        for (String source : List.of("principal", "session:user", "request:user")) {
            configured(Map.of("parameter", "MyUId", "source", source)).doFilter(web.request(), web.response(), noting);
        }

        assertThat(seen).containsExactly(Set.of(), Set.of(), Set.of());
    }

    @Test
    void theRequestEndsThoughTheServletFails() throws Exception {
        PrivoxyFilter filter = configured(Map.of("parameter", "MyUId"));
        web.principal = () -> "ada";
        var begun = new ArrayList<PrivoxyRequest>();

        assertThatThrownBy(() -> filter.doFilter(web.request(), web.response(), (request, response) -> {
                    begun.add(Privoxy.current().orElseThrow());
                    throw new IOException("failed");
                }))
                .hasMessage("failed");

        assertThat(begun.get(0).isOpen()).isFalse();
    }

    @Test
    void anAsynchronousRequestGoesOnUntilItIsComplete() throws Exception {
        PrivoxyFilter filter = configured(Map.of("parameter", "MyUId"));
        web.principal = () -> "ada";
        web.async = true;
        var begun = new ArrayList<PrivoxyRequest>();
        filter.doFilter(
                web.request(),
                web.response(),
                (request, response) -> begun.add(Privoxy.current().orElseThrow()));
        assertThat(begun.get(0).isOpen()).isTrue();
        assertThat(Privoxy.current()).isEmpty();

        web.principal = () -> "somebody else";
        filter.doFilter(web.request(), web.response(), noting);
        assertThat(seen).as("the dispatch joins the request").containsExactly(Set.of("MyUId"));
        assertThat(web.listeners).hasSize(1);
        web.listeners.get(0).onStartAsync(web.event());
        web.listeners.get(0).onTimeout(web.event());
        web.listeners.get(0).onError(web.event());
        assertThat(web.listeners).hasSize(2);
        assertThat(begun.get(0).isOpen()).isTrue();

        web.listeners.get(0).onComplete(web.event());
        assertThat(begun.get(0).isOpen()).isFalse();
    }

    @Test
    void aForwardWithinARequestIsPartOfItAndNobodyIsAskedAgain() throws Exception {
        var asked = new ArrayList<String>();
        var filter = new PrivoxyFilter(request -> {
            asked.add("who");
            return Map.of("MyUId", asked.size());
        });
        filter.init(config(Map.of()));
        var begun = new ArrayList<PrivoxyRequest>();

        filter.doFilter(web.request(), web.response(), (request, response) -> {
            begun.add(Privoxy.current().orElseThrow());
            filter.doFilter(request, response, noting);
            noting.doFilter(request, response);
            assertThat(begun.get(0).isOpen()).as("after the forward").isTrue();
        });

        assertThat(asked).hasSize(1);
        assertThat(seen).containsExactly(Set.of("MyUId"), Set.of("MyUId"));
        assertThat(begun.get(0).isOpen()).isFalse();
        assertThat(web.attributes).isEmpty();
    }

    @Test
    void requestsOnOneThreadNeverMix() throws Exception {
        PrivoxyFilter ada = configured(Map.of("parameter", "Ada"));
        PrivoxyFilter bob = configured(Map.of("parameter", "Bob"));
        var other = new Web();
        web.principal = () -> "ada";
        other.principal = () -> "bob";

        ada.doFilter(web.request(), web.response(), noting);
        bob.doFilter(other.request(), other.response(), noting);
        // One within the other, as when a container includes another application.
        ada.doFilter(web.request(), web.response(), (request, response) -> {
            noting.doFilter(request, response);
            bob.doFilter(other.request(), other.response(), noting);
            noting.doFilter(request, response);
        });

        assertThat(seen).containsExactly(Set.of("Ada"), Set.of("Bob"), Set.of("Ada"), Set.of("Bob"), Set.of("Ada"));
    }

    @Test
    void aRequestWithoutAUserOnAThreadThatServedOneIsNobody() throws Exception {
        PrivoxyFilter filter = configured(Map.of("parameter", "MyUId"));
        web.principal = () -> "ada";
        filter.doFilter(web.request(), web.response(), noting);
        web.principal = null;

        filter.doFilter(web.request(), web.response(), noting);

        assertThat(seen).containsExactly(Set.of("MyUId"), Set.of());
    }

    @Test
    void anAsynchronousRequestWhoseServletFailsIsOver() throws Exception {
        PrivoxyFilter filter = configured(Map.of("parameter", "MyUId"));
        web.principal = () -> "ada";
        web.async = true;
        var begun = new ArrayList<PrivoxyRequest>();

        assertThatThrownBy(() -> filter.doFilter(web.request(), web.response(), (request, response) -> {
                    begun.add(Privoxy.current().orElseThrow());
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");

        assertThat(begun.get(0).isOpen()).isFalse();
        assertThat(web.listeners).isEmpty();
    }

    @Test
    void aRefusalMayBeAnsweredWithAStatus() throws Exception {
        PrivoxyFilter filter = configured(Map.of("parameter", "MyUId", "refusalStatus", "403"));
        web.principal = () -> "ada";
        var refusal = new PolicyViolationException(Refusal.of("q", "", "No."));

        filter.doFilter(web.request(), web.response(), (request, response) -> {
            throw new ServletException(new IllegalStateException(refusal));
        });
        assertThat(web.status).isEqualTo(403);

        assertThatThrownBy(() -> filter.doFilter(web.request(), web.response(), (request, response) -> {
                    throw new ServletException("something else");
                }))
                .hasMessage("something else");
        web.committed = true;
        assertThatThrownBy(() -> filter.doFilter(web.request(), web.response(), (request, response) -> {
                    throw new ServletException(refusal);
                }))
                .hasRootCause(refusal);
    }

    @Test
    void wrongConfigurationFailsAtStart() {
        assertThatThrownBy(() -> configured(Map.of())).hasMessageContaining("needs a resolver");
        assertThatThrownBy(() -> configured(Map.of("parameter", "A", "source", "cookie")))
                .hasMessageContaining("source must be");
        assertThatThrownBy(() -> configured(Map.of("parameter", "A", "source", "session:")))
                .hasMessageContaining("source must be");
        assertThatThrownBy(() -> configured(Map.of("parameter", "A", "sorce", "principal")))
                .hasMessageContaining("sorce");
        assertThatThrownBy(() -> configured(Map.of("parameter", "A", "refusalStatus", "200")))
                .hasMessageContaining("refusalStatus");
        assertThatThrownBy(() -> configured(Map.of("parameter", "A", "refusalStatus", "no")))
                .hasMessageContaining("refusalStatus");
        assertThatThrownBy(() -> new PrivoxyFilter().doFilter(web.request(), web.response(), noting))
                .isInstanceOf(ServletException.class);
    }

    private static PrivoxyFilter configured(Map<String, String> parameters) throws ServletException {
        var filter = new PrivoxyFilter();
        filter.init(config(parameters));
        return filter;
    }

    private static FilterConfig config(Map<String, String> parameters) {
        return proxy(FilterConfig.class, (name, argument) -> switch (name) {
            case "getInitParameter" -> parameters.get(argument);
            case "getInitParameterNames" -> Collections.enumeration(parameters.keySet());
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private interface Answers {
        @Nullable
        Object to(String method, @Nullable Object argument) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        Object proxy = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        answers.to(method.getName(), arguments == null ? null : arguments[arguments.length - 1]));
        return type.cast(proxy);
    }

    /** As much of a container as the filter needs. */
    private static final class Web {

        final Map<String, Object> attributes = new HashMap<>();
        final Map<String, Object> sessionAttributes = new HashMap<>();
        final List<AsyncListener> listeners = new ArrayList<>();

        @Nullable
        Principal principal;

        boolean async;
        boolean committed;
        int status;

        HttpServletRequest request() {
            return (HttpServletRequest) Proxy.newProxyInstance(
                    Web.class.getClassLoader(),
                    new Class<?>[] {HttpServletRequest.class},
                    (self, method, arguments) ->
                            request(method.getName(), arguments == null ? new Object[0] : arguments));
        }

        private @Nullable Object request(String method, Object[] arguments) {
            return switch (method) {
                case "getAttribute" -> attributes.get(arguments[0]);
                case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
                case "removeAttribute" -> attributes.remove(arguments[0]);
                case "getUserPrincipal" -> principal;
                case "getSession" -> sessionAttributes.isEmpty() ? null : session();
                case "isAsyncStarted" -> async;
                case "getAsyncContext" -> context();
                default -> throw new UnsupportedOperationException(method);
            };
        }

        private HttpSession session() {
            return proxy(HttpSession.class, (method, argument) -> sessionAttributes.get(argument));
        }

        private AsyncContext context() {
            return proxy(AsyncContext.class, (method, argument) -> {
                if (argument instanceof AsyncListener listener) {
                    listeners.add(listener);
                }
                return null;
            });
        }

        private @Nullable Object answer(@Nullable Object sent) {
            status = sent instanceof Integer code ? code : 0;
            return null;
        }

        AsyncEvent event() {
            return new AsyncEvent(context());
        }

        HttpServletResponse response() {
            return proxy(HttpServletResponse.class, (method, argument) -> switch (method) {
                case "isCommitted" -> committed;
                case "sendError" -> answer(argument);
                default -> throw new UnsupportedOperationException(method);
            });
        }
    }
}
