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
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.rules.AggregateReduceFunctionsRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.sql2rel.StandardConvertletTable;
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
        public SelectAliasLookup isSelectAlias() {
            return SelectAliasLookup.UNSUPPORTED;
        }
    }

    private final JavaTypeFactoryImpl types = Types.factory();
    private final SqlOperatorTable operators = SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
            EnumSet.of(SqlLibrary.STANDARD, SqlLibrary.POSTGRESQL));
    private final SchemaSource source;

    /** Adds what is no table of the user to a schema: the catalogue. */
    @FunctionalInterface
    interface SchemaSource {
        void addTo(CalciteSchema root, Catalog catalog);
    }

    QueryPlanner(SchemaSource source) {
        this.source = source;
    }

    private CalciteSchema schema(Catalog catalog) {
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
        } catch (CalciteException | org.apache.calcite.plan.RelOptPlanner.CannotPlanException e) {
            throw new LazyBaseException(Code.UNSUPPORTED, firstLine(e.getMessage()), e);
        } catch (AssertionError | UnsupportedOperationException | IllegalStateException | ClassCastException e) {
            throw new LazyBaseException(Code.UNSUPPORTED, "It cannot be planned: " + firstLine(e.getMessage()), e);
        }
    }

    private static String firstLine(@Nullable String message) {
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
                SqlOperatorTables.chain(reader, operators),
                reader,
                types,
                SqlValidator.Config.DEFAULT
                        .withConformance(new Conformance())
                        .withIdentifierExpansion(true)
                        .withTypeCoercionEnabled(true));
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
        List<Column> columns = columns(rowType, logical);
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

    private static RelNode optimised(RelNode node, RelOptCluster cluster) {
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
            String name = field.getName().startsWith("EXPR$") ? "?column?" : field.getName();
            columns.add(Types.column(name, field.getType()));
        }
        return columns;
    }

    /** A column that comes from a table as it is keeps its type, which Calcite may not know. */
    private static List<Column> columns(RelDataType rowType, RelNode node) {
        List<Column> columns = columns(rowType);
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
