package berth.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import berth.outcome.Outcome;
import berth.reservation.Origin;
import berth.reservation.ReservationId;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.Alternatives;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.scheduling.places.Probe.Offer;
import berth.scheduling.places.WouldFit;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.OptionalLong;
import java.util.UUID;

/** Checks the suggestions of a refusal against a probe of those terms and against a request with them. */
public final class Remedy {

    private static final ReservationId NOBODYS = new ReservationId(new UUID(0, 0));

    private Remedy() {}

    /** Checks all alternatives to a request; returns their number. */
    public static int areAsAProbeSaysAndGranted(ClusterSchedule schedule, RequestedTerms asked, int limit, long now) {
        var alternatives = new Alternatives(asked, Request.ADA, new BigDecimal("8"), limit).ask(schedule, now);
        assertThat(alternatives.found().size()).isLessThanOrEqualTo(limit);
        for (var alternative : alternatives.found()) {
            var offer = alternative.offer();
            keepsTheSlack(asked, alternative, schedule, now);
            if (alternative.start().isEmpty()) {
                assertThat(probed(schedule, alternative.terms(), now))
                        .as("%s", alternative)
                        .isEqualTo(new Offer(
                                offer.parts(),
                                offer.price(),
                                offer.fixedPrice(),
                                offer.withinBudget(),
                                true,
                                offer.availability(),
                                offer.impact(),
                                offer.moves(),
                                offer.effects()));
            }
            assertThat(offer.availability())
                    .isGreaterThanOrEqualTo(schedule.cluster()
                            .policy()
                            .availability()
                            .minAvailability()
                            .doubleValue());
            var granted = reserve(schedule, alternative.terms(), alternative.start(), now);
            assertThat(granted).as("%s", alternative).isInstanceOf(Decision.Accepted.class);
            var events = ((Decision.Accepted) granted).events();
            var last = (ReservationEvent) events.getLast();
            assertThat(last.reservation().parts()).isEqualTo(offer.parts());
            assertThat(last.reservation().price()).isEqualTo(offer.price());
            assertThat(events.subList(0, events.size() - 1)).hasSameSizeAs(offer.moves());
            boolean isOpen = last.reservation().isOpen(now);
            assertThat(isOpen
                            || offer.price().equals(offer.fixedPrice())
                            || alternative.start().isEmpty())
                    .as("a lower price is for a place that may move: %s", alternative)
                    .isTrue();
        }
        return alternatives.found().size();
    }

    /** Checks that the window of an alternative begins with it, and is longer than the run by the requested slack or up to the horizon. */
    private static void keepsTheSlack(
            RequestedTerms asked, Alternatives.Alternative alternative, ClusterSchedule schedule, long now) {
        if (alternative.start().isEmpty()) {
            return;
        }
        var cluster = schedule.cluster();
        long runTime = RequestedTerms.runTime(asked.duration(), cluster.rating());
        var terms = alternative.terms();
        long start = alternative.start().getAsLong();
        assertThat(alternative.offer().slot().start()).isEqualTo(start);
        assertThat(terms.readyTime()).hasValue(start);
        long horizon = now + cluster.policy().horizon();
        long slack = Math.min(asked.deadline().orElseThrow(), horizon)
                - Math.max(now, asked.readyTime().orElse(now))
                - runTime;
        assertThat(slack).isPositive();
        long window = terms.deadline().orElseThrow() - start;
        boolean isRigid = asked.moldability().isEmpty();
        if (terms.deadline().getAsLong() < horizon && isRigid) {
            assertThat(window).as("%s", alternative).isEqualTo(runTime + slack);
        } else {
            assertThat(window).as("%s", alternative).isGreaterThanOrEqualTo(runTime);
            assertThat(terms.deadline().getAsLong()).isLessThanOrEqualTo(horizon);
        }
    }

    /** Checks what would fit instead of a request; returns how many figures it has. */
    public static int wouldFit(ClusterSchedule schedule, RequestedTerms asked, long now) {
        var would = new WouldFit(asked, Request.ADA).ask(schedule, now);
        int named = 0;
        if (would.deadline().isPresent()) {
            named += admitted(
                    schedule,
                    asked.within(new Window(
                            asked.readyTime().getAsLong(),
                            would.deadline().get().figure())),
                    now);
        }
        if (would.pes().isPresent()) {
            named += admitted(
                    schedule,
                    asked.rigid(
                            asked.duration(), Math.toIntExact(would.pes().get().figure())),
                    now);
        }
        if (would.duration().isPresent()) {
            named += admitted(schedule, asked.rigid(would.duration().get().figure(), asked.pes()), now);
        }
        return named;
    }

    private static int admitted(ClusterSchedule schedule, RequestedTerms terms, long now) {
        assertThat(reserve(schedule, terms, OptionalLong.empty(), now))
                .as("%s", terms)
                .isInstanceOf(Decision.Accepted.class);
        return 1;
    }

    private static Offer probed(ClusterSchedule schedule, RequestedTerms terms, long now) {
        var answer = new Probe(terms, Request.ADA, Preference.EARLIEST_START, 20).ask(schedule, now);
        assertThat(answer).as("%s", terms).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done<Probe.Offers, Rejection>) answer)
                .value().offers().stream().filter(Offer::chosen).findFirst().orElseThrow();
    }

    private static Decision reserve(ClusterSchedule schedule, RequestedTerms terms, OptionalLong start, long now) {
        var origin = new Origin(new AccountName("ada"), ServiceClass.STANDARD);
        return new Reserve(NOBODYS, origin, terms, start, OptionalLong.empty()).decide(new Basis(schedule, now));
    }
}
