package io.leeway.autotune.internal.agent;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.matcher.ElementMatcher;
import net.bytebuddy.utility.JavaModule;

/**
 * Which methods of which classes get which advice. Classes are matched by their exact name or by a name that ends so
 * (libraries that others have relocated); no class hierarchy is looked at, which is what makes agents slow. Only
 * method bodies change, so that other agents, before or after this one, are not in the way.
 */
final class Instrumenter {

    private record Target(
            String className, boolean suffix, Class<?> advice, ElementMatcher<? super MethodDescription> methods) {

        boolean matches(String name) {
            return suffix ? name.endsWith(className) : name.equals(className);
        }
    }

    private final List<Target> targets = new ArrayList<>();

    Instrumenter(List<String> entries) {
        exact("java.util.concurrent.ThreadPoolExecutor", Advices.Used.class, named("execute"));
        library(
                "com.zaxxer.hikari.pool.HikariPool",
                Advices.Used.class,
                named("getConnection").and(takesArguments(1)));
        library("org.apache.commons.dbcp2.BasicDataSource", Advices.Used.class, named("getConnection"));
        library("org.apache.tomcat.util.net.AbstractEndpoint", Advices.Used.class, named("processSocket"));
        library(
                "org.apache.tomcat.util.net.SocketProcessorBase",
                Advices.Queued.class,
                isConstructor().or(named("reset")));
        library("org.apache.tomcat.util.net.SocketProcessorBase", Advices.Taken.class, named("run"));
        library(
                "org.apache.catalina.connector.CoyoteAdapter",
                Advices.RequestAndResponse.class,
                named("service").and(takesArguments(2)));
        library("org.eclipse.jetty.util.thread.QueuedThreadPool", Advices.Used.class, named("execute"));
        library(
                "org.eclipse.jetty.util.thread.QueuedThreadPool",
                Advices.JettyQueued.class,
                named("execute").and(takesArguments(1)));
        library(
                "org.eclipse.jetty.util.thread.QueuedThreadPool",
                Advices.JettyTaken.class,
                named("runJob").and(takesArguments(1)));
        library(
                "org.eclipse.jetty.server.Server",
                Advices.RequestAndResponse.class,
                named("handle").and(takesArguments(3)));
        library(
                "org.eclipse.jetty.server.Server",
                Advices.Request.class,
                named("handle").and(takesArguments(1)));
        library("org.xnio.XnioWorker", Advices.Used.class, named("execute"));
        library(
                "io.undertow.server.Connectors",
                Advices.UndertowBegin.class,
                named("executeRootHandler").and(takesArguments(2)));
        library("io.undertow.server.HttpServerExchange", Advices.UndertowEnd.class, named("endExchange"));
        library(
                "io.netty.handler.codec.http.HttpObjectDecoder",
                Advices.NettyDecoder.class,
                named("decode").and(takesArguments(3)));
        library(
                "io.netty.handler.codec.http.HttpObjectEncoder",
                Advices.NettyEncoder.class,
                named("encode").and(takesArguments(3)));
        library("io.netty.channel.SingleThreadEventLoop", Advices.Used.class, named("register"));
        library(
                "io.agroal.pool.ConnectionPool",
                Advices.Used.class,
                named("getConnection").and(takesArguments(0)));
        library("org.jboss.threads.EnhancedQueueExecutor", Advices.Used.class, named("execute"));
        library(
                "com.github.benmanes.caffeine.cache.BoundedLocalCache",
                Advices.Used.class,
                named("afterRead").or(named("afterWrite")));
        library("http.impl.conn.PoolingHttpClientConnectionManager", Advices.Used.class, named("requestConnection"));
        library(
                "client5.http.impl.io.PoolingHttpClientConnectionManager",
                Advices.Used.class,
                named("lease").and(takesArguments(4)));
        library(
                "client5.http.impl.nio.PoolingAsyncClientConnectionManager",
                Advices.Used.class,
                named("lease").and(takesArguments(5)));
        exact("io.micrometer.core.instrument.MeterRegistry", Advices.Made.class, isConstructor());
        exact(
                "io.micrometer.core.instrument.MeterRegistry",
                Advices.Used.class,
                named("getMeters").or(named("registerMeterIfNecessary")));
        library("okhttp3.Dispatcher", Advices.Used.class, isMethod().and(isPublic()));
        exact("sun.net.httpserver.ServerImpl$Exchange", Advices.Queued.class, isConstructor());
        exact("sun.net.httpserver.ServerImpl$Exchange", Advices.JdkExchange.class, named("run"));
        exact("sun.net.httpserver.ExchangeImpl", Advices.JdkStatus.class, named("sendResponseHeaders"));
        exact("com.sun.net.httpserver.Filter$Chain", Advices.JdkFilter.class, named("doFilter"));
        for (String entry : entries) {
            int at = entry.indexOf('#');
            exact(
                    entry.substring(0, at),
                    Advices.Request.class,
                    named(entry.substring(at + 1)).and(not(isStatic())));
        }
    }

    private void exact(String name, Class<?> advice, ElementMatcher<? super MethodDescription> methods) {
        targets.add(new Target(name, false, advice, methods));
    }

    private void library(String name, Class<?> advice, ElementMatcher<? super MethodDescription> methods) {
        targets.add(new Target(name, true, advice, methods));
    }

    private boolean isTarget(String name) {
        for (Target target : targets) {
            if (target.matches(name)) {
                return true;
            }
        }
        return false;
    }

    /** Changes the classes that are there, and those to come. */
    void install(Instrumentation instrumentation, Consumer<String> failures) {
        new AgentBuilder.Default(new ByteBuddy().with(TypeValidation.DISABLED))
                .disableClassFormatChanges()
                .with(AgentBuilder.PoolStrategy.Default.FAST)
                .with(AgentBuilder.DescriptionStrategy.Default.POOL_FIRST)
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .with(new AgentBuilder.RedefinitionStrategy.DiscoveryStrategy.Explicit(loaded(instrumentation)))
                .with(new Failures(failures))
                .ignore((type, loader, module, redefined, domain) -> !isTarget(type.getName()))
                .type((type, loader, module, redefined, domain) -> isTarget(type.getName()))
                .transform((builder, type, loader, module, domain) -> {
                    DynamicType.Builder<?> changed = builder;
                    for (Target target : targets) {
                        if (target.matches(type.getName())) {
                            changed = changed.visit(Advice.to(target.advice()).on(target.methods()));
                        }
                    }
                    return changed;
                })
                .installOn(instrumentation);
    }

    private Set<Class<?>> loaded(Instrumentation instrumentation) {
        var found = new HashSet<Class<?>>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            if (isTarget(type.getName()) && instrumentation.isModifiableClass(type)) {
                found.add(type);
            }
        }
        return found;
    }

    /** A class that could not be changed is reported once and left as it is. */
    private static final class Failures extends AgentBuilder.Listener.Adapter {

        private final Consumer<String> log;

        Failures(Consumer<String> log) {
            this.log = log;
        }

        @Override
        public void onError(String name, ClassLoader loader, JavaModule module, boolean loaded, Throwable throwable) {
            log.accept("left as it is: " + name + " (" + throwable + ")");
        }
    }
}
