package berth.store;

import berth.engine.Records.Decisions;
import berth.engine.Records.JobFigures;
import berth.engine.Records.Quality;
import berth.engine.Records.StartFigures;
import berth.engine.Records.Statistics;
import berth.reservation.ClusterId;
import berth.scheduling.Event.Type;
import berth.sla.Money;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one cluster over a range of time, summed from its events. Events that have left the tables are summed by the hour: such
 * an hour counts as a whole if it begins in the range.
 */
public final class ClusterStatistics {

    private static final Set<Type> ACCEPTED = EnumSet.of(Type.HELD, Type.APPROVAL_ASKED, Type.CONFIRMED);
    private static final Set<Type> ENDS =
            EnumSet.of(Type.COMPLETED, Type.CANCELLED, Type.RELEASED, Type.EXPIRED, Type.FAILED);
    private static final Set<Type> CHARGED =
            EnumSet.of(Type.COMPLETED, Type.CANCELLED, Type.RELEASED, Type.EXPIRED, Type.FAILED, Type.RETURN_CREDITED);

    private static final String SUMS = """
            select type, is_first, currency, sum(number)::bigint, sum(price), sum(credit), sum(slowdown), sum(slowdowns)::bigint,
                sum(phi), sum(phis)::bigint, sum(immediate)::bigint, sum(delay), sum(delays)::bigint, sum(waited), sum(waits)::bigint
            from figure where cluster = :cluster and at >= :from and at < :to group by type, is_first, currency
            """;

    private final List<Sums> sums;
    private final Map<String, Long> refused;

    private ClusterStatistics(List<Sums> sums, Map<String, Long> refused) {
        this.sums = sums;
        this.refused = refused;
    }

    public static Statistics of(StatelessSession session, ClusterId cluster, Slot range) {
        return new ClusterStatistics(sums(session, cluster, range), refused(session, cluster, range)).statistics();
    }

    /** The sums over the events of a type. */
    private record Sums(
            Type type,
            boolean isFirst,
            String currency,
            long number,
            @Nullable BigDecimal price,
            @Nullable BigDecimal credit,
            Mean slowdown,
            Mean phi,
            long immediate,
            Mean delay,
            Mean waited) {}

    private record Mean(BigDecimal sum, long number) {}

    private static List<Sums> sums(StatelessSession session, ClusterId cluster, Slot range) {
        return session.createNativeQuery(SUMS, Object[].class)
                .setParameter("cluster", cluster.value())
                .setParameter("from", Seconds.instant(range.start()))
                .setParameter("to", Seconds.instant(range.end()))
                .getResultStream()
                .map(row -> new Sums(
                        Type.valueOf((String) row[0]),
                        (Boolean) row[1],
                        (String) row[2],
                        (Long) row[3],
                        (BigDecimal) row[4],
                        (BigDecimal) row[5],
                        mean(row, 6),
                        mean(row, 8),
                        (Long) row[10],
                        mean(row, 11),
                        mean(row, 13)))
                .toList();
    }

    private static Mean mean(Object[] row, int column) {
        return new Mean((BigDecimal) row[column], (Long) row[column + 1]);
    }

    /** Returns the refusals by code. They are stored by the hour: an hour counts if it begins in the range or contains its beginning. */
    private static Map<String, Long> refused(StatelessSession session, ClusterId cluster, Slot range) {
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

    private Statistics statistics() {
        long accepted = total(accepted(), Sums::number);
        long immediate = total(accepted(), Sums::immediate);
        return new Statistics(
                new Decisions(accepted, refused, number(Type.MOVED)),
                money(of(CHARGED), Sums::price),
                money(of(ENDS), Sums::credit),
                new Quality(
                        number(Type.COMPLETED),
                        number(Type.FAILED),
                        mean(of(Set.of(Type.COMPLETED)), Sums::slowdown),
                        mean(accepted(), Sums::phi)),
                new StartFigures(immediate, accepted - immediate, mean(of(Set.of(Type.STARTED)), Sums::delay)),
                new JobFigures(
                        number(Type.JOB_QUEUED),
                        number(Type.JOB_STARTED),
                        number(Type.JOB_COMPLETED),
                        number(Type.JOB_CANCELLED),
                        mean(of(Set.of(Type.JOB_STARTED)), Sums::waited)));
    }

    private Predicate<Sums> accepted() {
        return of(ACCEPTED).and(Sums::isFirst);
    }

    private static Predicate<Sums> of(Set<Type> types) {
        return each -> types.contains(each.type);
    }

    private long number(Type type) {
        return total(of(Set.of(type)), Sums::number);
    }

    private long total(Predicate<Sums> which, ToLongFunction<Sums> of) {
        return sums.stream().filter(which).mapToLong(of).sum();
    }

    private List<Money> money(Predicate<Sums> which, Function<Sums, @Nullable BigDecimal> of) {
        var byCurrency = new TreeMap<String, BigDecimal>();
        sums.stream().filter(which).forEach(each -> {
            var amount = of.apply(each);
            if (amount != null) {
                byCurrency.merge(each.currency, amount, BigDecimal::add);
            }
        });
        return byCurrency.entrySet().stream()
                // more may be credited for returned time than is charged in the range
                .map(sum -> Money.roundedUp(
                        sum.getValue().max(BigDecimal.ZERO), BigDecimal.ONE, Currency.getInstance(sum.getKey())))
                .toList();
    }

    private OptionalDouble mean(Predicate<Sums> which, Function<Sums, Mean> of) {
        var means = sums.stream().filter(which).map(of).toList();
        long number = means.stream().mapToLong(Mean::number).sum();
        return number == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(means.stream()
                                .map(Mean::sum)
                                .reduce(BigDecimal.ZERO, BigDecimal::add)
                                .doubleValue()
                        / number);
    }
}
