package berth.rest;

import berth.batch.Impact;
import berth.broker.AlternativePlace;
import berth.broker.Probes.Place;
import berth.broker.RemoteProbe;
import berth.reservation.ClusterId;
import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Probe.Offer;
import berth.security.Account;
import berth.security.Role;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place that would fit.
 *
 * @param cluster where
 * @param start since when
 * @param end until when
 * @param pes how many PEs; of a run in parts the most at one time
 * @param parts what of the run lies where; one part of a run that is not split
 * @param price what it would cost, as long as its place may still be moved as the terms say
 * @param fixedPrice what it would cost if the place were final at once, as with a chosen start; null where another Berth does not
 *     tell
 * @param withinBudget whether it costs no more than the budget
 * @param availability how well the cluster's batch jobs do without it: 1 if they lose nothing by it, and as good as 0, the worst of
 *     all slots, if it leaves one of them no place to run that it would have had
 * @param impact what it does to them; null where there are none or it is not told, where not as many of them come to an end with it
 *     as without it, and for clients: the queue is the provider's business
 * @param chosenByPolicy whether a reservation with these terms would be placed here
 * @param kind what it is an answer to
 * @param phi how far an alternative lies from the window that was asked for, in run times: less than 0 before it; null if it
 *     is no alternative
 */
record SlotBody(
        String cluster,
        Instant start,
        Instant end,
        int pes,
        List<PartBody> parts,
        MoneyBody price,
        @Nullable MoneyBody fixedPrice,
        boolean withinBudget,
        double availability,
        @Nullable ImpactBody impact,
        boolean chosenByPolicy,
        Kind kind,
        @Nullable BigDecimal phi) {

    /** What a slot is an answer to. */
    @Schema(name = "SlotKind")
    enum Kind {
        /** To the terms that were asked for. */
        REQUESTED,
        /** To the same terms outside of their window. */
        ALTERNATIVE
    }

    /**
     * What a reservation would do to the batch jobs of a cluster, if they all run as long as estimated.
     *
     * @param makespanBefore the time until the last of them ends, without it
     * @param makespanAfter the same with it
     * @param averageCompletionBefore the time from submission to end, on average, without it
     * @param averageCompletionAfter the same with it
     */
    @Schema(name = "Impact")
    record ImpactBody(
            String makespanBefore,
            String makespanAfter,
            String averageCompletionBefore,
            String averageCompletionAfter) {

        private static ImpactBody of(Impact impact) {
            return new ImpactBody(
                    Texts.duration(impact.before().makespan()),
                    Texts.duration(impact.after().makespan()),
                    Texts.duration(Math.round(impact.before().averageCompletion())),
                    Texts.duration(Math.round(impact.after().averageCompletion())));
        }
    }

    /** A place that a probe found, as this account may see it. */
    static SlotBody of(Place place, Account account) {
        return switch (place) {
            case Place.Here(var cluster, var offer) -> of(cluster, offer, account, Kind.REQUESTED, null);
            case Place.There(var slot) -> of(slot, Kind.REQUESTED, null);
            case Place.Outside(var cluster, var alternative) -> of(cluster, alternative, account);
        };
    }

    /** A place outside of the window that was asked for, as this account may see it. */
    static SlotBody of(ClusterId cluster, Alternative alternative, Account account) {
        return of(cluster, alternative.offer(), account, Kind.ALTERNATIVE, alternative.phi());
    }

    /** A place outside of it, on whichever cluster, as this account may see it. */
    static SlotBody of(AlternativePlace place, Account account) {
        return switch (place) {
            case AlternativePlace.Here(var cluster, var alternative) -> of(cluster, alternative, account);
            case AlternativePlace.There(var slot, var phi) -> of(slot, Kind.ALTERNATIVE, phi);
        };
    }

    /** As another Berth told it, under the name that the cluster has here. */
    private static SlotBody of(RemoteProbe.Slot slot, Kind kind, @Nullable BigDecimal phi) {
        var told = RemoteAnswers.read(slot.told(), SlotBody.class);
        var choice = slot.choice();
        return new SlotBody(
                choice.cluster().value(),
                Texts.instant(choice.slot().start()),
                Texts.instant(choice.slot().end()),
                told.pes,
                Objects.requireNonNullElse(told.parts, List.of()),
                MoneyBody.of(choice.price()),
                told.fixedPrice,
                told.withinBudget,
                choice.availability(),
                null,
                told.chosenByPolicy,
                kind,
                phi);
    }

    private static SlotBody of(ClusterId cluster, Offer offer, Account account, Kind kind, @Nullable BigDecimal phi) {
        var impact = account.role() == Role.CLIENT
                ? null
                : offer.impact().map(ImpactBody::of).orElse(null);
        return new SlotBody(
                cluster.value(),
                Texts.instant(offer.slot().start()),
                Texts.instant(offer.slot().end()),
                offer.pes(),
                PartBody.of(offer.parts()),
                MoneyBody.of(offer.price()),
                MoneyBody.of(offer.fixedPrice()),
                offer.withinBudget(),
                Math.floor(offer.availability() * 1e6) / 1e6,
                impact,
                offer.chosen(),
                kind,
                phi);
    }
}
