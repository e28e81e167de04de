package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.Fingerprint;
import io.leeway.privoxy.internal.cache.Prover;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.cache.TemplateStore;
import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.model.Table;
import java.io.IOException;
import java.io.Reader;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads template files into a store. A template counts as reviewed if the file is signed with a trusted key. It is
 * believed without proof only if, moreover, policy and schema are those of the signature; otherwise it is proved anew,
 * and what no longer proves is reported and not loaded.
 *
 * <p>A file is input like any other: it can be old, edited or forged. A proof needs no trust, so a template that is
 * proved may count whoever wrote it; the signature matters where people want to have seen each rule, and where proofs
 * are to be spared.
 */
public final class TemplateLoader {

    private final TemplateStore store;
    private final Prover prover;
    private final List<PublicKey> trusted;
    private final TableLookup tables;

    /**
     * A loader.
     *
     * @param store to load into
     * @param prover proves under the store's policy
     * @param trusted keys of those whose review counts
     * @param tables finds tables that the policy does not know yet; they are made known to it
     */
    public TemplateLoader(TemplateStore store, Prover prover, Collection<PublicKey> trusted, TableLookup tables) {
        this.store = store;
        this.prover = prover;
        this.trusted = List.copyOf(trusted);
        this.tables = tables;
    }

    /**
     * What became of a file.
     *
     * @param isSigned with a trusted key
     * @param isCurrent whether policy and schema are those that the file was written for
     * @param loaded number of templates that the store took
     * @param covered number of templates that the store did not need
     * @param rejected those that do not hold, or do not count
     */
    public record Report(
            boolean isSigned, boolean isCurrent, int loaded, int covered, List<TemplateFile.Unreadable> rejected) {
        public Report {
            rejected = List.copyOf(rejected);
        }
    }

    /** Loads a file. */
    public Report load(Reader reader) throws IOException, TemplateSyntaxException {
        CompiledPolicy policy = store.policy();
        TemplateFile file = TemplateFile.read(reader, this::find);
        boolean isSigned = TemplateSigner.isSigned(file, trusted);
        // The fingerprint is that of all templates of the file: with one missing it cannot be compared.
        boolean isCurrent = file.unreadable().isEmpty()
                && Fingerprint.of(
                                policy,
                                file.templates().stream()
                                        .map(ReviewedTemplate::template)
                                        .toList())
                        .equals(file.fingerprint());
        List<TemplateFile.Unreadable> rejected = new ArrayList<>(file.unreadable());
        int loaded = 0;
        int covered = 0;
        for (ReviewedTemplate each : file.templates()) {
            String reason = reason(each.template(), isSigned, isSigned && isCurrent);
            if (!reason.isEmpty()) {
                rejected.add(new TemplateFile.Unreadable(each.template().id(), each.line(), reason));
            } else if (store.load(each.template(), isSigned)) {
                loaded++;
            } else {
                covered++;
            }
        }
        return new Report(isSigned, isCurrent, loaded, covered, rejected);
    }

    /** Believed without proof means: signed by somebody who is trusted, under just this policy and schema. */
    private String reason(Template template, boolean isReviewed, boolean isBelieved) {
        if (store.isReviewedOnly() && !isReviewed) {
            return "the file is not signed with a trusted key";
        }
        return isBelieved || prover.proves(template.problem(store.policy()))
                ? ""
                : "it does not hold under the present policy and schema";
    }

    /** Finds a table; one that is not known to the policy is made known. */
    private @Nullable Table find(String name) {
        Table known = store.policy().table(name);
        if (known != null) {
            return known;
        }
        Table found = tables.find(name);
        if (found != null) {
            store.policy().addTable(found);
        }
        return found;
    }
}
