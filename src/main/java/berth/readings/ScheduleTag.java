package berth.readings;

import berth.http.EntityTag;
import berth.http.Problem;
import berth.http.ProblemCode;
import berth.http.Texts;
import berth.readings.Schedules.ScheduleBody;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Identifies a response with a cluster's schedule. The schedule may change while Berth reads it, so the tag has both the state before and a
 * digest of the response.
 *
 * @param state the state before the response was read
 * @param digest digest of the response; empty in tags of older versions of Berth
 */
record ScheduleTag(State state, String digest) {

    private static final Pattern TEXT =
            Pattern.compile("(?:W/)?\"?([0-9]{1,15})-([0-9a-f]{1,8})(?:-([0-9]{1,9})-([0-9a-f]{16}))?\"?");

    /**
     * A state of a cluster's schedule, as an account sees it. While it lasts, responses have equal content.
     *
     * @param sequence the sequence of the last event
     * @param plans a hash of the planned starts of the waiting batch jobs, and of the account unless it sees everything
     * @param cluster the version of the cluster
     */
    record State(long sequence, int plans, int cluster) {

        ScheduleTag tag(ScheduleBody body) {
            return new ScheduleTag(this, EntityTag.digest(body));
        }

        /** Returns the tag of the response that the client has, if the schedule has not changed since Berth began to read it. */
        Optional<ScheduleTag> among(List<String> ifNoneMatch) {
            return ifNoneMatch.stream()
                    .flatMap(header -> TEXT.matcher(header).results())
                    .map(ScheduleTag::of)
                    .filter(tag -> tag.state.equals(this))
                    .findAny();
        }
    }

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
        return of(parts);
    }

    private static ScheduleTag of(MatchResult parts) {
        boolean isComplete = parts.group(4) != null;
        return new ScheduleTag(
                new State(
                        Long.parseLong(parts.group(1)),
                        Integer.parseUnsignedInt(parts.group(2), 16),
                        isComplete ? Integer.parseInt(parts.group(3)) : -1),
                isComplete ? parts.group(4) : "");
    }

    /** Returns the tag for the parameter {@code since}. */
    String text() {
        return "%d-%x-%d-%s".formatted(state.sequence, state.plans, state.cluster, digest);
    }

    /** Returns the tag as an {@code ETag}. It is weak, because compressed responses differ in their bytes. */
    String header() {
        return "W/\"%s\"".formatted(text());
    }
}
