package berth.booking.terms;

import berth.http.Fields;
import berth.http.Texts;
import berth.sla.Follow;
import berth.sla.MoveBounds;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How often and how far Berth may move the run for others. The cluster's policy has bounds too, and the tighter ones count. A loss of PEs
 * may move a run beyond these bounds instead of failing it.
 *
 * @param maxMoves the most moves; 0 makes the place final at once. As many as the policy allows, if left out
 * @param maxShift by how much a move may make the run begin sooner and end later than agreed; as far as the policy and the window allow, if
 *     left out
 * @param follow {@code CHEAPEST} lets Berth move the run into cheaper hours of the cluster's signal, if its price then falls by at least
 *     a twentieth. Such moves do not count and go no further than {@code maxShift}. It is only moved for others, if left out
 * @param notice another way to write {@code fixBefore}, which Berth returns instead
 */
@Schema(name = "Mobility")
record MobilityBody(
        @Nullable Integer maxMoves,
        @Nullable String maxShift,
        @Nullable Follow follow,
        @Nullable String notice) {

    static final MobilityBody NONE = new MobilityBody(null, null, null, null);

    /** Returns the bounds. Mistakes go to {@code fields}. */
    MoveBounds read(Fields fields) {
        return fields.figures(
                "terms.mobility.",
                () -> new MoveBounds(
                        maxMoves == null ? OptionalInt.empty() : OptionalInt.of(maxMoves),
                        fields.durationUp("terms.mobility.maxShift", maxShift),
                        Optional.ofNullable(follow)),
                MoveBounds.NONE);
    }

    static @Nullable MobilityBody of(MoveBounds bounds) {
        return bounds.areNone()
                ? null
                : new MobilityBody(
                        bounds.maxMoves().isPresent() ? bounds.maxMoves().getAsInt() : null,
                        Texts.duration(bounds.maxShift()),
                        Texts.orNull(bounds.follow()),
                        null);
    }
}
