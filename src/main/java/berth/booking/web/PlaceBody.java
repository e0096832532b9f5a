package berth.booking.web;

import berth.availability.PeSet;
import berth.booking.terms.PartBody;
import berth.cluster.Nodes;
import berth.http.Texts;
import berth.reservation.Reservation;
import berth.scheduling.ClusterSchedule;
import berth.sla.Part;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Its place, and how it may still change. A request has none.
 *
 * @param placement its place in time, and its PEs; null for a request. A part has the PEs that are left now, without those in
 *     `losses`, if they have numbers
 * @param losses the PEs that it has lost since it began, and those that it will lack as far as is known; null if there are none
 * @param movable whether Berth can still give it another time or shape for others. False once its place is final, once it has been moved
 *     as often as agreed, and if its terms allow no other place. It can still get other PEs at the same time if the cluster binds PEs early
 * @param moves how often Berth has moved it, and how often and how far it may still move it for others; null for a request
 * @param fixedAt when its place becomes or became final; null for a request. With `fixAfter`, no move makes it later; otherwise a move to
 *     a later start does
 */
public record PlaceBody(
        @Nullable PlacementBody placement,
        @Nullable LossesBody losses,
        boolean movable,
        @Nullable MovesBody moves,
        @Nullable Instant fixedAt) {

    /** The place of a request, which has none. */
    static final PlaceBody NONE = new PlaceBody(null, null, false, null, null);

    static PlaceBody of(Reservation reservation, ClusterSchedule schedule, long now) {
        boolean canMove = schedule.canMove(reservation, now);
        var nodes = schedule.cluster().nodes();
        return new PlaceBody(
                placement(reservation, nodes),
                losses(reservation, nodes),
                canMove,
                MovesBody.of(reservation, canMove),
                Texts.instant(reservation.placement().fixesAt()));
    }

    /**
     * A place in the schedule.
     *
     * @param peIds the numbers of these PEs; null until they are settled, and for a run in several parts
     * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names, and in events
     * @param parts the parts of the run; a run that is not split has one part
     */
    public record PlacementBody(
            @JsonUnwrapped RunBody run,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes,

            List<PartBody> parts) {

        public PlacementBody {
            run = run.completed(parts);
        }
    }

    /** Returns the placement without the names of its nodes. */
    public static PlacementBody placement(Reservation reservation) {
        return placement(reservation, Nodes.SINGLE_PES);
    }

    private static PlacementBody placement(Reservation reservation, Nodes nodes) {
        var parts = reservation.placement().partsNow();
        var peIds = parts.size() == 1 ? parts.getFirst().peIds() : Optional.<PeSet>empty();
        return new PlacementBody(
                RunBody.of(reservation.slot(), parts),
                Texts.orNull(peIds.map(PeSet::toString)),
                Texts.orNull(peIds.flatMap(nodes::list)),
                PartBody.of(parts, nodes));
    }

    /**
     * The PEs that a run has lost since it began, and those that it will lose as far as is known. The run goes on with the others.
     *
     * @param peSeconds the PE-seconds that it lost before {@code since}
     * @param since when it last lost PEs, got others or was told of a loss
     * @param lacks the PEs that it lacks from {@code since} on, in order of time: those that it lacks now, and those that it will lose.
     *     Empty once it is over
     * @param taken the PEs that jobs of others had while it ran; null if there were none
     */
    @Schema(name = "Losses")
    public record LossesBody(
            long peSeconds,
            Instant since,
            List<PartBody> lacks,
            @Nullable TakenBody taken) {}

    /**
     * The PEs of a run that jobs of others had on the machine, as the agent reported. Their PE-time is not owed. They stay the run's, and
     * {@code enforcement} says which jobs have them.
     *
     * @param peSeconds the PE-seconds that they had before {@code since}
     * @param since when the agent last reported that other PEs are taken
     * @param until when the report stops counting unless the agent repeats it; null if no PEs are taken now
     * @param peIds the PEs that they have from {@code since} on; null if they have none, and once the run is over
     * @param nodes the nodes of these PEs, in Slurm's notation; left out if the PEs have no names, and in events
     */
    @Schema(name = "TakenPes")
    record TakenBody(
            long peSeconds,
            Instant since,
            @Nullable Instant until,
            @Nullable String peIds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String nodes) {}

    /** Returns the losses without the names of the nodes. */
    public static @Nullable LossesBody losses(Reservation reservation) {
        return losses(reservation, Nodes.SINGLE_PES);
    }

    private static @Nullable LossesBody losses(Reservation reservation, Nodes nodes) {
        var losses = reservation.placement().losses();
        var lacks = reservation.state().isLive() ? losses.lacks() : List.<Part>of();
        boolean areNone = losses.lost() == 0 && lacks.isEmpty();
        var taken = taken(reservation, nodes);
        return areNone && taken == null
                ? null
                : new LossesBody(
                        losses.lost(),
                        areNone ? Objects.requireNonNull(taken).since() : Texts.instant(losses.since()),
                        PartBody.of(lacks, nodes),
                        taken);
    }

    private static @Nullable TakenBody taken(Reservation reservation, Nodes nodes) {
        var taken = reservation.enforcement().taken();
        var now = Optional.of(taken.now())
                .filter(pes -> !pes.isEmpty() && reservation.state().isLive());
        return taken.lost() == 0 && now.isEmpty()
                ? null
                : new TakenBody(
                        taken.lost(),
                        Texts.instant(taken.since()),
                        now.isPresent() ? Texts.instant(taken.until()) : null,
                        Texts.orNull(now.map(PeSet::toString)),
                        Texts.orNull(now.flatMap(nodes::list)));
    }
}
