package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.RowView;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.apps.Application;
import io.leeway.lazytables.apps.Seat;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/*
 * Documents are shared out; how often a document has a topic is its worker's own affair. How often a word has a topic, and
 * how many tokens a topic has, are tables: a row of topics for each word, and one row of totals. A clock reads the totals once
 * and every word that occurs once, and writes what changed. In a run whose workers may be replaced the topic of every token is in a
 * table, too: a cell for each, which its worker puts when it changes.
 */

/** The topic model over tables. */
public final class LdaApplication implements Application<LdaResult> {

    private static final int LIKELIHOOD = 0;
    private static final int SUMS = 1;
    /** Words whose rows are asked for at once. */
    private static final int AHEAD = 4096;
    /** Tokens in a row of their topics. */
    private static final int ROW = 1024;

    private final Corpus corpus;
    private final LdaModel model;

    /** For documents. */
    public LdaApplication(Corpus corpus, LdaModel model) {
        this.corpus = corpus;
        this.model = model;
    }

    @Override
    public String name() {
        return "lda";
    }

    @Override
    public String measure() {
        return "logLikelihoodPerToken";
    }

    @Override
    public int sums() {
        return SUMS;
    }

    @Override
    public double value(double[] sums) {
        return sums[LIKELIHOOD] / corpus.tokens();
    }

    @Override
    public boolean falls() {
        return false;
    }

    @Override
    public boolean canResume() {
        return true;
    }

    @Override
    public Part<LdaResult> part(Seat seat) {
        return new Share(seat);
    }

    private final class Share implements Part<LdaResult> {

        private final Seat seat;
        private final Table words;
        private final Table totals;
        /** Null if the workers of the run are not replaced. */
        private final @Nullable Table topics;

        private final TokenBlock[] blocks;
        /** The place of each block's first token among all. */
        private final int[] first;

        private final DocumentTopics documents;
        private final TopicSampler sampler;
        private final LogLikelihood likelihood = new LogLikelihood(model);

        Share(Seat seat) {
            this.seat = seat;
            words = seat.table(
                    "word-topics", TableSpec.dense(CellType.INT, model.topics()).rows(model.words()));
            totals = seat.table(
                    "topics", TableSpec.dense(CellType.INT, model.topics()).rows(1));
            topics = seat.settings().resumes() ? seat.table("token-topics", TableSpec.dense(CellType.INT, ROW)) : null;
            SplittableRandom random = seat.random();
            if (seat.worker().clocks() > 0) {
                // Who goes on does not draw once more what the one before it has drawn.
                random = new SplittableRandom(random.nextLong() + seat.worker().clocks());
            }
            int[] share = corpus.share(seat.number(), seat.of());
            documents = new DocumentTopics(corpus, share[0], share[1], model.topics());
            blocks = new TokenBlock[seat.settings().blocks()];
            first = new int[blocks.length];
            for (int b = 0; b < blocks.length; b++) {
                int from = share[0] + (int) ((long) (share[1] - share[0]) * b / blocks.length);
                int to = share[0] + (int) ((long) (share[1] - share[0]) * (b + 1) / blocks.length);
                blocks[b] = TokenBlock.of(corpus, from, to, share[0]);
                blocks[b].scatter(model.topics(), random);
                first[b] = corpus.start(from);
            }
            sampler = new TopicSampler(model, random);
        }

        @Override
        public void load() {
            for (int b = 0; b < blocks.length; b++) {
                TokenBlock block = blocks[b];
                documents.add(block);
                putTopics(b, 0, block.tokens(), null);
                for (int place = 0; place < block.words(); place++) {
                    for (int t = block.start(place); t < block.start(place + 1); t++) {
                        seat.worker().increment(words, block.word(place), block.topic(t), 1L);
                        seat.worker().increment(totals, 0, block.topic(t), 1L);
                    }
                }
            }
        }

        @Override
        public void resume() {
            Table from = Objects.requireNonNull(topics);
            for (int b = 0; b < blocks.length; b++) {
                for (int t = 0; t < blocks[b].tokens(); t++) {
                    int token = first[b] + t;
                    // The servers have all that counts of the worker before, so there is nothing to wait for.
                    RowView row = seat.worker().read(from, token / ROW, TableSpec.ASYNC);
                    blocks[b].topic(t, (int) row.getLong(token % ROW));
                }
                documents.add(blocks[b]);
            }
        }

        /** Writes the topics of tokens from one up to another, but not those that are as they were. */
        private void putTopics(int number, int from, int to, int @Nullable [] before) {
            if (topics == null) {
                return;
            }
            for (int t = from; t < to; t++) {
                int topic = blocks[number].topic(t);
                if (before == null || before[t - from] != topic) {
                    int token = first[number] + t;
                    seat.worker().put(topics, token / ROW, token % ROW, (long) topic);
                }
            }
        }

        private void sample(int number, int place) {
            TokenBlock block = blocks[number];
            int from = block.start(place);
            int to = block.start(place + 1);
            int[] before = topics == null ? null : block.topics(from, to);
            sampler.sample(block, place, documents);
            putTopics(number, from, to, before);
        }

        @Override
        public void prefetch(int number) {
            seat.prefetch(totals, 0);
            seat.prefetch(words, blocks[number].rows(0, AHEAD));
        }

        @Override
        public void work(int number) {
            TokenBlock block = blocks[number];
            RowView all = seat.read(totals, 0);
            for (int k = 0; k < model.topics(); k++) {
                sampler.total(k, (int) all.getLong(k));
            }
            sampler.totalsKnown();
            for (int place = 0; place < block.words(); place++) {
                if (place % AHEAD == 0) {
                    // While the rows of one stretch are used, those of the next are on the way.
                    seat.prefetch(words, block.rows(place + AHEAD, place + 2 * AHEAD));
                }
                int word = block.word(place);
                RowView row = seat.read(words, word);
                for (int i = 0; i < row.entries(); i++) {
                    sampler.count(row.columnAt(i), (int) row.longAt(i));
                }
                sample(number, place);
                sampler.finish((topic, by) -> seat.worker().increment(words, word, topic, (long) by));
            }
            sampler.totalChanges((topic, by) -> seat.worker().increment(totals, 0, topic, (long) by));
        }

        /** The words are shared out for this as the documents are for the work: no worker has it all to do. */
        @Override
        public void measure(double[] sums) {
            sums[LIKELIHOOD] += likelihood.ofDocuments(documents);
            int from = seat.from(model.words());
            int to = seat.to(model.words());
            for (int word = from; word < to; word++) {
                if ((word - from) % AHEAD == 0) {
                    seat.prefetchMissing(
                            words,
                            LongStream.range(word, Math.min(to, word + AHEAD)).toArray());
                }
                RowView row = seat.read(words, word);
                for (int i = 0; i < row.entries(); i++) {
                    sums[LIKELIHOOD] += likelihood.ofWordTopic((int) row.longAt(i));
                }
            }
            if (seat.number() == 0) {
                RowView all = seat.read(totals, 0);
                for (int k = 0; k < model.topics(); k++) {
                    sums[LIKELIHOOD] += likelihood.ofTotal((int) all.getLong(k));
                }
            }
        }

        @Override
        public LdaResult result() {
            int[][] topicWords = new int[model.topics()][model.words()];
            long[] inTotals = new long[model.topics()];
            for (int word = 0; word < model.words(); word++) {
                RowView row = seat.read(words, word);
                for (int k = 0; k < model.topics(); k++) {
                    topicWords[k][word] = (int) row.getLong(k);
                }
            }
            RowView all = seat.read(totals, 0);
            for (int k = 0; k < model.topics(); k++) {
                inTotals[k] = all.getLong(k);
            }
            return LdaResult.conserved(corpus, topicWords, inTotals);
        }
    }
}
