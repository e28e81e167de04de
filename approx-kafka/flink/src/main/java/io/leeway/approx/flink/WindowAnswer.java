package io.leeway.approx.flink;

/**
 * What is known of one group of one window: exactly how many records there were, how many of them arrived, and what follows
 * for all. Later answers of the same topic, {@code from} and group replace earlier ones; they have higher revisions.
 *
 * @param topic the topic
 * @param from the first millisecond of the window
 * @param to the first millisecond after it
 * @param group the group's name
 * @param revision 1 for the first answer
 * @param records how many records were produced, exactly (the paper's N)
 * @param delivered how many of them arrived, by the reports
 * @param kept whether every producer's promise was kept
 * @param values how many records with a number the job saw
 * @param mean the estimated mean of the numbers of all records; NaN if no estimate is honest
 * @param meanLow the lower end of its interval
 * @param meanHigh the upper end
 * @param sum the estimated sum
 * @param sumLow the lower end of its interval
 * @param sumHigh the upper end
 * @param confidence the level of the intervals
 * @param exactSum the sum over all records as the producers' side counted it, if a value is configured there; else NaN
 * @param biasZ of the reports, the one furthest from 0: beyond 3 the sample is suspect
 * @param warnings why it should be read with care, separated by semicolons; empty if there is no reason
 */
public record WindowAnswer(
        String topic,
        long from,
        long to,
        String group,
        int revision,
        long records,
        long delivered,
        boolean kept,
        long values,
        double mean,
        double meanLow,
        double meanHigh,
        double sum,
        double sumLow,
        double sumHigh,
        double confidence,
        double exactSum,
        double biasZ,
        String warnings) {}
