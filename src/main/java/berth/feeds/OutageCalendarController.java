package berth.feeds;

import berth.booking.web.ClusterLookup;
import berth.cluster.Cluster;
import berth.cluster.Unit;
import berth.engine.Records;
import berth.http.ICalendar;
import berth.readings.Readings;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The outages of a cluster as a calendar. */
@RestController
@Tag(name = "Outage readings")
class OutageCalendarController {

    private final Records records;
    private final ClusterLookup clusters;
    private final InstantSource clock;

    OutageCalendarController(Records records, ClusterLookup clusters, InstantSource clock) {
        this.records = records;
        this.clusters = clusters;
        this.clock = clock;
    }

    /**
     * Reads when PEs of a cluster are out of service, as iCalendar (RFC 5545). The calendar includes outages that ended in the last 30
     * days. If the setting {@code berth.outages.public} names the cluster, the call needs no token. The response has an {@code ETag}, as
     * feeds do.
     */
    @GetMapping(path = "/api/v1/clusters/{cluster}/outages.ics", produces = ICalendar.TYPE)
    ResponseEntity<byte[]> readOutages(@PathVariable String cluster, HttpServletRequest request) {
        return answer(clusters.schedule(cluster).cluster(), request);
    }

    private ResponseEntity<byte[]> answer(Cluster cluster, HttpServletRequest request) {
        var id = cluster.id();
        long now = clock.instant().getEpochSecond();
        long today = CalendarResponses.beginOfDay(now);
        var state = FeedTag.digest(id, records.lastSequence(id));
        return FeedTag.stillGood(CalendarResponses.ifNoneMatch(request), state, now)
                .map(CalendarResponses::unchanged)
                .orElseGet(() -> {
                    var found = records.latestOutages(id, today - CalendarResponses.PAST, CalendarResponses.MAX + 1);
                    return CalendarResponses.calendar(
                            "Outages of " + id,
                            found,
                            outage -> FeedEntries.of(outage, Unit.of(cluster), today),
                            state,
                            today + Readings.DAY);
                });
    }
}
