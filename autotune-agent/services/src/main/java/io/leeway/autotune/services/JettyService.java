package io.leeway.autotune.services;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A handler in embedded Jetty: {@code threads=, connections=, held=}. Prints its port. */
public final class JettyService {

    private JettyService() {}

    /** Starts it. */
    public static void main(String[] arguments) throws Exception {
        var given = new Arguments(arguments);
        Work work = given.work();
        var server = new Server(new QueuedThreadPool(given.number("threads", 200), 4));
        var connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setPort(given.number("port", 0));
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                String answer = work.answer(request.getHttpURI().getPath());
                response.write(true, ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)), callback);
                return true;
            }
        });
        server.start();
        System.out.println("port " + connector.getLocalPort());
        server.join();
    }
}
