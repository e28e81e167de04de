package io.leeway.eppi.internal.server;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.index.IndexBuilder;
import io.leeway.eppi.internal.index.IndexHeader;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.net.Net;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An index that is being built: the rows that came, then the signatures that came. Thread-safe. */
final class Building {

    private final Net net;
    private final IndexHeader header;
    private final Persons persons;
    private final Outcome outcome;
    private final @Nullable BitSet[] rows;
    private final byte[][] rowSignatures;
    private final byte[][] rootSignatures;
    private final CountDownLatch missingRows;
    private final CountDownLatch missingSignatures;
    private @Nullable PpiIndex index;

    Building(Net net, IndexHeader header, Persons persons, Outcome outcome) {
        this.net = net;
        this.header = header;
        this.persons = persons;
        this.outcome = outcome;
        int providers = header.providers().size();
        int coordinators = net.roster().coordinators().size();
        rows = new BitSet[providers];
        rowSignatures = new byte[providers][0];
        rootSignatures = new byte[coordinators][0];
        missingRows = new CountDownLatch(providers);
        missingSignatures = new CountDownLatch(coordinators);
    }

    boolean isCalled(byte[] session) {
        return MessageDigest.isEqual(header.session(), session);
    }

    /** Takes a provider's row, once. */
    synchronized void row(Member provider, byte[] bytes, byte[] signature) {
        BitSet row = IndexBuilder.decode(bytes, persons.size());
        if (row == null) {
            throw EppiException.of(Code.MALFORMED, "the row of " + provider + " is none");
        }
        byte[] statement = header.rowStatement(provider.number(), IndexBuilder.rowDigest(row, persons.size()));
        if (!Digests.isSigned(provider.certificate().getPublicKey(), statement, signature)) {
            throw EppiException.of(Code.SIGNATURE, "the row of " + provider + " is not signed by it");
        }
        if (rows[provider.number()] != null) {
            throw EppiException.of(Code.REPLAYED, provider + " sent its row twice");
        }
        rows[provider.number()] = row;
        rowSignatures[provider.number()] = signature;
        missingRows.countDown();
    }

    void awaitRows() {
        if (!await(missingRows)) {
            throw EppiException.of(Code.PROVIDERS, "no rows came from " + missing());
        }
        build();
    }

    private synchronized String missing() {
        return String.join(
                ", ",
                net.roster().providers().stream()
                        .filter(each -> rows[each.number()] == null)
                        .map(Member::name)
                        .toList());
    }

    private synchronized void build() {
        var builder = new IndexBuilder(header, persons, outcome);
        for (int i = 0; i < rows.length; i++) {
            BitSet row = rows[i];
            if (row != null) {
                builder.add(i, row, rowSignatures[i]);
            }
        }
        index = builder.build();
    }

    /** The index without signatures of the root, for coordinators to check. */
    synchronized byte[] file() {
        return IndexServer.file(built());
    }

    synchronized void signature(Member coordinator, byte[] signature) {
        if (!IndexServer.isSigned(coordinator, built(), signature)) {
            throw EppiException.of(Code.SIGNATURE, "what " + coordinator + " signed is another index");
        }
        rootSignatures[coordinator.number()] = signature;
        missingSignatures.countDown();
    }

    PpiIndex awaitSignatures() {
        if (!await(missingSignatures)) {
            throw EppiException.of(Code.COORDINATORS, "no signature came from " + unsigned());
        }
        return signed();
    }

    private synchronized String unsigned() {
        return String.join(
                ", ",
                net.roster().coordinators().stream()
                        .filter(each -> rootSignatures[each.number()].length == 0)
                        .map(Member::name)
                        .toList());
    }

    private synchronized PpiIndex signed() {
        if (Arrays.stream(rootSignatures).anyMatch(each -> each.length == 0)) {
            throw EppiException.of(Code.SIGNATURE, "a coordinator signed twice and another not at all");
        }
        return built().signed(List.of(rootSignatures));
    }

    private PpiIndex built() {
        PpiIndex now = index;
        if (now == null) {
            throw EppiException.of(Code.NO_INDEX, "rows are missing");
        }
        return now;
    }

    private boolean await(CountDownLatch latch) {
        try {
            return latch.await(net.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }
}
