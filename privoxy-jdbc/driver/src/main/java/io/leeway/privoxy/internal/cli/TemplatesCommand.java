package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.cache.StoredTemplate;
import io.leeway.privoxy.internal.cache.Template;
import io.leeway.privoxy.internal.cache.file.ReviewedTemplate;
import io.leeway.privoxy.internal.cache.file.TemplateFile;
import io.leeway.privoxy.internal.cache.file.TemplateSigner;
import io.leeway.privoxy.internal.cache.file.TemplateSyntaxException;
import io.leeway.privoxy.internal.cache.file.TemplateText;
import io.leeway.privoxy.internal.guard.Trial;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.schema.Relation;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.InvalidKeyException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes, shows, verifies and signs files of decision templates. */
final class TemplatesCommand implements Command {

    private static final Set<String> ACTIONS = Set.of("learn", "list", "verify", "sign", "keygen");

    private static final Usage USAGE = new Usage(
            "templates",
            "make, show, verify and sign template files",
            "ACTION [FILE...]",
            List.of(
                    """
                    Actions:
                      learn --output FILE RECORDING...   decide on recorded traffic and write the templates
                      list FILE                          show the templates of a file
                      verify [--public-key KEY] FILE     prove every template anew, and check the signature
                      sign --private-key KEY --public-key KEY FILE
                                                         sign a file that was read and agreed to
                      keygen --private-key KEY --public-key KEY
                                                         write a new pair of keys
                    """.strip(),
                    """
                    All but keygen need the tables, learn and verify also the policy. A driver with
                    privoxyTemplateUse=reviewed and privoxyTemplateKey=KEY believes signed files only.
                    """.strip(),
                    "Exit code: 0 all is well, 1 a template does not hold or a signature is missing, 2 it could not be done."),
            Workspace.and(
                    new Usage.Option("output", "FILE", "for learn"),
                    new Usage.Option("public-key", "KEY", "file with the public key"),
                    new Usage.Option("private-key", "KEY", "file with the private key; whoever has it can sign")));

    @Override
    public Usage usage() {
        return USAGE;
    }

    @Override
    public int run(Arguments arguments, Console console) throws CommandException {
        List<String> operands = arguments.operands();
        if (operands.isEmpty() || !ACTIONS.contains(operands.get(0))) {
            throw arguments.problem("say what to do: learn, list, verify, sign or keygen");
        }
        String action = operands.get(0);
        List<String> files = operands.subList(1, operands.size());
        if (action.equals("keygen")) {
            return keygen(arguments, console.out());
        }
        if (!action.equals("learn") && files.size() != 1) {
            throw arguments.problem("name one template file");
        }
        try (Workspace workspace = Workspace.open(arguments, console)) {
            return switch (action) {
                case "learn" -> learn(arguments, files, workspace, console);
                case "list" -> list(files.get(0), workspace, console.out());
                case "verify" -> verify(arguments, files.get(0), workspace, console);
                default -> sign(arguments, files.get(0), workspace, console.out());
            };
        } catch (TemplateSyntaxException noTemplates) {
            throw new CommandException(files.get(0) + ": " + noTemplates.getMessage(), noTemplates);
        }
    }

    private static String needed(Arguments arguments, String option) throws CommandException {
        String value = arguments.get(option);
        if (value == null) {
            throw arguments.problem("--" + option + " is needed");
        }
        return value;
    }

    private static int keygen(Arguments arguments, PrintStream out) throws CommandException {
        String privateFile = needed(arguments, "private-key");
        String publicFile = needed(arguments, "public-key");
        KeyPair keys = TemplateSigner.keys();
        create(privateFile, TemplateSigner.toPem(keys.getPrivate()), "rw-------");
        create(publicFile, TemplateSigner.toPem(keys.getPublic()), "rw-r--r--");
        out.println("key #" + TemplateSigner.keyId(keys.getPublic()) + " in " + privateFile + " (keep it secret) and "
                + publicFile);
        return FINE;
    }

    /** Writes a file that must not be there yet, for those who may read it. */
    private static void create(String name, String text, String permissions) throws CommandException {
        Path path = TextFiles.path(name);
        if (Files.exists(path)) {
            throw new CommandException(name + " is there already; keys are not written over");
        }
        try {
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
                Files.writeString(path, text);
            } else {
                Files.writeString(path, text, StandardOpenOption.CREATE_NEW);
            }
        } catch (IOException unwritable) {
            throw TextFiles.cannot("write", name, unwritable);
        }
    }

    private static int learn(Arguments arguments, List<String> recordings, Workspace workspace, Console console)
            throws CommandException {
        String file = needed(arguments, "output");
        Trial trial = workspace.trial(Workspace.config(arguments, Map.of()), workspace.policy(arguments));
        Replay.run(recordings, console, statement -> statement.under(trial));
        List<Template> templates =
                trial.templates().stream().map(StoredTemplate::template).toList();
        var text = new StringWriter();
        int leftOut;
        try {
            leftOut = TemplateFile.write(
                    text,
                    trial.fingerprint(templates),
                    templates.stream().map(ReviewedTemplate::of).toList(),
                    trial.schema());
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text cannot be written to memory", impossible);
        }
        TextFiles.write(file, text.toString());
        console.out()
                .println(file + ": " + Words.count(templates.size() - leftOut, "template")
                        + (leftOut > 0 ? "; " + leftOut + " left out, which have no text form" : ""));
        return FINE;
    }

    private static int list(String file, Workspace workspace, PrintStream out)
            throws CommandException, TemplateSyntaxException {
        TemplateFile templates = read(TextFiles.read(file), workspace);
        var text = new TemplateText(workspace.snapshot().schema());
        for (ReviewedTemplate template : templates.templates()) {
            out.println(text.print(template));
        }
        unreadable(templates, out);
        out.println(Words.count(templates.templates().size(), "template") + ", "
                + Words.count(templates.signatures().size(), "signature"));
        return templates.unreadable().isEmpty() ? FINE : FOUND;
    }

    private static int verify(Arguments arguments, String file, Workspace workspace, Console console)
            throws CommandException, TemplateSyntaxException {
        Trial trial = workspace.trial(Workspace.config(arguments, Map.of()), workspace.policy(arguments));
        TemplateFile templates = read(TextFiles.read(file), workspace);
        PrintStream out = console.out();
        int proved = 0;
        try (Progress progress = Progress.of(console, "Proving")) {
            for (ReviewedTemplate template : templates.templates()) {
                progress.at(proved, templates.templates().size());
                if (trial.proves(template.template())) {
                    proved++;
                } else {
                    out.println(file + ":" + template.line() + ": template #"
                            + template.template().id() + " does not hold under this policy and schema");
                }
            }
        }
        unreadable(templates, out);
        out.println(proved + " of "
                + Words.count(
                        templates.templates().size() + templates.unreadable().size(), "template") + " hold");
        String key = arguments.get("public-key");
        boolean signed = key == null || TemplateSigner.isSigned(templates, List.of(publicKey(key)));
        if (key != null) {
            out.println(signed ? "signed with " + key : "not signed with " + key + ", or changed since");
        }
        return proved == templates.templates().size() && templates.unreadable().isEmpty() && signed ? FINE : FOUND;
    }

    private static int sign(Arguments arguments, String file, Workspace workspace, PrintStream out)
            throws CommandException, TemplateSyntaxException {
        String privateFile = needed(arguments, "private-key");
        PublicKey publicKey = publicKey(needed(arguments, "public-key"));
        try {
            PrivateKey privateKey = TemplateSigner.privateKey(TextFiles.read(privateFile));
            String signed = TemplateSigner.sign(
                    TextFiles.read(file), new KeyPair(publicKey, privateKey), name -> table(workspace, name));
            if (!TemplateSigner.isSigned(read(signed, workspace), List.of(publicKey))) {
                throw new CommandException("the two keys are not one pair");
            }
            TextFiles.write(file, signed);
        } catch (InvalidKeyException noKey) {
            throw new CommandException(privateFile + ": " + noKey.getMessage(), noKey);
        }
        out.println(file + " is signed with key #" + TemplateSigner.keyId(publicKey));
        return FINE;
    }

    private static PublicKey publicKey(String file) throws CommandException {
        try {
            return TemplateSigner.publicKey(TextFiles.read(file));
        } catch (InvalidKeyException noKey) {
            throw new CommandException(file + ": " + noKey.getMessage(), noKey);
        }
    }

    private static void unreadable(TemplateFile templates, PrintStream out) {
        List<String> lines = new ArrayList<>();
        templates.unreadable().forEach(each -> lines.add("line " + each.line() + ": " + each.reason()));
        lines.forEach(out::println);
    }

    private static TemplateFile read(String text, Workspace workspace) throws TemplateSyntaxException {
        try {
            return TemplateFile.read(new StringReader(text), name -> table(workspace, name));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text cannot be read from memory", impossible);
        }
    }

    private static @Nullable Table table(Workspace workspace, String name) {
        Relation known = workspace.tables().known(name);
        Relation found = known != null
                ? known
                : workspace
                        .tables()
                        .find(SchemaCommand.parts(name), workspace.tables().searchPath());
        return found == null ? null : found.table();
    }
}
