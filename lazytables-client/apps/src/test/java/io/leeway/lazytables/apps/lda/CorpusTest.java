package io.leeway.lazytables.apps.lda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.apps.BadInputException;
import io.leeway.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorpusTest {

    @TempDir
    Path folder;

    @Test
    void sharesGiveEveryDocumentToOneWorker() {
        Corpus corpus =
                Corpus.of(2, new int[0], new int[] {0, 1}, new int[0], new int[] {1}, new int[] {0, 0, 0}, new int[0]);

        for (int workers = 1; workers <= 9; workers++) {
            int next = 0;
            for (int worker = 0; worker < workers; worker++) {
                int[] share = corpus.share(worker, workers);
                assertThat(share[0]).isEqualTo(next);
                assertThat(share[1]).isGreaterThanOrEqualTo(share[0]);
                next = share[1];
            }
            assertThat(next).isEqualTo(corpus.documents());
        }
    }

    @Test
    void theSameSeedMakesTheSameDocuments() {
        long seed = Seeds.seed("same");

        Corpus one = SyntheticCorpus.generate(5, 10, 50, 3, seed).corpus();
        Corpus other = SyntheticCorpus.generate(5, 10, 50, 3, seed).corpus();

        assertThat(other.tokens()).isEqualTo(one.tokens());
        for (int t = 0; t < one.tokens(); t++) {
            assertThat(other.word(t)).isEqualTo(one.word(t));
        }
    }

    @Test
    void readsBagsOfWords() throws IOException {
        Path docword = write("docword.txt", "3\n2\n3\n3 1 2\n1 2 1\n3 2 1\n");
        Path vocabulary = write("vocab.txt", "apple\npear\n");

        Corpus corpus = BagOfWordsFile.read(docword, vocabulary);

        assertThat(corpus.documents()).isEqualTo(3);
        assertThat(corpus.tokens()).isEqualTo(4);
        assertThat(corpus.length(1)).isZero();
        assertThat(corpus.text(corpus.word(0))).isEqualTo("pear");
        assertThat(List.of(corpus.word(1), corpus.word(2), corpus.word(3))).containsExactly(0, 0, 1);
    }

    @Test
    void readsCompressedBagsOfWords() throws IOException {
        Path docword = folder.resolve("docword.txt.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(docword))) {
            out.write("1\n1\n1\n1 1 7\n".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(BagOfWordsFile.read(docword, null).tokens()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x | line 1: the number of documents is no whole number: 'x'",
                "1;1;1;2 1 1 | line 4: the document is 2, not within 1 to 1",
                "1;1;1;1 0 1 | line 4: the word is 0, not within 1 to 1",
                "1;1;1;1 1 0 | line 4: the count is 0",
                "1;1;1;1 1 | line 4: there are 2 parts",
                "1;1;2;1 1 1 | ends behind line 4, where a triple",
                "1;1;1;1 1 1;1 1 1 | line 5: there are more than the 1 triples",
                "1;1;0 | the corpus has no words",
                "1;1;2;1 1 2147483000;1 1 2147483000 | line 5: document 1 has more than",
                "2;1;2;1 1 2147483000;2 1 2147483000 | the documents have more than"
            })
    void saysWhatIsWrongWithABagOfWords(String text, String message) throws IOException {
        Path file = write("docword.txt", text.replace(';', '\n') + "\n");

        assertThatThrownBy(() -> BagOfWordsFile.read(file, null))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void saysThatAVocabularyBelongsToAnotherCollection() throws IOException {
        Path docword = write("docword.txt", "1\n1\n1\n1 1 1\n");
        Path vocabulary = write("vocab.txt", "apple\npear\n");

        assertThatThrownBy(() -> BagOfWordsFile.read(docword, vocabulary)).hasMessageContaining("belong together");
    }

    @Test
    void saysThatAFileIsMissingOrIsNoText() throws IOException {
        Path binary = folder.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe, 10});

        assertThatThrownBy(() -> BagOfWordsFile.read(folder.resolve("none"), null))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> BagOfWordsFile.read(binary, null))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void readsTheWordsOfJars() throws IOException {
        Path jar = folder.resolve("some-sources.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (int i = 0; i < 12; i++) {
                zip.putNextEntry(new ZipEntry("org/File" + i + ".java"));
                // "everywhere" is in too many files, "once" in too few.
                String text =
                        "public everywhere " + (i < 3 ? "tableRowKeys <b>bold</b>" : "") + (i == 5 ? " once" : "");
                zip.write(text.getBytes(StandardCharsets.UTF_8));
            }
            zip.putNextEntry(new ZipEntry("picture.png"));
            zip.write(new byte[] {1, 2, 3});
        }

        Corpus corpus = JarText.read(List.of(jar));

        assertThat(corpus.documents()).isEqualTo(12);
        assertThat(List.of(corpus.text(0), corpus.text(1), corpus.text(2), corpus.text(3)))
                .containsExactly("bold", "keys", "row", "table");
        assertThat(corpus.words()).isEqualTo(4);
        assertThat(corpus.tokens()).isEqualTo(12);
    }

    @Test
    void saysThatAJarHasNoText() throws IOException {
        Path jar = folder.resolve("classes.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("A.class"));
        }

        assertThatThrownBy(() -> JarText.read(List.of(jar))).hasMessageContaining("-sources or -javadoc");
        assertThatThrownBy(() -> JarText.read(List.of(write("text.jar", "no zip"))))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("as a jar");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
