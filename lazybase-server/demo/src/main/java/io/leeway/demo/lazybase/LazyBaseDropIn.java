package io.leeway.demo.lazybase;

import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import java.io.IOException;

/** Tweets that come in at full speed, the same question at four freshnesses meanwhile, and a server that is killed and goes on. */
public final class LazyBaseDropIn implements DropIn {

    /** What {@code ./demo} starts. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new LazyBaseDropIn(), arguments);
    }

    @Override
    public String name() {
        return "lazybase";
    }

    @Override
    public String title() {
        return "lazybase-server: a warehouse where each query chooses how fresh its answer is";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        new Tweets(context).show();
    }
}
