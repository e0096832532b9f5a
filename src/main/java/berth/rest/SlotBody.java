package berth.rest;

import berth.scheduling.Alternatives.Alternative;
import berth.scheduling.Probe.Offer;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place that would fit.
 *
 * @param cluster where
 * @param start since when
 * @param end until when
 * @param pes how many PEs; of a run in parts the most at one time
 * @param parts what of the run lies where; one part of a run that is not split
 * @param price what it would cost
 * @param withinBudget whether it costs no more than the budget
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
        boolean withinBudget,
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

    /** A place in the window that was asked for. */
    static SlotBody of(String cluster, Offer offer) {
        return of(cluster, offer, Kind.REQUESTED, null);
    }

    /** A place outside of it. */
    static SlotBody of(String cluster, Alternative alternative) {
        return of(cluster, alternative.offer(), Kind.ALTERNATIVE, alternative.phi());
    }

    private static SlotBody of(String cluster, Offer offer, Kind kind, @Nullable BigDecimal phi) {
        return new SlotBody(
                cluster,
                Texts.instant(offer.slot().start()),
                Texts.instant(offer.slot().end()),
                offer.pes(),
                PartBody.of(offer.parts()),
                MoneyBody.of(offer.price()),
                offer.withinBudget(),
                offer.chosen(),
                kind,
                phi);
    }
}
