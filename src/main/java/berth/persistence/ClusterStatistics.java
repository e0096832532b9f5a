package berth.persistence;

import berth.desk.Records.JobFigures;
import berth.desk.Records.StartFigures;
import berth.desk.Records.Statistics;
import berth.reservation.ClusterId;
import berth.scheduling.Event;
import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/** Asks for the figures of one cluster in one time: each is one sum over the events that lie in it. */
final class ClusterStatistics {

    static final String EVENTS = " from EventRow where cluster = :cluster and at >= :from and at < :to";
    static final String ENDS = " and type in (COMPLETED, CANCELLED, RELEASED, EXPIRED, FAILED)";

    private final StatelessSession session;
    private final ClusterId cluster;
    private final Slot range;

    ClusterStatistics(StatelessSession session, ClusterId cluster, Slot range) {
        this.session = session;
        this.cluster = cluster;
        this.range = range;
    }

    Statistics statistics() {
        var happened = new EnumMap<Event.Type, Long>(Event.Type.class);
        ask("select type, count(*)" + EVENTS + " group by type")
                .forEach(row -> happened.put((Event.Type) row[0], (Long) row[1]));
        return new Statistics(
                accepted(),
                refused(),
                happened.getOrDefault(Event.Type.MOVED, 0L),
                happened.getOrDefault(Event.Type.COMPLETED, 0L),
                happened.getOrDefault(Event.Type.FAILED, 0L),
                money("price", ENDS),
                money("credit", " and type = FAILED"),
                meanSlowdown(),
                meanPhi(),
                starts(),
                new JobFigures(
                        happened.getOrDefault(Event.Type.JOB_QUEUED, 0L),
                        happened.getOrDefault(Event.Type.JOB_STARTED, 0L),
                        happened.getOrDefault(Event.Type.JOB_COMPLETED, 0L),
                        happened.getOrDefault(Event.Type.JOB_CANCELLED, 0L),
                        meanWait()));
    }

    private StartFigures starts() {
        var numbers = ask("select count(*), coalesce(sum(case when startAt = at then 1 else 0 end), 0)" + EVENTS
                        + " and type in (HELD, CONFIRMED) and version = 0")
                .getFirst();
        long immediate = ((Number) numbers[1]).longValue();
        var offset = ask("select avg(cast(abs(extract(epoch from started.at) - extract(epoch from accepted.startAt))"
                        + " as double)), 0 from EventRow started join EventRow accepted"
                        + " on accepted.reservation = started.reservation and accepted.version = 0"
                        + " where started.cluster = :cluster and started.at >= :from and started.at < :to"
                        + " and started.type = STARTED")
                .getFirst()[0];
        return new StartFigures(immediate, (Long) numbers[0] - immediate, optional(offset));
    }

    private OptionalDouble meanWait() {
        return optional(ask("select avg(waited), 0" + EVENTS + " and type = JOB_STARTED")
                .getFirst()[0]);
    }

    private static OptionalDouble optional(@Nullable Object mean) {
        return mean == null ? OptionalDouble.empty() : OptionalDouble.of((Double) mean);
    }

    private long accepted() {
        return (Long) ask("select count(*), 0" + EVENTS + " and type in (HELD, CONFIRMED) and version = 0")
                .getFirst()[0];
    }

    /** Hours are counted whole: those that begin in the time, and the one in which it begins. */
    private Map<String, Long> refused() {
        var refused = new TreeMap<String, Long>();
        session.createSelectionQuery(
                        "select code, sum(number) from RefusalRow where cluster = :cluster and hour > :from and hour <"
                                + " :to group by code",
                        Object[].class)
                .setParameter("cluster", cluster.value())
                .setParameter("from", Seconds.instant(range.start() - 3600))
                .setParameter("to", Seconds.instant(range.end()))
                .getResultStream()
                .forEach(row -> refused.put((String) row[0], (Long) row[1]));
        return refused;
    }

    private List<Money> money(String column, String which) {
        return ask("select currency, sum(" + column + ")" + EVENTS + which + " and " + column + " is not null"
                        + " group by currency order by currency")
                .stream()
                .map(row -> Money.rounded((BigDecimal) row[1], BigDecimal.ONE, Currency.getInstance((String) row[0])))
                .toList();
    }

    private OptionalDouble meanSlowdown() {
        return optional(ask("select avg(slowdown), 0" + EVENTS + " and type = COMPLETED")
                .getFirst()[0]);
    }

    private OptionalDouble meanPhi() {
        var mean = ask("select avg(cast(abs(phi) as double)), 0" + EVENTS
                        + " and type in (HELD, CONFIRMED) and version = 0")
                .getFirst()[0];
        return optional(mean);
    }

    private List<Object[]> ask(String question) {
        return session.createSelectionQuery(question, Object[].class)
                .setParameter("cluster", cluster.value())
                .setParameter("from", Seconds.instant(range.start()))
                .setParameter("to", Seconds.instant(range.end()))
                .getResultList();
    }
}
