package io.leeway.eppi.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PpiIndexTest {

    private static final int PERSONS = 137;
    private static final int PROVIDERS = 9;

    private final RandomGenerator random = Seeds.random("index");
    private final List<KeyPair> keys = keys(PROVIDERS);
    private final List<BitSet> rows = rows();
    private final List<byte[]> signatures = new ArrayList<>();
    private final PpiIndex index = index();

    @Test
    void listsAreTheColumnsOfTheRows() {
        for (int person = 0; person < PERSONS; person++) {
            int number = person;
            int[] expected = java.util.stream.IntStream.range(0, PROVIDERS)
                    .filter(provider -> rows.get(provider).get(number))
                    .toArray();
            assertThat(index.entry(person).listed()).containsExactly(expected);
            assertThat(index.find(index.entry(person).token())).contains(person);
        }
        assertThat(index.find(new Token(-1, -1))).isEmpty();
    }

    @Test
    void aFileIsReadBack() throws IOException {
        PpiIndex read = PpiIndex.read(new ByteArrayInputStream(file(index.signed(List.of(new byte[] {1, 2})))));

        assertThat(read.root()).isEqualTo(index.root());
        assertThat(read.header().digest()).isEqualTo(index.header().digest());
        assertThat(read.rootSignatures()).hasSize(1);
        read.verifyRows(keys.stream().map(KeyPair::getPublic).toList());
    }

    @Test
    void anAnswerIsProvedAgainstTheRootAndNoOtherIs() {
        for (int person = 0; person < PERSONS; person++) {
            List<byte[]> proof = index.proof(person);
            byte[] leaf = index.entry(person).digest();
            assertThat(Merkle.root(leaf, person, PERSONS, proof)).isEqualTo(index.root());
            assertThat(Merkle.root(leaf, (person + 1) % PERSONS, PERSONS, proof))
                    .isNotEqualTo(index.root());
            byte[] other = index.entry((person + 1) % PERSONS).digest();
            assertThat(Merkle.root(other, person, PERSONS, proof)).isNotEqualTo(index.root());
        }
    }

    @Test
    void aRowFromWhichSomethingWasLeftOutIsFound() {
        rows.get(4).clear(rows.get(4).nextSetBit(0));

        assertThatExceptionOfType(EppiException.class)
                .isThrownBy(() -> rebuilt()
                        .verifyRows(keys.stream().map(KeyPair::getPublic).toList()))
                .satisfies(e -> assertThat(e.code()).isEqualTo(Code.SIGNATURE))
                .withMessageContaining("p4");
    }

    @Test
    void theRootNeedsTheSignaturesOfAllCoordinators() {
        List<KeyPair> coordinators = keys(3);
        byte[] statement = index.header().rootStatement(index.root());
        var signatures = new ArrayList<byte[]>();
        coordinators.forEach(pair -> signatures.add(Digests.sign(pair.getPrivate(), statement)));
        var publics = coordinators.stream().map(KeyPair::getPublic).toList();
        index.signed(signatures).verifyRoot(publics);

        for (int i = 0; i < 3; i++) {
            var forged = new ArrayList<>(signatures);
            forged.set(i, signatures.get((i + 1) % 3));
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> index.signed(forged).verifyRoot(publics));
        }
        assertThatExceptionOfType(EppiException.class)
                .isThrownBy(() -> index.signed(signatures.subList(0, 2)).verifyRoot(publics));
    }

    @Test
    void filesThatWereCutOrChangedAreRefusedOrHaveAnotherRoot() throws IOException {
        byte[] file = file(index);
        for (int round = 0; round < 400; round++) {
            byte[] changed = Arrays.copyOf(file, random.nextInt(file.length));
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> PpiIndex.read(new ByteArrayInputStream(changed)))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.FILE));
            byte[] flipped = file.clone();
            flipped[random.nextInt(file.length)] ^= (byte) (1 << random.nextInt(8));
            readOrRefuse(flipped);
        }
    }

    private void readOrRefuse(byte[] file) {
        try {
            PpiIndex.read(new ByteArrayInputStream(file));
        } catch (EppiException e) {
            assertThat(e.code()).isEqualTo(Code.FILE);
        }
    }

    @Test
    void rowsFromOutsideAreReadOrRefused() {
        assertThat(IndexBuilder.decode(IndexBuilder.encode(rows.get(0)), PERSONS))
                .isEqualTo(rows.get(0));
        var tooLong = new BitSet();
        tooLong.set(PERSONS);
        assertThat(IndexBuilder.decode(IndexBuilder.encode(tooLong), PERSONS)).isNull();
        byte[] noise = new byte[100];
        random.nextBytes(noise);
        assertThat(IndexBuilder.decode(noise, PERSONS)).isNull();
    }

    private static byte[] file(PpiIndex index) throws IOException {
        var bytes = new ByteArrayOutputStream();
        index.write(bytes);
        return bytes.toByteArray();
    }

    private PpiIndex index() {
        return builder(true).build();
    }

    /** With the signatures of the rows as they were at first. */
    private PpiIndex rebuilt() {
        IndexBuilder builder = builder(false);
        for (int i = 0; i < PROVIDERS; i++) {
            builder.add(i, rows.get(i), signatures.get(i));
        }
        return builder.build();
    }

    private IndexBuilder builder(boolean isFilled) {
        var wishes = new HashMap<Token, Double>();
        for (int i = 0; i < PERSONS; i++) {
            wishes.put(new Token(i * 7L, i), 0.5);
        }
        List<String> names = java.util.stream.IntStream.range(0, PROVIDERS)
                .mapToObj(i -> "p" + i)
                .toList();
        var header = new IndexHeader("test", 1, new byte[32], new byte[32], "basic", names);
        var builder = new IndexBuilder(header, Persons.ofClasses(wishes), new Outcome(new int[PERSONS]));
        for (int i = 0; i < PROVIDERS && isFilled; i++) {
            byte[] statement = header.rowStatement(i, IndexBuilder.rowDigest(rows.get(i), PERSONS));
            byte[] signature = Digests.sign(keys.get(i).getPrivate(), statement);
            signatures.add(signature);
            builder.add(i, rows.get(i), signature);
        }
        return builder;
    }

    private List<BitSet> rows() {
        var all = new ArrayList<BitSet>();
        for (int i = 0; i < PROVIDERS; i++) {
            var row = new BitSet();
            random.ints(60, 0, PERSONS).forEach(row::set);
            all.add(row);
        }
        return all;
    }

    private static List<KeyPair> keys(int count) {
        try {
            var generator = KeyPairGenerator.getInstance("Ed25519");
            var keys = new ArrayList<KeyPair>();
            for (int i = 0; i < count; i++) {
                keys.add(generator.generateKeyPair());
            }
            return keys;
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
