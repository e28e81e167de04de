import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Writes the classes that hand JDBC's methods on to the real driver: {@code java ForwardingClasses.java DIRECTORY}. The
 * build runs it before it compiles, and it is in no jar.
 *
 * <p>What a method becomes is said by name in {@link #WRAPPERS}. A method that is not named there is not written: the
 * class that extends the one written here has to decide it, or it does not compile ({@code WrapperCompletenessTest} asks
 * for those that have a default, {@code JdbcMethodsTest} lists them all). The interfaces are those of Java 17, whatever
 * JDK builds, so that the jar is the same and nothing of a later one is handed on unseen.
 */
@SupportedAnnotationTypes("*")
public final class ForwardingClasses extends AbstractProcessor {

    private static final String RELEASE = "17";
    private static final String PACKAGE = "io.leeway.privoxy.internal.driver";

    /** Types of values, beside Java's own, that the check is told as they are. */
    private static final Set<String> VALUES = Set.of("java.lang.String", "java.math.BigDecimal");

    /** How a method is handed on; {@code real.x(…)} stands for the method with what it was given. */
    private enum Shape {
        /** As it is. */
        PASS("delegate.%1$s"),
        /** The result leads back to the checked connection. */
        WRAP("wrap(delegate.%1$s)"),
        /** The application reads a cell. */
        READ("read().%1$s"),
        /** The application changes a cell. */
        CHANGE("change(%2$s, %3$s, real -> real.%1$s)"),
        /** A parameter is set. */
        BIND("bind(%2$s, %3$s, real -> real.%1$s)"),
        /** A parameter is set whose place is not known. */
        BIND_BY_NAME("bindByName(real -> real.%1$s)");

        private final String code;

        Shape(String code) {
            this.code = code;
        }
    }

    /**
     * The methods of these names are handed on in this way: {@code PASS get: Row Type} are {@code getRow} and
     * {@code getType}. A star stands for any letters at the end or at the beginning.
     */
    private record Rule(Shape shape, List<String> names) {

        static Rule of(String line) {
            List<String> words = List.of(line.split(" "));
            String first = words.get(1);
            boolean hasPrefix = first.endsWith(":");
            String prefix = hasPrefix ? first.substring(0, first.length() - 1) : "";
            return new Rule(
                    Shape.valueOf(words.get(0)),
                    words.stream().skip(hasPrefix ? 2 : 1).map(prefix::concat).toList());
        }

        boolean isFor(String method) {
            return names.stream().anyMatch(name -> matches(name, method));
        }

        static boolean matches(String name, String method) {
            if (name.endsWith("*")) {
                return method.startsWith(name.substring(0, name.length() - 1));
            }
            return name.startsWith("*") ? method.endsWith(name.substring(1)) : method.equals(name);
        }
    }

    /** A class to write: how it begins, and its rules. */
    private record Wrapper(String type, String head, List<Rule> rules) {

        Wrapper(String type, String head, String rules) {
            this(type, head, rules.lines().map(Rule::of).toList());
        }
    }

    private static final List<Wrapper> WRAPPERS = List.of(
            new Wrapper(
                    "Connection",
                    """
                    /** Passes to the real connection whatever carries no SQL and does not touch request, transaction or session state. */
                    abstract class ForwardingConnection implements java.sql.Connection {

                        /** The real one. */
                        final java.sql.Connection delegate;

                        ForwardingConnection(java.sql.Connection delegate) {
                            this.delegate = delegate;
                        }
                    """,
                    """
                    PASS create: Blob Clob NClob SQLXML Struct
                    PASS get: Catalog Holdability NetworkTimeout Schema TransactionIsolation TypeMap
                    PASS set: Holdability NetworkTimeout ShardingKey ShardingKeyIfValid TypeMap
                    PASS clearWarnings isReadOnly
                    """),
            new Wrapper(
                    "Statement",
                    """
                    /** Passes to the real statement whatever carries no SQL and gives no result. */
                    abstract class ForwardingStatement<S extends java.sql.Statement> implements java.sql.Statement {

                        /** The real one. */
                        final S delegate;

                        ForwardingStatement(S delegate) {
                            this.delegate = delegate;
                        }
                    """,
                    """
                    PASS cancel clearWarnings close closeOnCompletion isSimpleIdentifier
                    PASS enquote: Identifier Literal NCharLiteral
                    PASS get: FetchDirection FetchSize LargeMaxRows MaxFieldSize MaxRows QueryTimeout
                    PASS getResultSet: Concurrency Holdability Type
                    PASS is: CloseOnCompletion Closed Poolable
                    PASS set: CursorName FetchDirection FetchSize Poolable QueryTimeout
                    """),
            new Wrapper(
                    "PreparedStatement",
                    """
                    /** Passes parameters to the real statement and notes them for the check. */
                    abstract class ForwardingPreparedStatement<S extends java.sql.PreparedStatement> extends CheckedStatement<S>
                            implements java.sql.PreparedStatement {

                        ForwardingPreparedStatement(CheckedConnection connection, S delegate) {
                            super(connection, delegate);
                        }

                        /** Sends a parameter and notes it; null is SQL's null. */
                        abstract void bind(int index, @org.jspecify.annotations.Nullable Object value, Act<S> real) throws java.sql.SQLException;
                    """,
                    """
                    BIND set: Boolean Byte Double Float Int Long NString Short String
                    BIND set: AsciiStream BinaryStream CharacterStream NCharacterStream UnicodeStream
                    BIND set: Blob Clob NClob Ref RowId SQLXML URL
                    """),
            new Wrapper(
                    "CallableStatement",
                    """
                    /** Passes named and output parameters to the real statement. */
                    abstract class ForwardingCallableStatement extends CheckedPreparedStatement<java.sql.CallableStatement>
                            implements java.sql.CallableStatement {

                        ForwardingCallableStatement(
                                CheckedConnection connection, java.sql.CallableStatement delegate, PreparedText text) {
                            super(connection, delegate, text);
                        }
                    """,
                    """
                    PASS get: BigDecimal Boolean Byte Bytes Double Float Int Long NString Short String
                    PASS get: CharacterStream NCharacterStream NClob Ref RowId SQLXML URL
                    PASS get: Date Time Timestamp
                    PASS registerOutParameter wasNull
                    BIND_BY_NAME set: BigDecimal Boolean Byte Bytes Double Float Int Long NString Null
                    BIND_BY_NAME set: AsciiStream BinaryStream CharacterStream NCharacterStream
                    BIND_BY_NAME set: Blob Clob NClob RowId SQLXML URL Short String
                    BIND_BY_NAME set: Date Time Timestamp
                    """),
            new Wrapper(
                    "ResultSet",
                    """
                    /** Passes reading and changing of cells to the real result. */
                    abstract class ForwardingResultSet implements java.sql.ResultSet {

                        /** The real one. */
                        final java.sql.ResultSet delegate;

                        ForwardingResultSet(java.sql.ResultSet delegate) {
                            this.delegate = delegate;
                        }

                        /** The real result, from which the application is about to read a cell. */
                        abstract java.sql.ResultSet read();

                        /** Changes a cell of the row and notes it. */
                        abstract void change(int column, @org.jspecify.annotations.Nullable Object value, Act<java.sql.ResultSet> real)
                                throws java.sql.SQLException;

                        /** Changes a cell of the row and notes it. */
                        abstract void change(String column, @org.jspecify.annotations.Nullable Object value, Act<java.sql.ResultSet> real)
                                throws java.sql.SQLException;
                    """,
                    """
                    PASS clearWarnings close findColumn setFetchSize
                    PASS get: Concurrency CursorName FetchDirection FetchSize Holdability
                    PASS get: MetaData Row Type
                    PASS is: AfterLast BeforeFirst Closed First Last
                    PASS row: Deleted Inserted Updated
                    READ get: BigDecimal Boolean Byte Bytes Double Float NString Short
                    READ get: AsciiStream BinaryStream CharacterStream NCharacterStream UnicodeStream
                    READ get: NClob Ref RowId SQLXML URL
                    READ get: Date Time Timestamp
                    CHANGE update: BigDecimal Boolean Byte Double Float Int Long NString Null Short
                    CHANGE update: AsciiStream BinaryStream CharacterStream NCharacterStream String
                    CHANGE update: Blob Bytes Clob NClob Ref RowId SQLXML
                    CHANGE update: Date Time Timestamp
                    """),
            new Wrapper(
                    "DatabaseMetaData",
                    """
                    /** Passes questions about the database on; results are wrapped, so that they lead back to the checked connection. */
                    abstract class ForwardingDatabaseMetaData implements java.sql.DatabaseMetaData {

                        /** The real one. */
                        final java.sql.DatabaseMetaData delegate;

                        ForwardingDatabaseMetaData(java.sql.DatabaseMetaData delegate) {
                            this.delegate = delegate;
                        }

                        /** The result, leading back to the checked connection. */
                        abstract java.sql.ResultSet wrap(java.sql.ResultSet result);
                    """,
                    """
                    WRAP get: Attributes BestRowIdentifier Catalogs ClientInfoProperties ColumnPrivileges
                    WRAP get: Columns CrossReference ExportedKeys FunctionColumns Functions ImportedKeys
                    WRAP get: PrimaryKeys ProcedureColumns Procedures PseudoColumns Schemas SuperTables
                    WRAP get: SuperTypes TablePrivileges TableTypes Tables TypeInfo UDTs VersionColumns
                    PASS get: CatalogSeparator CatalogTerm DatabaseMajorVersion DatabaseMinorVersion
                    PASS get: DatabaseProductName DatabaseProductVersion DefaultTransactionIsolation
                    PASS get: DriverMajorVersion DriverMinorVersion DriverName DriverVersion
                    PASS get: ExtraNameCharacters IdentifierQuoteString JDBCMajorVersion JDBCMinorVersion
                    PASS get: NumericFunctions ProcedureTerm ResultSetHoldability RowIdLifetime
                    PASS get: SQLKeywords SQLStateType SchemaTerm SearchStringEscape StringFunctions
                    PASS get: SystemFunctions TimeDateFunctions UserName
                    PASS getMax* nulls* nullPlusNonNullIsNull others* own* stores* supports*
                    PASS *AreDetected all* autoCommit* dataDefinition* doesMaxRowSize*
                    PASS generatedKeyAlwaysReturned isCatalogAtStart isReadOnly locatorsUpdateCopy
                    PASS usesLocalFile*
                    """));

    private final Path directory;

    private ForwardingClasses(Path directory) {
        this.directory = directory;
    }

    /**
     * Writes the classes.
     *
     * @param arguments the directory of sources to write to
     */
    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0], PACKAGE.split("\\.")));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> types =
                WRAPPERS.stream().map(wrapper -> "java.sql." + wrapper.type()).toList();
        var task = compiler.getTask(null, null, null, List.of("--release", RELEASE, "-proc:only"), types, null);
        task.setProcessors(List.of(new ForwardingClasses(directory)));
        if (!task.call()) {
            throw new IllegalStateException("the classes that pass JDBC on were not written");
        }
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latest();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (!round.processingOver()) {
            WRAPPERS.forEach(this::write);
        }
        return false;
    }

    /** Leaves a file that is as it should be, so that nothing is compiled again for it. */
    private void write(Wrapper wrapper) {
        Path file = directory.resolve("Forwarding" + wrapper.type() + ".java");
        String text = text(wrapper);
        try {
            if (!Files.exists(file) || !Files.readString(file).equals(text)) {
                Files.writeString(file, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text(Wrapper wrapper) {
        TypeElement type = processingEnv.getElementUtils().getTypeElement("java.sql." + wrapper.type());
        List<ExecutableElement> methods = ElementFilter.methodsIn(type.getEnclosedElements()).stream()
                .sorted(Comparator.comparing(ForwardingClasses::signature))
                .toList();
        String bodies = methods.stream().map(method -> text(wrapper, method)).collect(joining());
        demandUse(wrapper, methods);
        String marks = "@SuppressWarnings(\"deprecation\")\n@org.jspecify.annotations.NullUnmarked\n";
        return "package " + PACKAGE + ";\n\n" + wrapper.head().replaceFirst("(?m)^abstract", marks + "abstract")
                + bodies + "}\n";
    }

    /** A name that stands for nothing is a mistake. */
    private static void demandUse(Wrapper wrapper, List<ExecutableElement> methods) {
        for (Rule rule : wrapper.rules()) {
            for (String name : rule.names()) {
                if (methods.stream().noneMatch(method -> Rule.matches(name, name(method)))) {
                    throw new IllegalStateException(wrapper.type() + " has no method " + name);
                }
            }
        }
    }

    private static String text(Wrapper wrapper, ExecutableElement method) {
        List<Rule> rules = wrapper.rules().stream()
                .filter(rule -> rule.isFor(name(method)))
                .toList();
        return switch (rules.size()) {
            case 0 -> "";
            case 1 -> text(rules.get(0).shape(), method);
            default -> throw new IllegalStateException("two rules for " + wrapper.type() + "." + method);
        };
    }

    private static String text(Shape shape, ExecutableElement method) {
        int count = method.getParameters().size();
        String given = IntStream.rangeClosed(1, count).mapToObj(i -> "p" + i).collect(joining(", "));
        String call = String.format(shape.code, name(method) + "(" + given + ")", "p1", noted(method));
        String parameters = IntStream.range(0, count)
                .mapToObj(i -> type(method.getParameters().get(i)) + " p" + (i + 1))
                .collect(joining(", "));
        String thrown =
                method.getThrownTypes().stream().map(TypeMirror::toString).collect(joining(", "));
        return """

                    @Override
                    public %s %s(%s)%s {
                        %s%s;
                    }
                """.formatted(
                        method.getReturnType(),
                        name(method),
                        parameters,
                        thrown.isEmpty() ? "" : " throws " + thrown,
                        method.getReturnType().getKind() == TypeKind.VOID ? "" : "return ",
                        call);
    }

    /** What the check is told of the value: itself, if nobody can change it and it says all. */
    private static String noted(ExecutableElement method) {
        if (name(method).endsWith("Null")) {
            return "null";
        }
        boolean isKnown = method.getParameters().size() == 2
                && (method.getParameters().get(1).asType().getKind().isPrimitive()
                        || VALUES.contains(type(method.getParameters().get(1))));
        return isKnown ? "p2" : "io.leeway.privoxy.internal.guard.Parameters.UNKNOWN";
    }

    private static String signature(ExecutableElement method) {
        return method.getParameters().stream()
                .map(ForwardingClasses::type)
                .collect(joining(", ", name(method) + "(", ")"));
    }

    private static String name(ExecutableElement method) {
        return method.getSimpleName().toString();
    }

    private static String type(VariableElement parameter) {
        return parameter.asType().toString();
    }
}
