package berth.lab.workload;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * The Standard Workload Format: lines of 18 numbers separated by white space. All numbers are checked, although a job keeps only some;
 * decimals are allowed. Lines for a part of a job that was swapped out or checkpointed (status 2 to 4) are not jobs, because the job has
 * its own line.
 */
record SwfRecord() implements LogFormat {
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");
    private static final int FIELDS = 18;
    private static final double LARGEST = 1e12;

    private static final int JOB = 0;
    private static final int SUBMIT = 1;
    private static final int WAIT = 2;
    private static final int RUN = 3;
    private static final int ALLOCATED = 4;
    private static final int REQUESTED = 7;
    private static final int ESTIMATE = 8;
    private static final int STATUS = 10;
    private static final int USER = 11;
    private static final int QUEUE = 14;
    private static final int FIRST_OF_PARTS = 2;
    private static final int LAST_OF_PARTS = 4;

    @Override
    public LogEntry read(String line) {
        String[] texts = WHITE_SPACE.split(line, -1);
        if (texts.length != FIELDS) {
            return LogFault.WRONG_FIELDS;
        }
        double[] numbers = new double[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            OptionalDouble number = number(texts[i]);
            if (number.isEmpty()) {
                return LogFault.NO_NUMBER;
            }
            numbers[i] = number.getAsDouble();
        }
        if (numbers[STATUS] >= FIRST_OF_PARTS && numbers[STATUS] <= LAST_OF_PARTS) {
            return new LogEntry.Other();
        }
        return numbers[SUBMIT] < 0
                        || isNegative(numbers[WAIT])
                        || isNegative(numbers[RUN])
                        || isNegative(numbers[ESTIMATE])
                ? LogFault.NEGATIVE_TIME
                : job(numbers);
    }

    private static boolean isNegative(double time) {
        return time < 0 && time != -1;
    }

    private static SwfJob job(double[] numbers) {
        return new SwfJob(
                (long) numbers[JOB],
                (long) Math.floor(numbers[SUBMIT]),
                (long) Math.ceil(numbers[RUN]),
                (long) numbers[ALLOCATED],
                (long) numbers[REQUESTED],
                (long) Math.ceil(numbers[ESTIMATE]),
                (long) numbers[USER],
                (int) numbers[STATUS],
                (int) numbers[QUEUE]);
    }

    private static OptionalDouble number(String text) {
        try {
            double number = Double.parseDouble(text);
            return Math.abs(number) <= LARGEST ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    @Override
    public boolean isInOrder() {
        return true;
    }

    @Override
    public boolean hasSeveralRows() {
        return false;
    }
}
