package berth.readings;

import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Texts;
import java.util.regex.Pattern;

/**
 * A version of a cluster's schedule, as an account sees it. Two responses with equal tags have equal content.
 *
 * @param sequence the sequence of the last event that the response certainly includes
 * @param plans a hash of the planned starts of the waiting batch jobs, and of the account unless it sees everything
 */
record ScheduleTag(long sequence, int plans) {

    private static final Pattern TEXT = Pattern.compile("(?:W/)?\"?([0-9]{1,15})-([0-9a-f]{1,8})\"?");

    /**
     * Reads a tag.
     *
     * @throws Problem if the text is not a tag of a schedule, with or without quotes
     */
    static ScheduleTag read(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw Problem.field(
                    ProblemCode.MALFORMED,
                    "since",
                    Texts.shown(text),
                    "must be the ETag of an earlier response to this call");
        }
        return new ScheduleTag(Long.parseLong(parts.group(1)), Integer.parseUnsignedInt(parts.group(2), 16));
    }

    /** Returns the tag for the parameter {@code since}. */
    String text() {
        return "%d-%x".formatted(sequence, plans);
    }

    /** Returns the tag as an {@code ETag}. It is weak, because compressed responses differ in their bytes. */
    String header() {
        return "W/\"%s\"".formatted(text());
    }
}
