package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Table;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableInterpretable;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRules;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.plan.volcano.VolcanoPlanner;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelCollationTraitDef;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.rules.AggregateReduceFunctionsRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * From the text of a query to a plan: Calcite parses, validates and plans, {@link ScanPushDown} gives the readers of tables what they can do.
 * Thread-safe.
 */
final class QueryPlanner {

    static {
        // Read when Calcite's classes are loaded; without them no text but Latin can be a constant.
        for (String[] setting : new String[][] {
            {"calcite.default.charset", "UTF-8"},
            {"calcite.default.nationalcharset", "UTF-8"},
            {"calcite.default.collation.name", "UTF-8$en_US"}
        }) {
            if (System.getProperty(setting[0]) == null) {
                System.setProperty(setting[0], setting[1]);
            }
        }
    }

    private static final SqlParser.Config PARSER = SqlParser.config()
            .withParserFactory(SqlBabelParserImpl.FACTORY)
            .withConformance(SqlConformanceEnum.BABEL)
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.TO_LOWER)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(true)
            .withIdentifierMaxLength(256);

    /** Averages and deviations become sums and counts, which the readers of tables know; sums stay. */
    private static final RelOptRule AVERAGES = AggregateReduceFunctionsRule.Config.DEFAULT
            .withFunctionsToReduce(
                    EnumSet.of(SqlKind.AVG, SqlKind.STDDEV_POP, SqlKind.STDDEV_SAMP, SqlKind.VAR_POP, SqlKind.VAR_SAMP))
            .toRule();

    /** As liberal as Calcite can be, but a name in a SELECT is never that of another of its columns, as in PostgreSQL. */
    private static final class Conformance extends SqlDelegatingConformance {

        Conformance() {
            super(SqlConformanceEnum.BABEL);
        }

        @Override
        public boolean isNonStrictGroupBy() {
            return false;
        }

        @Override
        public SelectAliasLookup isSelectAlias() {
            return SelectAliasLookup.UNSUPPORTED;
        }
    }

    private final JavaTypeFactoryImpl types = Types.factory();
    private final SqlOperatorTable operators = SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
            EnumSet.of(SqlLibrary.STANDARD, SqlLibrary.POSTGRESQL));
    /** Functions of libraries are in upper case; names without quotes come in lower case. */
    private final SqlOperatorTable anyCase = new SqlOperatorTable() {
        @Override
        public void lookupOperatorOverloads(
                SqlIdentifier name,
                @Nullable SqlFunctionCategory category,
                SqlSyntax syntax,
                List<SqlOperator> found,
                SqlNameMatcher matcher) {
            if (found.isEmpty() && syntax == SqlSyntax.FUNCTION && name.isSimple()) {
                operators.lookupOperatorOverloads(
                        name, category, syntax, found, SqlNameMatchers.withCaseSensitive(false));
            }
        }

        @Override
        public List<SqlOperator> getOperatorList() {
            return List.of();
        }
    };

    private final SchemaSource source;
    private volatile @Nullable Schemas schemas;

    private record Schemas(Catalog catalog, CalciteSchema root) {}

    /** Adds what is no table of the user to a schema: the catalogue. */
    @FunctionalInterface
    interface SchemaSource {
        void addTo(CalciteSchema root, Catalog catalog);
    }

    QueryPlanner(SchemaSource source) {
        this.source = source;
    }

    /** Words that cannot be names without quotes. */
    static List<String> reservedWords() {
        var metadata = SqlParser.create("", PARSER).getMetadata();
        return metadata.getTokens().stream().filter(metadata::isReservedWord).toList();
    }

    /** The schemas of one version of the definitions; making them takes as long as planning a small query. */
    private CalciteSchema schema(Catalog catalog) {
        Schemas known = schemas;
        if (known == null || known.catalog.version() != catalog.version()) {
            known = new Schemas(catalog, newSchema(catalog));
            schemas = known;
        }
        return known.root;
    }

    private CalciteSchema newSchema(Catalog catalog) {
        CalciteSchema root = CalciteSchema.createRootSchema(false, false);
        var tables = new org.apache.calcite.schema.impl.AbstractSchema();
        CalciteSchema open = root.add("public", tables);
        for (Table table : catalog.tables()) {
            open.add(table.name(), new LazyTable(table));
        }
        addTypes(root);
        source.addTo(root, catalog);
        return root;
    }

    /** Names of types that PostgreSQL's clients write and Calcite does not know. */
    static void addTypes(CalciteSchema schema) {
        for (ColumnType type : ColumnType.values()) {
            if (type != ColumnType.DATE && type != ColumnType.TIME && type != ColumnType.TIMESTAMP) {
                var column = new Column(0, "", type, type == ColumnType.DECIMAL ? 38 : 0, 0, false);
                schema.add(type.pgName(), factory -> Types.of(factory, column, true));
            }
        }
    }

    /** Plans a query whose parameters are question marks. */
    Plan plan(String sql, Catalog catalog) {
        try {
            return planned(sql, catalog);
        } catch (SqlParseException e) {
            throw new LazyBaseException(Code.SYNTAX, firstLine(e.getMessage()), e);
        } catch (CalciteContextException e) {
            throw told(e);
        } catch (org.apache.calcite.plan.RelOptPlanner.CannotPlanException e) {
            throw new LazyBaseException(
                    Code.UNSUPPORTED, "The query has a function or a form that nothing here can execute.", e);
        } catch (CalciteException e) {
            throw new LazyBaseException(Code.UNSUPPORTED, firstLine(e.getMessage()), e);
        } catch (AssertionError | UnsupportedOperationException | IllegalStateException | ClassCastException e) {
            throw new LazyBaseException(Code.UNSUPPORTED, "It cannot be planned: " + firstLine(e.getMessage()), e);
        }
    }

    static String firstLine(@Nullable String message) {
        String text = message == null ? "no reason given" : message.strip();
        int end = text.indexOf('\n');
        String line = end < 0 ? text : text.substring(0, end).strip();
        return line.endsWith(".") ? line : line + ".";
    }

    private static LazyBaseException told(CalciteContextException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = firstLine(cause.getMessage());
        String place = "At line " + e.getPosLine() + ", column " + e.getPosColumn() + ": ";
        Code code = message.startsWith("Object '") || message.startsWith("Table '")
                ? Code.NOT_FOUND
                : (message.startsWith("Column '")
                                || message.startsWith("Unknown identifier")
                                || message.contains("depends on itself"))
                        ? Code.NO_COLUMN
                        : Code.SYNTAX;
        if (message.startsWith("No match found for function")) {
            code = Code.UNSUPPORTED;
        }
        return new LazyBaseException(code, place + message, e);
    }

    private Plan planned(String sql, Catalog catalog) throws SqlParseException {
        CalciteSchema schema = schema(catalog);
        SqlNode parsed = SqlParser.create(sql, PARSER).parseQuery();
        var properties = new Properties();
        properties.setProperty(CalciteConnectionProperty.CASE_SENSITIVE.camelName(), "true");
        var reader =
                new CalciteCatalogReader(schema, List.of("public"), types, new CalciteConnectionConfigImpl(properties));
        SqlValidator validator = SqlValidatorUtil.newValidator(
                SqlOperatorTables.chain(reader, operators, anyCase),
                reader,
                types,
                SqlValidator.Config.DEFAULT
                        .withConformance(new Conformance())
                        .withIdentifierExpansion(true)
                        .withTypeCoercionEnabled(true));
        List<String> names = ResultNames.of(parsed);
        SqlNode validated = validator.validate(parsed);
        List<Column> parameters = columns(validator.getParameterRowType(validated));

        var planner = new VolcanoPlanner();
        planner.addRelTraitDef(ConventionTraitDef.INSTANCE);
        planner.addRelTraitDef(RelCollationTraitDef.INSTANCE);
        EnumerableRules.rules().forEach(planner::addRule);
        planner.addRule(EnumerableRules.ENUMERABLE_TABLE_SCAN_RULE);
        RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(types));
        cluster.setMetadataProvider(DefaultRelMetadataProvider.INSTANCE);
        var converter = new SqlToRelConverter(
                (rowType, query, schemaPath, viewPath) -> {
                    throw new UnsupportedOperationException("views of SQL");
                },
                validator,
                reader,
                cluster,
                StandardConvertletTable.INSTANCE,
                SqlToRelConverter.config().withExpand(false).withTrimUnusedFields(true));
        RelRoot root = converter.convertQuery(validated, false, true);
        RelDataType rowType = root.validatedRowType;
        RelNode logical = optimised(root.project(), cluster);
        List<Column> columns = columns(rowType, logical, names);
        if (logical instanceof LazyScan scan) {
            return new Plan(
                    columns,
                    parameters,
                    scan.spec(),
                    null,
                    Map.of(),
                    List.of(scan.spec()),
                    schema.plus(),
                    text(logical));
        }
        var traits = cluster.traitSetOf(EnumerableConvention.INSTANCE);
        planner.setRoot(planner.changeTraits(logical, traits));
        RelNode best = run(planner.findBestExp(), RelOptRules.CALC_RULES.toArray(RelOptRule[]::new));
        var internal = new HashMap<String, Object>();
        Bindable<?> bindable =
                EnumerableInterpretable.toBindable(internal, null, (EnumerableRel) best, EnumerableRel.Prefer.ARRAY);
        return new Plan(
                columns, parameters, null, bindable, Map.copyOf(internal), scans(best), schema.plus(), text(best));
    }

    /**
     * Texts that stand for times become times: Calcite takes them only as it writes them, tools write {@code 2026-01-31T12:00:00Z}. The
     * readers of tables know constants, but no casts.
     */
    private static RelNode withTimes(RelNode node) {
        RexBuilder builder = node.getCluster().getRexBuilder();
        var times = new RexShuttle() {
            @Override
            public RexNode visitCall(RexCall call) {
                RexNode visited = super.visitCall(call);
                SqlTypeName type = call.getType().getSqlTypeName();
                boolean time = type == SqlTypeName.TIMESTAMP || type == SqlTypeName.DATE;
                if (!time
                        || !visited.isA(SqlKind.CAST)
                        || !(((RexCall) visited).getOperands().get(0) instanceof RexLiteral literal)
                        || !SqlTypeName.CHAR_TYPES.contains(literal.getType().getSqlTypeName())
                        || literal.isNull()) {
                    return visited;
                }
                Column column = Types.column("", call.getType());
                Object value = Values.parse(
                        column, String.valueOf(literal.getValueAs(String.class)).strip());
                return type == SqlTypeName.DATE
                        ? builder.makeDateLiteral(DateString.fromDaysSinceEpoch((Integer) value))
                        : builder.makeTimestampLiteral(
                                TimestampString.fromMillisSinceEpoch((Long) value),
                                call.getType().getPrecision());
            }
        };
        return node.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(times);
            }
        });
    }

    /** Generated code adds up in the type of the operand, so it gets that of the sum. */
    private static RelNode withWideSums(RelNode node) {
        var builder = node.getCluster().getRexBuilder();
        var widening = new RexShuttle() {
            @Override
            public RexNode visitOver(RexOver over) {
                RexNode visited = super.visitOver(over);
                boolean sum = over.getAggOperator().getKind() == SqlKind.SUM
                        || over.getAggOperator().getKind() == SqlKind.SUM0;
                RexOver mine = (RexOver) visited;
                if (!sum
                        || mine.getOperands().get(0).getType().getSqlTypeName()
                                == over.getType().getSqlTypeName()) {
                    return visited;
                }
                RexNode wide = builder.makeCast(
                        node.getCluster()
                                .getTypeFactory()
                                .createTypeWithNullability(
                                        over.getType(),
                                        mine.getOperands().get(0).getType().isNullable()),
                        mine.getOperands().get(0));
                RexWindow window = mine.getWindow();
                return builder.makeOver(
                        over.getType(),
                        over.getAggOperator(),
                        List.of(wide),
                        window.partitionKeys,
                        window.orderKeys,
                        window.getLowerBound(),
                        window.getUpperBound(),
                        window.getExclude(),
                        window.isRows(),
                        true,
                        false,
                        over.isDistinct(),
                        over.ignoreNulls());
            }
        };
        return node.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other).accept(widening);
            }
        });
    }

    private static RelNode optimised(RelNode given, RelOptCluster cluster) {
        RelNode node = withWideSums(withTimes(given));
        RelNode logical = run(
                node,
                CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
                CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
                CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);
        var builder = RelFactories.LOGICAL_BUILDER.create(cluster, null);
        logical = RelDecorrelator.decorrelateQuery(logical, builder);
        logical = run(
                logical,
                CoreRules.FILTER_INTO_JOIN,
                CoreRules.JOIN_CONDITION_PUSH,
                CoreRules.FILTER_PROJECT_TRANSPOSE,
                CoreRules.FILTER_AGGREGATE_TRANSPOSE,
                CoreRules.FILTER_SET_OP_TRANSPOSE,
                CoreRules.FILTER_MERGE,
                CoreRules.PROJECT_MERGE,
                CoreRules.PROJECT_REMOVE,
                CoreRules.FILTER_REDUCE_EXPRESSIONS,
                AVERAGES,
                CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES,
                CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW);
        logical = new RelFieldTrimmer(null, builder).trim(logical);
        logical = run(
                logical,
                CoreRules.PROJECT_MERGE,
                CoreRules.PROJECT_REMOVE,
                CoreRules.FILTER_PROJECT_TRANSPOSE,
                CoreRules.FILTER_MERGE,
                CoreRules.SORT_PROJECT_TRANSPOSE,
                CoreRules.SORT_REMOVE_CONSTANT_KEYS);
        return ScanPushDown.rewrite(logical);
    }

    private static RelNode run(RelNode node, RelOptRule... rules) {
        var program = new HepProgramBuilder().addMatchOrder(HepMatchOrder.TOP_DOWN);
        program.addRuleCollection(List.of(rules));
        var planner = new HepPlanner(program.build());
        planner.setRoot(node);
        return planner.findBestExp();
    }

    private static String text(RelNode node) {
        return RelOptUtil.toString(node, SqlExplainLevel.EXPPLAN_ATTRIBUTES);
    }

    private static List<ScanSpec> scans(RelNode node) {
        var scans = new ArrayList<ScanSpec>();
        if (node instanceof LazyScan scan) {
            scans.add(scan.spec());
        }
        node.getInputs().forEach(input -> scans.addAll(scans(input)));
        return scans;
    }

    private static List<Column> columns(RelDataType rowType) {
        var columns = new ArrayList<Column>();
        for (RelDataTypeField field : rowType.getFieldList()) {
            String name = field.getName().startsWith("EXPR$") ? ResultNames.UNKNOWN : field.getName();
            columns.add(Types.column(name, field.getType()));
        }
        return columns;
    }

    /** A column that comes from a table as it is keeps its type, which Calcite may not know. */
    private static List<Column> columns(RelDataType rowType, RelNode node, List<String> names) {
        List<Column> columns = columns(rowType);
        for (int i = 0; i < columns.size() && columns.size() == names.size(); i++) {
            Column column = columns.get(i);
            if (column.name().equals(ResultNames.UNKNOWN)) {
                columns.set(i, new Column(0, names.get(i), column.type(), column.precision(), column.scale(), false));
            }
        }
        for (int i = 0; i < columns.size(); i++) {
            Column origin = origin(node, i);
            if (origin != null) {
                Column computed = columns.get(i);
                columns.set(
                        i, new Column(0, computed.name(), origin.type(), origin.precision(), origin.scale(), false));
            }
        }
        return columns;
    }

    private static @Nullable Column origin(RelNode node, int field) {
        if (node instanceof LazyScan scan) {
            return scan.spec().aggregate() == null
                    ? scan.spec().table().columns().get(scan.spec().projects().get(field))
                    : null;
        }
        if (node instanceof org.apache.calcite.rel.core.Project project) {
            return project.getProjects().get(field) instanceof org.apache.calcite.rex.RexInputRef ref
                    ? origin(project.getInput(), ref.getIndex())
                    : null;
        }
        boolean same =
                node instanceof org.apache.calcite.rel.core.Filter || node instanceof org.apache.calcite.rel.core.Sort;
        return same ? origin(node.getInput(0), field) : null;
    }
}
