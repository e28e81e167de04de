package io.leeway.hindex.internal.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.console.Console;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands do what their page says, and say plainly what they cannot do. */
class CommandLineTest {

    private static final Path PAGE =
            Path.of(System.getProperty("leeway.root", ".."), "docs", "hindex", "command-line.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\n(.*?)^```$");
    private static final Pattern PUT = Pattern.compile("hbase> put '(\\S+)', '(\\S+)', '(\\S+):(\\S+)', '(.*)'");
    private static final byte[] FAMILY = "d".getBytes(UTF_8);

    private final HBaseCluster cluster = TestClusters.light(2);

    private record Ended(int code, String out, String err) {}

    @Test
    void theCommandsOnThePageDoWhatItSays() throws IOException {
        TableName people = TableName.valueOf("people");
        create(people);
        put("people", "p1", "d", "city", "Oslo");
        put("people", "p2", "d", "city", "Bergen");
        put("people", "p3", "d", "city", "Oslo");
        Matcher block = BLOCK.matcher(Files.readString(PAGE));
        int commands = 0;
        while (block.find()) {
            commands += follow(block.group(1));
        }
        drop(people);

        assertThat(commands).isGreaterThanOrEqualTo(10);
    }

    /** Runs what stands behind {@code $}, and compares what it prints with the lines up to the next command. */
    private int follow(String block) throws IOException {
        List<String> lines = block.lines().toList();
        int commands = 0;
        for (int i = 0; i < lines.size(); i++) {
            Matcher put = PUT.matcher(lines.get(i));
            if (put.matches()) {
                put(put.group(1), put.group(2), put.group(3), put.group(4), put.group(5));
            } else if (lines.get(i).startsWith("$ hindex ")) {
                var expected = new ArrayList<String>();
                String command = lines.get(i).substring("$ hindex ".length());
                while (i + 1 < lines.size()
                        && !lines.get(i + 1).isEmpty()
                        && !lines.get(i + 1).startsWith("hbase>")) {
                    expected.add(lines.get(++i));
                }
                Ended ended = run(words(command));
                assertThat(ended.err()).as(command).isEmpty();
                assertThat(ended.out().lines()).as(command).containsExactlyElementsOf(expected);
                assertThat(ended.code()).as(command).isEqualTo(Command.FINE);
                commands++;
            }
        }
        return commands;
    }

    @Test
    void thePageNamesEveryCommand() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(Commands.all())
                .allSatisfy(command -> assertThat(page)
                        .contains("| `" + command.usage().name() + "` | "
                                + command.usage().summary() + " |"));
    }

    @Test
    void anIndexThatIsNotAsItShouldBeHasAnExitCodeOfItsOwn() throws IOException {
        TableName table = cluster.freshName("unsound");
        create(table);
        put(table.getNameAsString(), "p1", "d", "city", "Oslo");
        assertThat(run("create", table.getNameAsString(), "by_city", "columns=d:city:utf8")
                        .code())
                .isEqualTo(Command.FINE);
        empty(TableName.valueOf(table.getNameAsString() + ".hindex.by_city"));

        Ended found = run("verify", table.getNameAsString(), "by_city");
        assertThat(found.code()).isEqualTo(Command.FOUND);
        assertThat(found.out())
                .contains("1 row, 0 entries: 1 missing, 0 stale, 0 dangling")
                .contains("hindex repair puts it right");

        assertThat(run("repair", table.getNameAsString(), "by_city").code()).isEqualTo(Command.FINE);
        assertThat(run("verify", table.getNameAsString(), "by_city").code()).isEqualTo(Command.FINE);
    }

    /** As that of a clone is not there before it is built, or one that somebody has disabled. */
    @Test
    void anIndexWithoutItsTableIsShownAsSuchAndPutRightByABuild() throws IOException {
        TableName table = cluster.freshName("tableless");
        create(table);
        String name = table.getNameAsString();
        TableName entries = TableName.valueOf(name + ".hindex.by_city");
        put(name, "p1", "d", "city", "Oslo");
        run("create", name, "by_city", "columns=d:city:utf8");
        try (Admin admin = cluster.connection().getAdmin()) {
            for (String fault : List.of("is disabled", "does not exist")) {
                admin.disableTable(entries);
                if (fault.equals("does not exist")) {
                    admin.deleteTable(entries);
                }

                assertThat(run("list", name).out())
                        .contains(
                                "state=active (its table does not exist, is disabled or is not complete: the master or"
                                        + " hindex build puts that right, and it is read after that)");
                assertThat(run("verify", name, "by_city").err())
                        .isEqualTo("hindex: the index by_city of " + name + " cannot be compared: its table " + entries
                                + " " + fault + "; hindex build puts that right\n");
                assertThat(run("query", name, "by_city", "--is", "Oslo").err())
                        .contains("the index table " + entries + " " + fault)
                        .contains("hindex build");

                assertThat(run("build", name, "by_city").code()).isEqualTo(Command.FINE);
                assertThat(run("list", name).out()).contains("state=active\n");
                assertThat(run("query", name, "by_city", "--is", "Oslo").out()).contains("p1: d:city=Oslo");
            }
        }
    }

    private TableName cities() throws IOException {
        TableName table = cluster.freshName("cities");
        create(table);
        String name = table.getNameAsString();
        assertThat(run("create", name, "by_city", "columns=d:city:utf8, d:size:long")
                        .code())
                .isEqualTo(Command.FINE);
        city(table, "p1", "Oslo", 3L, "first");
        city(table, "p2", "Bergen", 7L, "a\tb");
        city(table, "p3", "Oslo", 5L, "third");
        city(table, "p4", "Odda", null, null);
        return table;
    }

    private void city(TableName name, String row, String city, @Nullable Long size, @Nullable String note)
            throws IOException {
        Put put = new Put(row.getBytes(UTF_8)).addColumn(FAMILY, "city".getBytes(UTF_8), 100, city.getBytes(UTF_8));
        if (size != null) {
            put.addColumn(FAMILY, "size".getBytes(UTF_8), 100, Bytes.toBytes(size));
        }
        if (note != null) {
            put.addColumn(FAMILY, "note".getBytes(UTF_8), 100, note.getBytes(UTF_8));
        }
        try (Table table = cluster.connection().getTable(name)) {
            table.put(put);
        }
    }

    private List<String> query(TableName table, String... options) {
        var words = new ArrayList<>(List.of("query", table.getNameAsString(), "by_city"));
        words.addAll(List.of(options));
        Ended ended = run(words.toArray(String[]::new));
        assertThat(ended.err()).as("%s", words).isEmpty();
        assertThat(ended.code()).as("%s", words).isEqualTo(Command.FINE);
        return ended.out().lines().toList();
    }

    @Test
    void aQueryShowsTheRowsThatFulfilItsConditions() throws IOException {
        TableName table = cities();

        assertThat(query(table))
                .containsExactly(
                        "p2: d:city=Bergen, d:size=7",
                        "p4: d:city=Odda",
                        "p1: d:city=Oslo, d:size=3",
                        "p3: d:city=Oslo, d:size=5",
                        "4 rows");
        assertThat(query(table, "--is", "Oslo", "--above", "3")).containsExactly("p3: d:city=Oslo, d:size=5", "1 row");
        assertThat(query(table, "--is", "Oslo", "--or", "Bergen", "--from", "5", "--to", "7"))
                .containsExactly("p2: d:city=Bergen, d:size=7", "p3: d:city=Oslo, d:size=5", "2 rows");
        assertThat(query(table, "--is=Odda", "--absent")).containsExactly("p4: d:city=Odda", "1 row");
        assertThat(query(table, "--prefix", "O", "--descending", "--limit", "2"))
                .containsExactly("p3: d:city=Oslo, d:size=5", "p1: d:city=Oslo, d:size=3", "2 rows");
        assertThat(query(table, "--below", "Odda")).containsExactly("p2: d:city=Bergen, d:size=7", "1 row");
        assertThat(query(table, "--from", "Odda", "--below", "Oslo")).containsExactly("p4: d:city=Odda", "1 row");
        assertThat(query(table, "--is", "Paris")).containsExactly("0 rows");
        assertThat(query(table, "--is", "Odda")).containsExactly("p4: d:city=Odda", "1 row");
        put(table.getNameAsString(), "p4", "d", "city", "Paris");
        assertThat(query(table, "--is", "Odda")).containsExactly("0 rows");
        assertThat(query(table, "--is", "Paris", "--any")).containsExactly("0 rows");
        assertThat(query(table, "--is", "Oslo", "--any", "--limit", "1"))
                .containsExactly("p1: d:city=Oslo, d:size=3", "1 row");
        assertThat(query(table, "--is", "Oslo", "--is", "5", "--as-of", "1970-01-01T00:00:00.100Z"))
                .containsExactly("p3: d:city=Oslo, d:size=5", "1 row");
        assertThat(query(table, "--is", "Oslo", "--as-of", "99")).containsExactly("0 rows");
    }

    @Test
    void rowsAreShownAsTextTsvOrJson() throws IOException {
        TableName table = cities();

        assertThat(query(table, "--is", "Bergen", "--times", "--column", "d:note"))
                .containsExactly("p2 @100: d:city=Bergen, d:size=7, d:note=a\\x09b", "1 row");
        assertThat(query(table, "--prefix", "O", "--column", "d:note", "--times", "--format", "tsv"))
                .containsExactly(
                        "row\ttimestamp\td:city\td:size\td:note",
                        "p4\t100\tOdda\t\t",
                        "p1\t100\tOslo\t3\tfirst",
                        "p3\t100\tOslo\t5\tthird");
        assertThat(query(table, "--to", "Odda", "--format", "json"))
                .containsExactly(
                        "{\"row\":\"p2\",\"columns\":{\"d:city\":\"Bergen\",\"d:size\":7}}",
                        "{\"row\":\"p4\",\"columns\":{\"d:city\":\"Odda\",\"d:size\":null}}");
        city(table, "p5", "\"A\\\n\uD83D\uDE00", null, null);
        assertThat(query(table, "--below", "B", "--format", "json"))
                .containsExactly(
                        "{\"row\":\"p5\",\"columns\":{\"d:city\":\"\\\"A\\\\\\u000a\\ud83d\\ude00\",\"d:size\":null}}");
        assertThat(query(table, "--below", "B")).containsExactly("p5: d:city=\"A\\\\\\n\uD83D\uDE00", "1 row");
    }

    @Test
    void rowsMayGoIntoAFile(@TempDir Path folder) throws IOException {
        TableName table = cities();
        Path file = folder.resolve("rows.tsv");

        assertThat(query(table, "--is", "Oslo", "--format", "tsv", "--output", file.toString()))
                .containsExactly("2 rows");
        assertThat(file).hasContent("row\td:city\td:size\np1\tOslo\t3\np3\tOslo\t5\n");
        Ended nowhere = run("query", table.getNameAsString(), "by_city", "--output", folder + "/none/rows");
        assertThat(nowhere.code()).isEqualTo(Command.FAILED);
        assertThat(nowhere.err()).contains("cannot be written (NoSuchFileException); give another");
    }

    @Test
    void queriesThatCannotBeAskedAreRefusedWithTheRemedy() throws IOException {
        String table = cities().getNameAsString();

        assertThat(run("query", table, "by_town").err()).contains("by_town");
        assertThat(run("query", "nobody", "by_city").err()).contains("there is no table nobody");
        assertThat(run("query", table, "by_city", "--is", "Oslo", "--is", "many")
                        .err())
                .contains("--is many is no value of d:size:long; write for instance 12");
        assertThat(run("query", table, "by_city", "--or", "Oslo").err()).contains("--or stands after --is VALUE");
        assertThat(run("query", table, "by_city", "--is", "Oslo", "--is", "1", "--is", "2")
                        .err())
                .contains("more conditions than the index by_city has columns, 2");
        assertThat(run("query", table, "by_city", "--from", "A", "--is", "1").err())
                .contains("condition 1 is not exact and others follow");
        assertThat(run("query", table, "by_city", "--as-of", "noon").err())
                .contains("--as-of noon is no point in time; write for instance");
        assertThat(run("query", table, "by_city", "--limit", "0").err())
                .contains("--limit 0 is no number above nought");
        assertThat(run("query", table, "by_city", "--format", "xml").err()).contains("there is no format xml");
        assertThat(run("query", table, "by_city", "--column", "note").err()).contains("'note' is no column");
        assertThat(run("pause", table, "by_city").code()).isEqualTo(Command.FINE);
        Ended paused = run("query", table, "by_city");
        assertThat(paused.code()).isEqualTo(Command.FAILED);
        assertThat(paused.err()).contains("is paused and cannot be read");
    }

    @Test
    void aPausedBuildIsNotComplete() throws IOException {
        TableName table = cluster.freshName("unbuilt");
        create(table);
        String name = table.getNameAsString();

        assertThat(run("create", name, "by_city", "columns=d:city:utf8", "--no-build")
                        .out())
                .contains("is defined; writes keep it");
        assertThat(run("pause", name, "by_city").code()).isEqualTo(Command.FINE);
        Ended build = run("build", name, "by_city");
        assertThat(build.code()).isEqualTo(Command.FAILED);
        assertThat(build.err()).isEqualTo("hindex: the index by_city is paused; resume it first\n");
    }

    @Test
    void whatCannotBeDoneIsSaidInWords() {
        assertThat(run("creat").err())
                .isEqualTo("hindex: there is no command creat, did you mean create? See: hindex --help\n");
        assertThat(run("verify", "people").err()).contains("INDEX is missing");
        assertThat(run("verify", "people", "by_city", "more").err()).contains("\"more\" is one word too many");
        assertThat(run("list", "nobody").err()).contains("there is no table nobody");
        assertThat(run("build", "t", "i", "--rate", "many").err()).contains("--rate many is no number of rows");
        assertThat(run("list", "--site", "nowhere.xml").err()).contains("nowhere.xml cannot be read");
        assertThat(run("mode", "t", "i", "fast").err()).contains("there is no mode fast");
        for (String word : List.of("creat", "verify")) {
            assertThat(run(word).code()).isEqualTo(Command.FAILED);
        }
    }

    @Test
    void helpIsThereForEveryCommand() {
        assertThat(run("--help").out()).contains("hindex - secondary indexes for HBase", "verify");
        assertThat(Commands.all()).allSatisfy(command -> {
            Ended help = run(command.usage().name(), "--help");
            assertThat(help.out()).startsWith("hindex " + command.usage().name() + " - ");
            assertThat(help.code()).isEqualTo(Command.FINE);
        });
    }

    private static String[] words(String line) {
        var words = new ArrayList<String>();
        Matcher word = Pattern.compile("'([^']*)'|(\\S+)").matcher(line);
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        return words.toArray(String[]::new);
    }

    private Ended run(String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var all = new ArrayList<>(List.of(words));
        if (words.length > 1 && !all.contains("--help")) {
            all.add("--zookeeper");
            all.add("127.0.0.1:" + cluster.configuration().get("hbase.zookeeper.property.clientPort"));
        }
        int code = CommandLine.run(
                all.toArray(String[]::new),
                new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), name -> null, false));
        return new Ended(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    private void create(TableName table) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(table)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .build());
        }
    }

    private void drop(TableName table) throws IOException {
        try (Admin admin = cluster.connection().getAdmin()) {
            admin.disableTable(table);
            admin.deleteTable(table);
        }
    }

    private void put(String table, String row, String family, String qualifier, String value) throws IOException {
        try (Table opened = cluster.connection().getTable(TableName.valueOf(table))) {
            opened.put(new Put(row.getBytes(UTF_8))
                    .addColumn(family.getBytes(UTF_8), qualifier.getBytes(UTF_8), value.getBytes(UTF_8)));
        }
    }

    /** Takes the entries, and leaves what says that they were built. */
    private void empty(TableName entries) throws IOException {
        try (Table table = cluster.connection().getTable(entries);
                var scanner = table.getScanner(IndexPlan.entryFamily())) {
            for (var entry : scanner) {
                table.delete(new Delete(entry.getRow()).addFamily(IndexPlan.entryFamily()));
            }
        }
    }
}
