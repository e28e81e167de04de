package io.leeway.lazybase;

import java.util.HashMap;

/** The command line. */
public final class LazyBaseCommand {

    private LazyBaseCommand() {}

    public static void main(String[] arguments) throws InterruptedException {
        var given = new HashMap<String, String>();
        for (String argument : arguments) {
            if (argument.startsWith("--")) {
                int split = argument.indexOf('=');
                given.put("lazybase." + argument.substring(2, split), argument.substring(split + 1));
            }
        }
        LazyBaseServer server = LazyBaseServer.start(LazyBaseOptions.of(given));
        System.out.println(server.jdbcUrl());
        Thread.currentThread().join();
    }
}
