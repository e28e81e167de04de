package io.leeway.autotune.services;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import java.net.InetSocketAddress;

/** A blocking handler in Undertow: {@code threads=, connections=, held=}. Prints its port. */
public final class UndertowService {

    private UndertowService() {}

    /** Starts it. */
    public static void main(String[] arguments) {
        var given = new Arguments(arguments);
        Work work = given.work();
        Undertow server = Undertow.builder()
                .addHttpListener(given.number("port", 0), "127.0.0.1")
                .setWorkerThreads(given.number("threads", 16))
                .setHandler(new BlockingHandler(
                        exchange -> exchange.getResponseSender().send(work.answer(exchange.getRequestPath()))))
                .build();
        server.start();
        System.out.println(
                "port " + ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort());
    }
}
