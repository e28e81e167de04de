package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.lazytables.apps.InputLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The format in which UCI publishes collections such as NYTimes and PubMed: a line each with the numbers of documents, of
 * words and of triples, then the triples {@code document word count}, counted from one; the vocabulary in a file of its own,
 * a word per line.
 */
public final class BagOfWordsFile {

    private static final int MOST = Integer.MAX_VALUE - 8;

    private BagOfWordsFile() {}

    /** Reads it; without vocabulary the words have numbers only. */
    public static Corpus read(Path docword, @Nullable Path vocabulary) {
        try (InputLines lines = InputLines.open(docword)) {
            int documents =
                    (int) lines.whole("the number of documents", lines.required("the number of documents"), 1, MOST);
            int words = (int) lines.whole("the number of words", lines.required("the number of words"), 1, MOST);
            int triples =
                    (int) lines.whole("the number of triples", lines.required("the number of triples"), 0, MOST / 3);
            int[] triple = new int[3 * triples];
            int[] start = new int[documents + 1];
            for (int i = 0; i < triples; i++) {
                readTriple(lines, triple, 3 * i, documents, words, start);
            }
            refuseMore(lines, triples);
            Corpus corpus = new Corpus(start, fill(triple, start), words, texts(vocabulary, words));
            return corpus.required();
        }
    }

    private static void readTriple(InputLines lines, int[] triple, int at, int documents, int words, int[] start) {
        String line = lines.required("a triple of document, word and count");
        String[] parts = line.strip().split("\\s+");
        if (parts.length != 3) {
            throw lines.fault("there are " + parts.length + " parts, not document, word and count");
        }
        triple[at] = (int) lines.whole("the document", parts[0], 1, documents);
        triple[at + 1] = (int) lines.whole("the word", parts[1], 1, words) - 1;
        triple[at + 2] = (int) lines.whole("the count", parts[2], 1, MOST);
        // Counts first, which become places below.
        long length = (long) start[triple[at]] + triple[at + 2];
        if (length > MOST) {
            throw lines.fault("document " + triple[at] + " has more than " + MOST + " words");
        }
        start[triple[at]] = (int) length;
    }

    private static void refuseMore(InputLines lines, int triples) {
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (!line.isBlank()) {
                throw lines.fault("there are more than the " + triples + " triples that line 3 promises");
            }
        }
    }

    private static int[] fill(int[] triple, int[] start) {
        long tokens = 0;
        for (int d = 1; d < start.length; d++) {
            tokens += start[d];
            if (tokens > MOST) {
                throw new BadInputException("the documents have more than " + MOST + " words; split the collection");
            }
            start[d] = (int) tokens;
        }
        int[] word = new int[(int) tokens];
        int[] next = start.clone();
        for (int i = 0; i < triple.length; i += 3) {
            int from = next[triple[i] - 1];
            next[triple[i] - 1] = from + triple[i + 2];
            Arrays.fill(word, from, from + triple[i + 2], triple[i + 1]);
        }
        return word;
    }

    private static List<String> texts(@Nullable Path vocabulary, int words) {
        if (vocabulary == null) {
            return List.of();
        }
        try (InputLines lines = InputLines.open(vocabulary)) {
            var texts = new ArrayList<String>();
            for (String line = lines.next(); line != null; line = lines.next()) {
                texts.add(line.strip());
            }
            if (texts.size() != words) {
                throw new BadInputException(vocabulary + " has " + texts.size() + " words, but the collection says "
                        + words + "; do both files belong together?");
            }
            return texts;
        }
    }
}
