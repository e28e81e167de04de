package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Types of columns and those of Calcite. */
public final class Types {

    private static final int MOST_DIGITS = 38;

    private Types() {}

    /** Sums and averages have PostgreSQL's types, but for the digits of an average. */
    private static final class PostgresTypes extends RelDataTypeSystemImpl {

        @Override
        public int getMaxPrecision(SqlTypeName type) {
            return type == SqlTypeName.DECIMAL ? MOST_DIGITS : super.getMaxPrecision(type);
        }

        @Override
        public int getMaxScale(SqlTypeName type) {
            return type == SqlTypeName.DECIMAL ? MOST_DIGITS : super.getMaxScale(type);
        }

        @Override
        public RoundingMode roundingMode() {
            return RoundingMode.HALF_UP;
        }

        @Override
        public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
            SqlTypeName sum = switch (argument.getSqlTypeName()) {
                case TINYINT, SMALLINT, INTEGER -> SqlTypeName.BIGINT;
                case BIGINT -> SqlTypeName.DECIMAL;
                case REAL, FLOAT -> SqlTypeName.DOUBLE;
                default -> null;
            };
            if (argument.getSqlTypeName() == SqlTypeName.DECIMAL) {
                return factory.createTypeWithNullability(
                        factory.createSqlType(SqlTypeName.DECIMAL, MOST_DIGITS, argument.getScale()),
                        argument.isNullable());
            }
            if (sum == null) {
                return argument;
            }
            RelDataType type = sum == SqlTypeName.DECIMAL
                    ? factory.createSqlType(sum, MOST_DIGITS, 0)
                    : factory.createSqlType(sum);
            return factory.createTypeWithNullability(type, argument.isNullable());
        }

        @Override
        public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
            return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.DOUBLE), argument.isNullable());
        }

        @Override
        public boolean shouldConvertRaggedUnionTypesToVarying() {
            return true;
        }
    }

    /** A factory of types: texts are in UTF-8. */
    static JavaTypeFactoryImpl factory() {
        return new JavaTypeFactoryImpl(new PostgresTypes()) {
            @Override
            public Charset getDefaultCharset() {
                return StandardCharsets.UTF_8;
            }
        };
    }

    /** Calcite's type of a column. */
    static RelDataType of(RelDataTypeFactory factory, Column column, boolean nullable) {
        RelDataType type = switch (column.type()) {
            case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
            case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
            case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
            case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
            case REAL -> factory.createSqlType(SqlTypeName.REAL);
            case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
            case DECIMAL -> factory.createSqlType(SqlTypeName.DECIMAL, column.precision(), column.scale());
            case TEXT, JSON, VARCHAR -> factory.createSqlType(SqlTypeName.VARCHAR);
            case BYTEA -> factory.createSqlType(SqlTypeName.VARBINARY);
            case UUID -> factory.createSqlType(SqlTypeName.UUID);
            case DATE -> factory.createSqlType(SqlTypeName.DATE);
            case TIME -> factory.createSqlType(SqlTypeName.TIME, 3);
            case TIMESTAMP, TIMESTAMPTZ -> factory.createSqlType(SqlTypeName.TIMESTAMP, 3);
        };
        return factory.createTypeWithNullability(type, nullable);
    }

    /** A column that can hold what Calcite computes as a type: how clients are told of it. */
    public static Column column(String name, RelDataType type) {
        int scale = 0;
        ColumnType found;
        switch (type.getSqlTypeName()) {
            case BOOLEAN -> found = ColumnType.BOOLEAN;
            case TINYINT, SMALLINT -> found = ColumnType.SMALLINT;
            case INTEGER -> found = ColumnType.INTEGER;
            case BIGINT -> found = ColumnType.BIGINT;
            case REAL -> found = ColumnType.REAL;
            case FLOAT, DOUBLE -> found = ColumnType.DOUBLE;
            case DECIMAL -> {
                found = ColumnType.DECIMAL;
                scale = Math.max(0, type.getScale());
            }
            case BINARY, VARBINARY -> found = ColumnType.BYTEA;
            case ARRAY -> {
                return new Column(0, name, ColumnType.TEXT, -Oids.element(type.getComponentType()), 0, false);
            }
            case UUID -> found = ColumnType.UUID;
            case DATE -> found = ColumnType.DATE;
            case TIME -> found = ColumnType.TIME;
            case TIMESTAMP -> found = ColumnType.TIMESTAMP;
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> found = ColumnType.TIMESTAMPTZ;
            default -> found = ColumnType.TEXT;
        }
        return new Column(0, name, found, found == ColumnType.DECIMAL ? MOST_DIGITS : 0, scale, false);
    }
}
