package io.leeway.demo.lazytables;

import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import java.io.IOException;

/**
 * Topics of source text and factors of ratings, by four worker processes over two servers, of which one worker is slow at any time: in step, with slack, and at a pace that is chosen while it runs. A server is killed, and nothing is
 * lost.
 */
public final class LazyTablesDropIn implements DropIn {

    /** What {@code ./demo} starts. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new LazyTablesDropIn(), arguments);
    }

    @Override
    public String name() {
        return "lazytables";
    }

    @Override
    public String title() {
        return "lazytables-client: shared tables whose readers say how stale an answer may be";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        new SharedModels(context).show();
    }
}
