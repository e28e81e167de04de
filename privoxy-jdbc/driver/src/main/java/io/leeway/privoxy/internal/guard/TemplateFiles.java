package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.cache.Prover;
import io.leeway.privoxy.internal.cache.TemplateStore;
import io.leeway.privoxy.internal.cache.file.TemplateFile;
import io.leeway.privoxy.internal.cache.file.TemplateLoader;
import io.leeway.privoxy.internal.cache.file.TemplateSigner;
import io.leeway.privoxy.internal.cache.file.TemplateSyntaxException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.TableSource;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.InvalidKeyException;
import java.security.PublicKey;
import java.util.List;

/** Loads the template file that the options name into a store. */
final class TemplateFiles {

    private static final System.Logger LOG = System.getLogger(TemplateFiles.class.getName());

    private TemplateFiles() {}

    /**
     * Loads it, if one is named. What does not hold any more is warned of and left out. Where reviewed templates are
     * all that counts, a file without the reviewer's signature, or of which nothing holds, is a mistake to be told at
     * once rather than by every query.
     */
    static void load(PrivoxyConfig config, TemplateStore store, Prover prover, TableSource tables) {
        String file = config.get(PrivoxyOptions.TEMPLATES);
        if (file.isEmpty()) {
            return;
        }
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            // Only tables that are known by now: a template about another one is told as unreadable.
            TemplateLoader loader = new TemplateLoader(store, prover, keys(config), name -> {
                Relation relation = tables.known(name);
                return relation == null ? null : relation.table();
            });
            TemplateLoader.Report report = loader.load(reader);
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} templates loaded, {1} not needed, {2} left out; signed by a trusted key: {3}",
                    report.loaded(),
                    report.covered(),
                    report.rejected().size(),
                    report.isSigned());
            if (store.isReviewedOnly() && !report.isSigned()) {
                throw new Unusable(file + " is not signed with the key that privoxyTemplateKey names.");
            }
            // Only a warning: the chase decides what these decided.
            for (TemplateFile.Unreadable each : report.rejected()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "{0}:{1,number,#}: template #{2} does not hold under the present policy and schema and is left"
                                + " out; privoxy templates verify says more",
                        file,
                        each.line(),
                        each.id());
            }
            if (store.isReviewedOnly() && report.loaded() + report.covered() == 0) {
                throw new Unusable("no template of " + file + " holds under the present policy and schema.");
            }
        } catch (IOException | TemplateSyntaxException | InvalidKeyException unusable) {
            throw new Unusable(unusable);
        }
    }

    /** Without a key no file counts as signed. */
    private static List<PublicKey> keys(PrivoxyConfig config) throws IOException, InvalidKeyException {
        String file = config.get(PrivoxyOptions.TEMPLATE_KEY);
        return file.isEmpty() ? List.of() : List.of(TemplateSigner.publicKey(Files.readString(Path.of(file))));
    }

    /** The file or the key cannot be used. */
    static final class Unusable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Unusable(String reason) {
            super(reason);
        }

        Unusable(Exception cause) {
            super(cause);
        }

        PrivoxyFailureException failure() {
            return new PrivoxyFailureException(
                    PrivoxyErrorCode.TEMPLATES, "The template file cannot be used: " + getMessage(), this);
        }
    }
}
