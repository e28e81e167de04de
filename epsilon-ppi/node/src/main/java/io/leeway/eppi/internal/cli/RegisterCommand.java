package io.leeway.eppi.internal.cli;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.Wish;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.NodeKey;
import io.leeway.eppi.internal.config.Register;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.console.HeldFile;
import io.leeway.eppi.internal.console.Words;
import io.leeway.eppi.internal.provider.Provider;
import io.leeway.eppi.node.EppiOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code eppi enrol} and {@code eppi withdraw}: what the registrar does. */
final class RegisterCommand implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST_FAULTS = 20;

    /** A line of a file of wishes. */
    private record Line(int number, String epsilon, String identity) {}

    private final Settings settings;
    private final NodeKey registrar;
    private final Path file;
    private final HeldFile lock;
    private final Register register;
    private final byte[] networkKey;

    /** Nobody else writes the register until this is closed: of two that read it alike, one would lose its wishes. */
    private RegisterCommand(Settings settings) {
        this.settings = settings;
        Roster roster = Roster.read(settings.path(EppiOptions.ROSTER));
        registrar = NodeKey.read(settings.path(EppiOptions.KEY), settings.get(EppiOptions.KEY_PASSWORD));
        Member known = roster.all(Member.Role.REGISTRAR).get(0);
        if (!known.certificate().equals(registrar.certificate())) {
            throw EppiException.of(
                    Code.CONFIGURATION, EppiOptions.KEY + " is not the key of " + known + ", who signs the register");
        }
        networkKey = Provider.networkKey(settings);
        file = settings.path(EppiOptions.REGISTER);
        lock = lock(file.resolveSibling(file.getFileName() + ".lock"));
        try {
            register = Files.exists(file)
                    ? Register.read(
                            file, roster.network(), registrar.certificate().getPublicKey())
                    : Register.empty(roster.network());
        } catch (EppiException e) {
            close();
            throw e;
        }
    }

    private static HeldFile lock(Path file) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try {
            HeldFile held = HeldFile.take(file);
            while (held == null) {
                if (System.nanoTime() > deadline) {
                    throw EppiException.of(Code.FILE, "another process holds " + file);
                }
                Thread.sleep(20);
                held = HeldFile.take(file);
            }
            return held;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, file + " cannot be written: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    static void enrol(Arguments arguments, PrintStream out) {
        String from = arguments.take("from", "");
        List<Line> lines = new ArrayList<>();
        if (from.isEmpty()) {
            lines.add(new Line(0, arguments.need("epsilon"), arguments.word(0, "the identity")));
            arguments.mostWords(1);
        } else {
            arguments.mostWords(0);
            lines.addAll(lines(Path.of(from)));
        }
        try (var command = new RegisterCommand(settings(arguments))) {
            command.write(command.register.with(command.wishes(lines, from)), out);
        }
    }

    static void withdraw(Arguments arguments, PrintStream out) {
        String identity = arguments.word(0, "the identity");
        arguments.mostWords(1);
        try (var command = new RegisterCommand(settings(arguments))) {
            command.write(command.register.without(command.token(identity)), out);
        }
    }

    private static Settings settings(Arguments arguments) {
        return Settings.of(
                arguments.ofProduct(),
                EppiOptions.ROSTER,
                EppiOptions.KEY,
                EppiOptions.NETWORK_KEY,
                EppiOptions.REGISTER);
    }

    private static List<Line> lines(Path file) {
        try {
            List<Line> lines = new ArrayList<>();
            // Some editors begin a file with a mark that is not seen.
            String[] all = Files.readString(file).replace("\ufeff", "").split("\\R");
            for (int i = 0; i < all.length; i++) {
                String line = all[i].strip();
                if (!line.isEmpty() && !line.startsWith("#")) {
                    String[] words = line.split("\\s+", 2);
                    lines.add(new Line(i + 1, words[0], words.length < 2 ? "" : words[1]));
                }
            }
            return lines;
        } catch (NoSuchFileException e) {
            throw EppiException.of(Code.CONFIGURATION, "there is no file " + file, e);
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** All of them, or none and every fault: half of a file of wishes is nobody's intention. */
    private List<Wish> wishes(List<Line> lines, String from) {
        List<Wish> wishes = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        Code code = Code.EPSILON;
        for (Line line : lines) {
            try {
                wishes.add(new Wish(token(line.identity), epsilon(line.epsilon)));
            } catch (EppiException e) {
                code = faults.isEmpty() ? e.code() : code;
                faults.add(from.isEmpty() ? e.detail() : "line " + line.number + " of " + from + ": " + e.detail());
            }
        }
        if (!faults.isEmpty()) {
            String more = faults.size() > MOST_FAULTS ? "; and " + (faults.size() - MOST_FAULTS) + " more" : "";
            throw EppiException.of(
                    code, String.join("; ", faults.subList(0, Math.min(MOST_FAULTS, faults.size()))) + more);
        }
        return wishes;
    }

    private static double epsilon(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw EppiException.of(Code.EPSILON, "epsilon is " + text, e);
        }
    }

    private Token token(String identity) {
        return Token.of(identity, networkKey);
    }

    private void write(Register next, PrintStream out) {
        next.write(file, registrar.key());
        out.println("the register " + settings.get(EppiOptions.REGISTER) + " has "
                + Words.count(next.wishes().size(), "person"));
    }

    /** Lets others write the register. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException alreadyClosed) {
            // Nothing is held any more.
        }
    }
}
