package io.leeway.lazytables.apps.lda;

import io.leeway.lazytables.apps.BadInputException;
import java.util.Arrays;
import java.util.List;

/**
 * Documents of numbered words, one behind the other. Immutable but for its arrays, which nobody changes.
 */
public final class Corpus {

    private final int[] start;
    private final int[] word;
    private final int words;
    private final List<String> vocabulary;

    /**
     * With the words of document d at {@code start[d]} up to {@code start[d + 1]}.
     *
     * @param words number of different words
     * @param vocabulary their texts in order, or empty
     */
    Corpus(int[] start, int[] word, int words, List<String> vocabulary) {
        this.start = start;
        this.word = word;
        this.words = words;
        this.vocabulary = List.copyOf(vocabulary);
        if (start.length == 0 || start[start.length - 1] != word.length) {
            throw new IllegalArgumentException("the last document ends behind or before the last word");
        }
        if (!vocabulary.isEmpty() && vocabulary.size() != words) {
            throw new IllegalArgumentException(vocabulary.size() + " texts for " + words + " words");
        }
    }

    /** From documents that are given as arrays of word numbers. */
    static Corpus of(int words, int[]... documents) {
        return of(words, List.of(), documents);
    }

    /** From documents that are given as arrays of the numbers of texts. */
    static Corpus of(List<String> vocabulary, int[]... documents) {
        return of(vocabulary.size(), vocabulary, documents);
    }

    private static Corpus of(int words, List<String> vocabulary, int[]... documents) {
        int[] start = new int[documents.length + 1];
        for (int d = 0; d < documents.length; d++) {
            start[d + 1] = start[d] + documents[d].length;
        }
        int[] all = new int[start[documents.length]];
        for (int d = 0; d < documents.length; d++) {
            System.arraycopy(documents[d], 0, all, start[d], documents[d].length);
        }
        return new Corpus(start, all, words, vocabulary);
    }

    /** Number of documents. */
    public int documents() {
        return start.length - 1;
    }

    /** Number of different words. */
    public int words() {
        return words;
    }

    /** Number of words in all documents. */
    public int tokens() {
        return word.length;
    }

    /** Where a document begins among all tokens; the number of documents is allowed too. */
    int start(int document) {
        return start[document];
    }

    int length(int document) {
        return start[document + 1] - start[document];
    }

    /** The word of a token. */
    int word(int token) {
        return word[token];
    }

    /** The words of a document in their order. */
    public int[] document(int number) {
        return Arrays.copyOfRange(word, start[number], start[number + 1]);
    }

    /** The text of a word, or its number. */
    public String text(int number) {
        return vocabulary.isEmpty() ? "word" + number : vocabulary.get(number);
    }

    /** The documents of one of several workers: as many tokens for each as whole documents allow. */
    int[] share(int worker, int workers) {
        return new int[] {
            boundary((long) tokens() * worker / workers), boundary((long) tokens() * (worker + 1) / workers)
        };
    }

    /** The first document that begins at or behind a token. */
    private int boundary(long token) {
        if (token >= tokens()) {
            return documents();
        }
        int found = Arrays.binarySearch(start, (int) token);
        // Empty documents begin where the next one does: all of them belong to one side.
        int first = found >= 0 ? found : -found - 1;
        while (first > 0 && start[first - 1] == start[first]) {
            first--;
        }
        return first;
    }

    /** Itself, if something can be learned from it. */
    Corpus required() {
        if (tokens() == 0) {
            throw new BadInputException("the corpus has no words; give more text or ask for less common words");
        }
        return this;
    }
}
