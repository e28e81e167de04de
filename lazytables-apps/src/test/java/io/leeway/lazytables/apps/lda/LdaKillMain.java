package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Arguments;
import io.leeway.lazytables.apps.Launch;
import io.leeway.lazytables.apps.Seat;
import java.nio.file.Files;
import java.nio.file.Path;

/** Topics of made-up texts, until a file is there: all workers end at the clock at which all have seen it. */
public final class LdaKillMain {

    private static final int TOPICS = 4;

    private LdaKillMain() {}

    /** Runs it; see {@link LdaKillTest}. */
    public static void main(String[] typed) {
        System.exit(Launch.run(LdaKillMain::run, typed));
    }

    private static void run(Arguments arguments, Launch launch) {
        Path stop = Path.of(String.valueOf(arguments.text("until")));
        Corpus corpus =
                SyntheticCorpus.generate(300, 60, 300, TOPICS, launch.seed()).corpus();
        var model = new LdaModel(TOPICS, corpus.words(), 0.1, 0.01);
        launch.run(new Until(new LdaApplication(corpus, model), stop))
                .result()
                .lines(corpus)
                .forEach(launch::say);
    }

    /** The application with one more sum: how many workers have not seen the file. */
    private record Until(LdaApplication inner, Path stop) implements Application<LdaResult> {

        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public String measure() {
            return inner.measure();
        }

        @Override
        public int sums() {
            return inner.sums() + 1;
        }

        @Override
        public double value(double[] sums) {
            return inner.value(sums);
        }

        @Override
        public boolean isAtRest(double[] sums) {
            return sums[inner.sums()] == 0;
        }

        @Override
        public boolean falls() {
            return inner.falls();
        }

        @Override
        public boolean canResume() {
            return true;
        }

        @Override
        public Part<LdaResult> part(Seat seat) {
            Part<LdaResult> part = inner.part(seat);
            return new Part<>() {

                @Override
                public void load() {
                    part.load();
                }

                @Override
                public void resume() {
                    part.resume();
                }

                @Override
                public void prefetch(int block) {
                    part.prefetch(block);
                }

                @Override
                public void work(int block) {
                    part.work(block);
                }

                @Override
                public void measure(double[] sums) {
                    part.measure(sums);
                    sums[inner.sums()] += Files.exists(stop) ? 0 : 1;
                }

                @Override
                public LdaResult result() {
                    return part.result();
                }
            };
        }
    }
}
