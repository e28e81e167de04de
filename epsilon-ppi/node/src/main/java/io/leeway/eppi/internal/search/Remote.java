package io.leeway.eppi.internal.search;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.index.IndexEntry;
import io.leeway.eppi.internal.index.IndexHeader;
import io.leeway.eppi.internal.index.Merkle;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import java.io.ByteArrayInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The index at its server, which is not trusted: every answer is checked against the root that all coordinators signed.
 * Thread-safe.
 */
public final class Remote {

    /**
     * What was signed, checked.
     *
     * @param header which index
     * @param root of its entries
     * @param size how many they are
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Signed(IndexHeader header, byte[] root, int size) {}

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration LIMIT_OF_ALL = Duration.ofMinutes(10);

    /** Larger answers are cut off: a server that is not trusted must not fill this node's memory. */
    private static final int MOST_BYTES = 16 << 20;

    private static final int MOST_BYTES_OF_ALL = 1 << 30;

    private final String url;
    private final Roster roster;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();
    private volatile @Nullable Signed signed;
    private volatile long newestEpoch;

    /** The index at an address like {@code http://127.0.0.1:7300}. */
    public Remote(String url, Roster roster) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.roster = roster;
    }

    /** What the index server sends of the whole. */
    public static byte[] headerMessage(PpiIndex index) {
        var out = new Writing()
                .bytes(index.header().encoded())
                .bytes(index.root())
                .number(index.size())
                .number(index.rootSignatures().size());
        index.rootSignatures().forEach(out::bytes);
        return out.done();
    }

    /** What the index server sends of a person. */
    public static byte[] answerMessage(PpiIndex index, int position) {
        IndexEntry entry = index.entry(position);
        List<byte[]> proof = index.proof(position);
        var out = new Writing()
                .longNumber(index.header().epoch())
                .number(position)
                .real(entry.epsilon())
                .number(entry.frequency())
                .bytes(entry.bitmap())
                .number(proof.size());
        proof.forEach(out::bytes);
        return out.done();
    }

    /** The providers that are listed for a person, and what is known of the person. */
    public IndexEntry query(Token person) {
        byte[] message = get("/v1/answer?token=" + person, LIMIT, MOST_BYTES);
        var in = new Reading("the index server", message);
        long epoch = in.longNumber();
        Signed known = signed(epoch);
        int position = in.number();
        var entry = new IndexEntry(person, in.real(), in.number(), in.bytes());
        int count = in.count(Digests.BYTES);
        var proof = new ArrayList<byte[]>();
        for (int i = 0; i < count; i++) {
            proof.add(in.bytes(Digests.BYTES));
        }
        in.end();
        if (!Arrays.equals(known.root, Merkle.root(entry.digest(), position, known.size, proof))) {
            throw EppiException.of(Code.SIGNATURE, "the answer is not what the coordinators signed");
        }
        return entry;
    }

    /** Names of providers by number. */
    public List<String> providers() {
        return signed(newestEpoch).header.providers();
    }

    private Signed signed(long epoch) {
        Signed known = signed;
        if (known != null && known.header.epoch() == epoch) {
            return known;
        }
        var in = new Reading("the index server", get("/v1/header", LIMIT, MOST_BYTES));
        IndexHeader header;
        try {
            header = IndexHeader.decoded(in.bytes());
        } catch (UncheckedIOException e) {
            throw EppiException.of(Code.MALFORMED, "the index server sent no header", e);
        }
        byte[] root = in.bytes();
        int size = in.number();
        var signatures = new ArrayList<byte[]>();
        int count = in.count(1);
        for (int i = 0; i < count; i++) {
            signatures.add(in.bytes());
        }
        in.end();
        PpiIndex.verifyRoot(header, root, signatures, Roster.keys(roster.coordinators()));
        if (!header.network().equals(roster.network()) || header.epoch() < newestEpoch) {
            throw EppiException.of(
                    Code.EPOCH, "the index server has epoch " + header.epoch() + " of " + header.network());
        }
        newestEpoch = header.epoch();
        known = new Signed(header, root, size);
        signed = known;
        return known;
    }

    /** The whole index, checked. */
    public PpiIndex whole() {
        PpiIndex index = PpiIndex.read(new ByteArrayInputStream(get("/v1/file", LIMIT_OF_ALL, MOST_BYTES_OF_ALL)));
        index.verifyRoot(Roster.keys(roster.coordinators()));
        return index;
    }

    /** The request's own limit is one until the head comes; this is one of all. */
    private byte[] get(String path, Duration limit, int most) {
        CompletableFuture<HttpResponse<byte[]>> asked = ask(path, limit, most);
        try {
            HttpResponse<byte[]> response = asked.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return switch (response.statusCode()) {
                case 200 -> response.body();
                case 404 -> throw notFound(response.body());
                case 503 -> throw EppiException.of(Code.NO_INDEX, "the index server has no index yet");
                default ->
                    throw EppiException.of(
                            Code.MALFORMED, "the index server answered with status " + response.statusCode());
            };
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LimitedBody.TooLongException) {
                throw EppiException.of(Code.MALFORMED, "the index server answers without end", e);
            }
            throw EppiException.of(Code.UNREACHABLE, "the index server does not answer at " + url, e);
        } catch (TimeoutException e) {
            asked.cancel(true);
            throw EppiException.of(Code.TIMEOUT, "the index server answers too slowly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    private EppiException notFound(byte[] body) {
        return new String(body, StandardCharsets.UTF_8).contains(Code.UNKNOWN_PERSON.id())
                ? EppiException.of(Code.UNKNOWN_PERSON, "the index has no such person")
                : EppiException.of(Code.UNREACHABLE, "who answers at " + url + " is no index server");
    }

    private CompletableFuture<HttpResponse<byte[]>> ask(String path, Duration limit, int most) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(limit)
                    .build();
            return client.sendAsync(request, head -> new LimitedBody(most));
        } catch (IllegalArgumentException e) {
            throw EppiException.of(Code.UNREACHABLE, "there is no index server at " + url, e);
        }
    }
}
