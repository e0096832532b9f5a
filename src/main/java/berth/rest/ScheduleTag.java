package berth.rest;

import java.util.regex.Pattern;

/**
 * Which state of a cluster's schedule an answer tells: where two are equal, so are the answers.
 *
 * @param sequence of the last event of the cluster that the answer has at least
 * @param plans the digest of when the batch jobs that wait are planned to start
 */
record ScheduleTag(long sequence, int plans) {

    private static final Pattern TEXT = Pattern.compile("(?:W/)?\"?([0-9]{1,15})-([0-9a-f]{1,8})\"?");

    /** @throws Problem if it is no tag of a schedule, with its quotes or without */
    static ScheduleTag read(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "since",
                    Texts.shown(text),
                    "must be the ETag of an earlier answer of this call");
        }
        return new ScheduleTag(Long.parseLong(parts.group(1)), Integer.parseUnsignedInt(parts.group(2), 16));
    }

    /** As the parameter {@code since} has it. */
    String text() {
        return "%d-%x".formatted(sequence, plans);
    }

    /** As an {@code ETag}: weak, since what is compressed is not the same bytes. */
    String header() {
        return "W/\"%s\"".formatted(text());
    }
}
