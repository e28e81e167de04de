package io.leeway.approx;

import java.util.Locale;

/**
 * What became of one group of one window, as it is written to the topic of reports. A window may have several reports of
 * one group, from several producers or for late records: counts and sums of them add up.
 *
 * @param topic the topic
 * @param from the first millisecond of the window
 * @param to the first millisecond after it
 * @param group the group's name
 * @param source the session of the producer, and its job
 * @param msr what was promised
 * @param records how many records were produced, exactly
 * @param delivered how many of them are in the topic: they arrived, and a broker took them
 * @param bytes the lengths of all, as they travel
 * @param bytesDelivered of those that are in the topic
 * @param biasZ by how many standard errors the mean length of what was delivered is off; beyond 3 the sample is suspect
 * @param values how many records had a value
 * @param sum the values of all records together, exactly
 * @param squares their squares together
 * @param least the least value; NaN without values
 * @param most the greatest
 * @param resent packets that were sent again
 * @param sketches summaries of all records in Base64, for {@link io.leeway.approx.estimate.WindowSketches}; empty if there
 *     are none
 * @param refused how many arrived at the gateway and are in no topic, since brokers refused them; not among the delivered
 * @param refusedWhy for which reasons, as Kafka's exceptions are called, separated by commas; empty if none was refused
 */
public record WindowReport(
        String topic,
        long from,
        long to,
        String group,
        String source,
        double msr,
        long records,
        long delivered,
        long bytes,
        long bytesDelivered,
        double biasZ,
        long values,
        double sum,
        double squares,
        double least,
        double most,
        long resent,
        String sketches,
        long refused,
        String refusedWhy) {

    /** The header of records that names the {@code source} of the report that counts them, with {@code approx.mark=on}. */
    public static final String SOURCE_HEADER = "approx-source";

    /** Whether the promise was kept. */
    public boolean kept() {
        return delivered >= io.leeway.approx.atp.GroupSpec.need(msr, records);
    }

    /** The part that was delivered; 1 if there was nothing. */
    public double deliveredPart() {
        return records == 0 ? 1 : (double) delivered / records;
    }

    /** Whether the sample is suspect: what was delivered differs in length from all beyond chance. */
    public boolean biased() {
        return Math.abs(biasZ) > 3;
    }

    /** As JSON on one line. */
    public String toJson() {
        return "{\"topic\":" + quote(topic) + ",\"from\":" + from + ",\"to\":" + to + ",\"group\":" + quote(group)
                + ",\"source\":" + quote(source) + ",\"msr\":" + number(msr) + ",\"records\":" + records
                + ",\"delivered\":" + delivered + ",\"kept\":" + kept() + ",\"bytes\":" + bytes
                + ",\"bytesDelivered\":" + bytesDelivered + ",\"biasZ\":" + number(biasZ) + ",\"values\":" + values
                + ",\"sum\":" + number(sum) + ",\"squares\":" + number(squares) + ",\"least\":" + number(least)
                + ",\"most\":" + number(most) + ",\"resent\":" + resent + ",\"refused\":" + refused
                + (refusedWhy.isEmpty() ? "" : ",\"refusedWhy\":" + quote(refusedWhy))
                + (sketches.isEmpty() ? "" : ",\"sketches\":" + quote(sketches)) + "}";
    }

    /** The report of a line that {@link #toJson} made. */
    public static WindowReport fromJson(String json) {
        FlatJson fields = FlatJson.parse(json);
        return new WindowReport(
                fields.text("topic"),
                fields.whole("from"),
                fields.whole("to"),
                fields.text("group"),
                fields.text("source"),
                fields.real("msr"),
                fields.whole("records"),
                fields.whole("delivered"),
                fields.whole("bytes"),
                fields.whole("bytesDelivered"),
                fields.real("biasZ"),
                fields.whole("values"),
                fields.real("sum"),
                fields.real("squares"),
                fields.real("least"),
                fields.real("most"),
                fields.whole("resent"),
                fields.textOr("sketches", ""),
                Long.parseLong(fields.textOr("refused", "0")),
                fields.textOr("refusedWhy", ""));
    }

    private static String number(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "null";
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
