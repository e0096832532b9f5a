package berth.lab.experiment.prices;

import berth.cluster.Cluster;
import berth.lab.simulation.SimulatedCluster;
import berth.outcome.Outcome;
import berth.pricing.Tariff;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.ChangeSignal;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.FollowPrices;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.Follow;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;

/**
 * A cluster over the time of some prices. Requests arrive at random, and book in one way. Each day at noon the prices of the next day are
 * sent. The tariff has no discounts, so only the signal makes one hour cheaper than another.
 */
final class PriceRun {

    private static final int PES = 64;
    private static final long DAY = 24 * EnergyPrices.HOUR;
    private static final long NOON = 12 * EnergyPrices.HOUR;

    /** The mean time between requests, in seconds: half of the cluster is asked for. */
    private static final double PAUSE = 8.5 * 4.5 * EnergyPrices.HOUR / (0.5 * PES);

    private static final AccountName ACCOUNT = new AccountName("lab");

    /** How a client chooses its place. */
    enum Way {
        /** The first place in its window. */
        FIRST,
        /** The place that costs least when it books. */
        CHEAPEST,
        /** The same, and it follows later prices. */
        FOLLOWS
    }

    /**
     * What came of a run.
     *
     * @param asked number of requests
     * @param granted number of reservations
     * @param paid what they paid, per PE-hour, as a share of the price without a signal
     * @param energy the mean price of energy during their PE-hours
     * @param delay by how much they began later than asked, in hours, on average
     */
    record Figures(int asked, int granted, double paid, double energy, double delay) {}

    private final EnergyPrices prices;
    private final double share;
    private final long slack;
    private final Way way;
    private final Random random;
    private final Map<ReservationId, Reservation> made = new HashMap<>();
    private final SimulatedCluster cluster;
    private int asked;

    private PriceRun(EnergyPrices prices, double share, long slack, Way way, long seed) {
        this.prices = prices;
        this.share = share;
        this.slack = slack;
        this.way = way;
        this.random = new Random(seed);
        var tariff = Tariff.STANDARD
                .with("pricePerPeHour", new BigDecimal("100"))
                .with("flexibilityDiscount", BigDecimal.ZERO)
                .with("latenessDiscount", BigDecimal.ZERO);
        this.cluster = SimulatedCluster.empty(Cluster.of("lab", PES).charging(tariff), event -> {
            if (event instanceof ReservationEvent(var _, var after, var _, var _, var _, var _)) {
                made.put(after.id(), after);
            }
        });
    }

    /**
     * Plays the time of the prices. The same arguments give the same figures, and all ways get the same requests.
     *
     * @param share the share of energy in the price of a PE-hour
     * @param slack how much later than asked a run may begin, in seconds
     */
    static Figures of(EnergyPrices prices, double share, long slack, Way way, long seed) {
        return new PriceRun(prices, share, slack, way, seed).play();
    }

    private Figures play() {
        long now = prices.start();
        send(now, now + DAY);
        long noon = now + NOON;
        // the last windows end with the prices
        long last = prices.end() - 3 * DAY;
        for (long next = later(now); next < last; next = later(next)) {
            for (; noon <= next; noon += DAY) {
                goOn(noon);
                send(noon, noon - NOON + DAY, noon - NOON + 2 * DAY);
            }
            goOn(next);
            request(next);
        }
        return figures();
    }

    private long later(long now) {
        return now + 1 + Math.round(-Math.log(1 - random.nextDouble()) * PAUSE);
    }

    private void goOn(long to) {
        for (long next = cluster.next(); next <= to; next = cluster.next()) {
            cluster.advanceTo(next);
        }
    }

    private void send(long from, long to) {
        decide(new ChangeSignal(prices.signal(from, to, share)), from);
    }

    private void send(long now, long from, long to) {
        decide(new ChangeSignal(prices.signal(from, to, share)), now);
    }

    private void decide(Command command, long now) {
        var before = cluster.schedule();
        cluster.decide(command, now);
        cluster.decide(new FollowPrices(before), now);
    }

    private void request(long now) {
        asked++;
        int pes = 1 + random.nextInt(16);
        long duration = EnergyPrices.HOUR * (1 + random.nextInt(8));
        var id = new ReservationId(new UUID(0, asked));
        var terms = RequestedTerms.of(OptionalLong.of(now), OptionalLong.of(now + duration + slack), duration, pes);
        if (way == Way.FOLLOWS) {
            terms = terms.following(Follow.CHEAPEST);
        }
        var start = way == Way.FIRST ? OptionalLong.empty() : cheapest(terms, now);
        var before = cluster.schedule();
        if (cluster.ask(
                        new Reserve(id, new Origin(ACCOUNT, ServiceClass.STANDARD), terms, start, OptionalLong.empty()),
                        now)
                .isEmpty()) {
            cluster.decide(new FollowPrices(before), now);
        }
    }

    private OptionalLong cheapest(RequestedTerms terms, long now) {
        var probe = new Probe(terms, new Customer(ACCOUNT, ServiceClass.STANDARD), Preference.LOWEST_PRICE, 1);
        return probe.ask(cluster.schedule(), now) instanceof Outcome.Done(var found)
                        && !found.offers().isEmpty()
                ? OptionalLong.of(found.offers().getFirst().slot().start())
                : OptionalLong.empty();
    }

    private Figures figures() {
        double hours = 0;
        double paid = 0;
        double energy = 0;
        double delay = 0;
        for (var reservation : made.values()) {
            var part = reservation.parts().getFirst();
            double work = part.work() / (double) EnergyPrices.HOUR;
            hours += work;
            paid += reservation.price().amount().doubleValue() / 100;
            for (long second = part.slot().start(); second < part.slot().end(); second += 60) {
                energy += prices.at(second)
                        * part.pes()
                        * Math.min(60, part.slot().end() - second)
                        / EnergyPrices.HOUR;
            }
            delay += (part.slot().start() - reservation.terms().window().readyTime()) / (double) EnergyPrices.HOUR;
        }
        return new Figures(asked, made.size(), paid / hours, energy / hours, delay / made.size());
    }
}
