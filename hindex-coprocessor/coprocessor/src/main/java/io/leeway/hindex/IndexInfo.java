package io.leeway.hindex;

import org.apache.hadoop.hbase.TableName;

/**
 * An index of a table, as it is now.
 *
 * @param table the base table
 * @param definition what it is, and in which state
 * @param entries the table that holds its entries
 * @param isComplete whether entries of all that was there before the index have been added
 */
public record IndexInfo(TableName table, IndexDefinition definition, TableName entries, boolean isComplete) {}
