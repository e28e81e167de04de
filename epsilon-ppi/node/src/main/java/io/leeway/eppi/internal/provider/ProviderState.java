package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.publish.Noise;
import io.leeway.eppi.internal.session.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a provider must not forget between constructions: the key of its noise, of whom it ever counted records, and
 * whom it ever listed.
 *
 * <p>Both sets only grow. A person who leaves stays counted and listed; else the entry that disappears would be known to
 * have been true, and the frequency that falls would tell the same to those who see it.
 */
final class ProviderState {

    private final Path directory;

    ProviderState(Path directory) {
        this.directory = directory;
    }

    /**
     * The key of the noise, made the first time.
     *
     * @param epoch of the construction; only in the first may there be no key yet
     * @param isFreshAllowed whether it may be made in a later one too
     */
    byte[] noiseKey(long epoch, boolean isFreshAllowed) {
        Path file = directory.resolve("noise.key");
        if (!Files.exists(file) && epoch > 1 && !isFreshAllowed) {
            throw EppiException.of(
                    Code.STATE,
                    "there is no noise.key for epoch " + epoch + "; a provider that is new to the network sets"
                            + " eppi.state.fresh=true once");
        }
        return Secrets.kept(file, Noise.KEY_BYTES);
    }

    Set<Token> counted() {
        return read("counted");
    }

    Set<Token> listed() {
        return read("listed");
    }

    void counted(Collection<Token> tokens) {
        write("counted", tokens);
    }

    void listed(Collection<Token> tokens) {
        write("listed", tokens);
    }

    private Set<Token> read(String name) {
        Path file = directory.resolve(name);
        var tokens = new TreeSet<Token>();
        if (!Files.exists(file)) {
            return tokens;
        }
        try {
            byte[] bytes = Files.readAllBytes(file);
            if (bytes.length % Token.BYTES != 0) {
                throw EppiException.of(Code.STATE, file + " was cut");
            }
            for (int at = 0; at < bytes.length; at += Token.BYTES) {
                tokens.add(Token.read(bytes, at));
            }
            return tokens;
        } catch (IOException e) {
            throw EppiException.of(Code.STATE, file + " cannot be read", e);
        }
    }

    private void write(String name, Collection<Token> tokens) {
        byte[] bytes = new byte[tokens.size() * Token.BYTES];
        int at = 0;
        for (Token token : tokens) {
            token.write(bytes, at);
            at += Token.BYTES;
        }
        Secrets.write(directory.resolve(name), bytes);
    }
}
