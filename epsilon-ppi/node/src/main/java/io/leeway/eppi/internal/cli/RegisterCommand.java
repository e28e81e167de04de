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
import io.leeway.eppi.internal.console.Words;
import io.leeway.eppi.internal.provider.Provider;
import io.leeway.eppi.node.EppiOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code eppi enrol} and {@code eppi withdraw}: what the registrar does. */
final class RegisterCommand {

    private final Settings settings;
    private final NodeKey registrar;
    private final Path file;
    private final Register register;
    private final byte[] networkKey;

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
        register = Files.exists(file)
                ? Register.read(file, roster.network(), registrar.certificate().getPublicKey())
                : Register.empty(roster.network());
    }

    static void enrol(Arguments arguments, PrintStream out) {
        String from = arguments.take("from", "");
        List<String[]> lines = new ArrayList<>();
        if (from.isEmpty()) {
            lines.add(new String[] {arguments.need("epsilon"), arguments.word(0, "the identity")});
            arguments.mostWords(1);
        } else {
            arguments.mostWords(0);
            lines.addAll(lines(Path.of(from)));
        }
        var command = new RegisterCommand(Settings.of(arguments.ofProduct()));
        List<Wish> wishes = lines.stream()
                .map(each -> new Wish(command.token(each[1]), epsilon(each[0])))
                .toList();
        command.write(command.register.with(wishes), out);
    }

    static void withdraw(Arguments arguments, PrintStream out) {
        String identity = arguments.word(0, "the identity");
        arguments.mostWords(1);
        var command = new RegisterCommand(Settings.of(arguments.ofProduct()));
        command.write(command.register.without(command.token(identity)), out);
    }

    private static List<String[]> lines(Path file) {
        try {
            List<String[]> lines = new ArrayList<>();
            List<String> all = Files.readAllLines(file);
            for (int i = 0; i < all.size(); i++) {
                String line = all.get(i).strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                String[] words = line.split("\\s+", 2);
                if (words.length < 2) {
                    throw EppiException.of(
                            Code.FILE, "line " + (i + 1) + " of " + file + " is not \"epsilon identity\"");
                }
                lines.add(words);
            }
            return lines;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, file + " cannot be read: " + e.getMessage(), e);
        }
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
}
