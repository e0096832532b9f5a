package berth.lab.experiment.advisor;

import berth.lab.simulation.Job;
import berth.lab.workload.ReservationRequest;
import berth.sla.Fixing;
import berth.sla.RequestedTerms;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/**
 * A request that a service recorded: a reservation in any state, or a request for one that is collected, waits for room, or was rejected.
 *
 * @param job the request, with the time that its run took if that is known
 */
record RecordedRequest(Job job, Course course) {

    /** What is known about the run. */
    enum Course {
        /** It took its whole time, or it is not over. */
        WHOLE("run whole, or not over"),
        /** It ended early. */
        ENDED_EARLY("run ended early"),
        /** It never began; it is replayed as if it took its whole time. */
        NEVER_BEGAN("never began, replayed for the whole time");

        private final String words;

        Course(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /**
     * Reads an item of the list of reservations. A run that may take several shapes or parts counts as one piece in the shape that it got,
     * and one without a deadline has no freedom at the place that it got or requested.
     *
     * @param number tells it from other requests
     * @param rating the rating of the cluster
     * @return the request; empty if its PEs or its duration are not listed
     * @throws IllegalArgumentException if a time is missing
     * @throws java.time.DateTimeException if a time or duration cannot be read
     */
    static Optional<RecordedRequest> of(long number, JsonNode listed, BigDecimal rating) {
        JsonNode terms = listed.path("terms");
        JsonNode place = listed.path("placement");
        int pes = field(terms, "pes")
                .or(() -> field(place, "pes"))
                .or(() -> field(terms, "maxPes"))
                .map(JsonNode::asInt)
                .orElse(0);
        long duration = seconds(place, "runTime")
                .orElseGet(
                        () -> RequestedTerms.runTime(seconds(terms, "duration").orElse(0L), rating));
        if (pes < 1 || duration < 1) {
            return Optional.empty();
        }
        long submit = at(listed, "createdAt");
        long ready = Math.max(submit, time(terms, "readyTime").orElse(submit));
        long freedom = seconds(terms, "slack").orElse(0L);
        long deadline = time(terms, "deadline").orElse(ready + duration + freedom);
        Job whole = Job.asReserved(new ReservationRequest(
                        number, submit, ready, Math.max(deadline, ready + duration), duration, pes))
                .fixed(new Fixing(
                        field(terms, "fixAfter").map(JsonNode::decimalValue),
                        seconds(terms, "fixBefore").map(OptionalLong::of).orElse(OptionalLong.empty())));
        return Optional.of(
                switch (listed.path("state").asString("")) {
                    case "COMPLETED", "CANCELLED", "FAILED" -> ended(whole, taken(place, at(listed, "updatedAt")));
                    case "EXPIRED", "REJECTED" -> new RecordedRequest(whole, Course.NEVER_BEGAN);
                    default -> new RecordedRequest(whole, Course.WHOLE);
                });
    }

    private static RecordedRequest ended(Job whole, long taken) {
        if (taken == 0) {
            return new RecordedRequest(whole, Course.NEVER_BEGAN);
        }
        return taken < whole.request().duration()
                ? new RecordedRequest(whole.endingAfter(taken), Course.ENDED_EARLY)
                : new RecordedRequest(whole, Course.WHOLE);
    }

    /** Returns how long the parts of a place had lasted at {@code end}. */
    private static long taken(JsonNode place, long end) {
        return place.path("parts")
                .valueStream()
                .mapToLong(part -> Math.max(0, Math.min(end, at(part, "end")) - at(part, "start")))
                .sum();
    }

    /** Returns a field; empty if it is missing or null. */
    static Optional<JsonNode> field(JsonNode object, String name) {
        return Optional.of(object.path(name)).filter(value -> !value.isMissingNode() && !value.isNull());
    }

    /** Returns a duration in seconds, rounded up; empty if it is missing or null. */
    static Optional<Long> seconds(JsonNode object, String name) {
        return field(object, name)
                .map(text ->
                        Duration.parse(text.asString()).plusNanos(999_999_999).toSeconds());
    }

    private static long at(JsonNode object, String name) {
        return time(object, name).orElseThrow(() -> new IllegalArgumentException(name + " is missing"));
    }

    private static Optional<Long> time(JsonNode object, String name) {
        return field(object, name).map(text -> Instant.parse(text.asString()).getEpochSecond());
    }
}
