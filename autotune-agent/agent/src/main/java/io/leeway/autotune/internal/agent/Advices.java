package io.leeway.autotune.internal.agent;

import io.leeway.autotune.internal.bridge.Bridge;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** The code that is put into methods of the host; each is a call into the bridge and nothing else. */
final class Advices {

    private Advices() {}

    /** At the entry of a method that is called whenever a pool is used. */
    static final class Used {
        private Used() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.This Object host) {
            Bridge.seen(host);
        }
    }

    /** At the end of a constructor of something that is looked at. */
    static final class Made {
        private Made() {}

        @Advice.OnMethodExit(suppress = Throwable.class)
        static void exit(@Advice.This Object host) {
            Bridge.seen(host);
        }
    }

    /** At the end of a constructor, or of a method that makes a unit of work ready. */
    static final class Queued {
        private Queued() {}

        @Advice.OnMethodExit(suppress = Throwable.class)
        static void exit(@Advice.This Object unit) {
            Bridge.queued(unit);
        }
    }

    /** Around the run of a unit of work in which requests begin. */
    static final class Taken {
        private Taken() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.This Object unit) {
            Bridge.taken(unit);
        }

        @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
        static void exit() {
            Bridge.released();
        }
    }

    /** Around a method that is a request. */
    static final class Request {
        private Request() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter() {
            Bridge.begin();
        }

        @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
        static void exit(@Advice.Thrown Throwable thrown) {
            Bridge.end(thrown != null);
        }
    }

    /** Around a method that is a request and gets its response as the second argument. */
    static final class RequestAndResponse {
        private RequestAndResponse() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) Object request) {
            Bridge.begin();
            Bridge.request(request);
        }

        @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
        static void exit(@Advice.Argument(1) Object response, @Advice.Thrown Throwable thrown) {
            Bridge.end(thrown != null || Bridge.status(response) >= 500);
        }
    }

    /** Around the run of the JDK server's exchange, which may turn out to be a closed connection. */
    static final class JdkExchange {
        private JdkExchange() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.This Object exchange) {
            Bridge.taken(exchange);
            Bridge.begin();
        }

        @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
        static void exit() {
            Bridge.endIfAnswered();
            Bridge.released();
        }
    }

    /** Where the JDK server sends the status. */
    static final class JdkStatus {
        private JdkStatus() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) int status) {
            Bridge.answered(status);
        }
    }

    /** Where an exception of a handler of the JDK server passes. */
    static final class JdkFilter {
        private JdkFilter() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) Object exchange) {
            Bridge.request(exchange);
        }

        @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
        static void exit(@Advice.Thrown Throwable thrown) {
            if (thrown != null) {
                Bridge.failed();
            }
        }
    }

    /** Where Jetty's pool gets a job; a strategy that goes on producing is none that a request waits in. */
    static final class JettyQueued {
        private JettyQueued() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) Object job) {
            Bridge.queuedUnlessProducer(job);
        }
    }

    /** Around the run of a job of Jetty's pool. */
    static final class JettyTaken {
        private JettyTaken() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) Object job) {
            Bridge.takenIfQueued(job);
        }

        @Advice.OnMethodExit(suppress = Throwable.class, onThrowable = Throwable.class)
        static void exit(@Advice.This Object pool) {
            Bridge.released();
            Bridge.worked(pool);
        }
    }

    /** Where Netty makes messages of what came in. */
    static final class NettyDecoder {
        private NettyDecoder() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static int enter(@Advice.Argument(2) List<?> out) {
            return out.size();
        }

        @Advice.OnMethodExit(suppress = Throwable.class)
        static void exit(
                @Advice.Argument(0) Object context, @Advice.Argument(2) List<?> out, @Advice.Enter int before) {
            Bridge.decoded(context, out, before);
        }
    }

    /** Where Netty writes messages; clients' requests too, which the bridge leaves alone. */
    static final class NettyEncoder {
        private NettyEncoder() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(0) Object context, @Advice.Argument(1) Object message) {
            Bridge.encoded(context, message);
        }
    }

    /** Where Undertow begins with an exchange, on whichever thread. */
    static final class UndertowBegin {
        private UndertowBegin() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.Argument(1) Object exchange) {
            Bridge.arrived(exchange);
        }
    }

    /** Where Undertow ends an exchange. */
    static final class UndertowEnd {
        private UndertowEnd() {}

        @Advice.OnMethodEnter(suppress = Throwable.class)
        static void enter(@Advice.This Object exchange) {
            Bridge.finished(exchange);
        }
    }
}
