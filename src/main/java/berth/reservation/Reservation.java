package berth.reservation;

import berth.availability.PeSet;
import berth.reservation.AgendaItem.What;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Terms;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * An accepted agreement with its place. A value: each change is another reservation of the same id.
 *
 * @param id names it for good
 * @param cluster where it runs
 * @param origin who asked for it
 * @param terms what was agreed
 * @param placement where it lies in time, inside the window of its terms, and on which PEs
 * @param charge what it owes and is owed
 * @param status how far it has come
 * @param proposal other terms that the provider offers; empty: none, or they are answered or withdrawn
 * @param enforcement how far it is in place on the machine; rows of the journal from before that could be told say nothing
 * @param announced what was told ahead of its start, and, once it runs, of its end; at most once for each lead; rows of the journal from
 *     before that say nothing
 */
public record Reservation(
        ReservationId id,
        ClusterId cluster,
        Origin origin,
        Terms terms,
        Placement placement,
        Charge charge,
        Status status,
        Optional<Proposal> proposal,
        Enforcement enforcement,
        List<Announcement> announced) {

    private static final int MAX_ANNOUNCED = 32;

    /** Nothing of it was announced. */
    public Reservation(
            ReservationId id,
            ClusterId cluster,
            Origin origin,
            Terms terms,
            Placement placement,
            Charge charge,
            Status status,
            Optional<Proposal> proposal,
            Enforcement enforcement) {
        this(id, cluster, origin, terms, placement, charge, status, proposal, enforcement, List.of());
    }

    /** Nobody tells whether it is in place on the machine. */
    public Reservation(
            ReservationId id,
            ClusterId cluster,
            Origin origin,
            Terms terms,
            Placement placement,
            Charge charge,
            Status status,
            Optional<Proposal> proposal) {
        this(id, cluster, origin, terms, placement, charge, status, proposal, Enforcement.NONE);
    }

    /** @throws IllegalArgumentException if the place breaks the terms */
    public Reservation {
        enforcement = Enforcement.orNone(enforcement);
        announced = Announcement.orNone(announced);
        if (!terms.allow(placement.parts())) {
            throw new IllegalArgumentException(
                    "Reservation %s lies at %s, outside its %s.".formatted(id, placement.parts(), terms));
        }
    }

    /** Where it stands. */
    public ReservationState state() {
        return status.state();
    }

    /** Where it lies in time: from its first part to its last. */
    public Slot slot() {
        return placement.slot();
    }

    /** What of it lies where. */
    public List<Part> parts() {
        return placement.parts();
    }

    /** The number of the part that runs, or of the next; of the last, if all are over. */
    public int currentPart() {
        int last = placement.begun() - 1;
        return placement.isRunning(last) || !placement.hasPartsToCome() ? Math.max(0, last) : last + 1;
    }

    /** What it owes. */
    public Money price() {
        return charge.price();
    }

    /**
     * Whether the provider may still move it inside its window at {@code now}, be there another place or not; of one that runs,
     * the parts that have not begun.
     */
    public boolean isMovable(long now) {
        boolean hasPlaceAhead = switch (state()) {
            case CONFIRMED -> true;
            case RUNNING -> placement.hasPartsToCome();
            case HELD, COMPLETED, CANCELLED, EXPIRED, FAILED -> false;
        };
        return hasPlaceAhead && now < placement.fixesAt();
    }

    /** What the clock will do to it next; empty once it has ended. */
    public Optional<AgendaItem> due() {
        return switch (state()) {
            case HELD -> Optional.of(due(status.holdExpiresAt().orElseThrow(), What.HOLD_EXPIRES));
            case CONFIRMED -> Optional.of(due(slot().start(), What.RUN_STARTS));
            case RUNNING -> {
                var next = nextTurn();
                var enforceBy = enforceBy();
                if (enforceBy.isPresent()) {
                    // nobody can claim what is not in place
                    long by = enforceBy.getAsLong();
                    yield Optional.of(by <= next.at() ? due(by, What.ENFORCEMENT_LAPSES) : next);
                }
                long claimBy = status.claimBy().orElse(next.at());
                yield Optional.of(claimBy < next.at() ? due(claimBy, What.CLAIM_LAPSES) : next);
            }
            case COMPLETED, CANCELLED, EXPIRED, FAILED -> Optional.empty();
        };
    }

    /**
     * What the clock will do to it next, where it is announced that far ahead: its start while it waits for it, its end while it runs.
     * Empty once it has ended.
     *
     * @param leads in which its owner, or whoever sees all, is told
     */
    public Optional<AgendaItem> due(Collection<Lead> leads) {
        var next = due();
        var planned = announceable();
        if (leads.isEmpty() || planned.isEmpty()) {
            return next;
        }
        long nears = leads.stream()
                .filter(lead -> !isTold(lead, planned.getAsLong()))
                .mapToLong(lead -> dueAt(lead, planned.getAsLong()))
                .min()
                .orElse(Long.MAX_VALUE);
        var what = state() == ReservationState.RUNNING ? What.END_NEARS : What.START_NEARS;
        return next.filter(due -> due.at() < nears).or(() -> Optional.of(due(nears, what)));
    }

    /** When it is extended by itself, seconds since the epoch: while it runs, is claimed if it must be, and is agreed to go on. */
    public OptionalLong extensionDueAt() {
        boolean isClaimed = state() == ReservationState.RUNNING
                && status.claimBy().isEmpty()
                && enforceBy().isEmpty();
        long end = slot().end();
        return terms.autoExtension()
                .filter(extension -> isClaimed && extension.next(end) > 0)
                .map(extension -> OptionalLong.of(extension.dueAt(end)))
                .orElse(OptionalLong.empty());
    }

    /** When what comes next of it is planned that is told ahead; empty: nothing is. */
    private OptionalLong announceable() {
        return switch (state()) {
            case CONFIRMED -> OptionalLong.of(slot().start());
            case RUNNING -> OptionalLong.of(slot().end());
            case HELD, COMPLETED, CANCELLED, EXPIRED, FAILED -> OptionalLong.empty();
        };
    }

    private boolean isTold(Lead lead, long planned) {
        return announced.stream().anyMatch(one -> one.lead() == lead.seconds() && one.planned() == planned);
    }

    /** Late where that much ahead was before it was so, or before anybody asked. */
    private long dueAt(Lead lead, long planned) {
        return Math.max(planned - lead.seconds(), Math.max(lead.since(), status.updatedAt()));
    }

    /** It is announced in all of these leads that are due by then and in which it has not been. */
    public Reservation announced(Collection<Lead> leads, long at) {
        long planned = announceable().orElseThrow();
        var then = status.changed(at);
        var asked = leads.stream()
                .flatMap(lead -> !isTold(lead, planned) && dueAt(lead, planned) <= at
                        ? Stream.of(new Announcement(lead.seconds(), planned, then.version()))
                        : announced.stream().filter(one -> one.lead() == lead.seconds()))
                .toList();
        // what nobody asks for at present is not told again either if somebody does soon
        var others = announced.stream()
                .filter(one -> leads.stream().noneMatch(lead -> lead.seconds() == one.lead()))
                .limit(Math.max(0, MAX_ANNOUNCED - asked.size()));
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                placement,
                charge,
                then,
                proposal,
                enforcement,
                Stream.concat(asked.stream(), others).toList());
    }

    /** The leads, in seconds, that its last event has told, if that was an announcement; ascending. */
    public List<Long> leadsJustTold() {
        return announced.stream()
                .filter(one -> one.version() == status.version())
                .map(Announcement::lead)
                .sorted()
                .toList();
    }

    /** When it must be in place on the machine, seconds since the epoch, if anybody asks for it: at its end at the latest. */
    private OptionalLong enforceBy() {
        var within = enforcement.within();
        return within.isPresent()
                ? OptionalLong.of(Math.min(slot().start() + within.getAsLong(), slot().end()))
                : within;
    }

    private AgendaItem nextTurn() {
        int begun = placement.begun();
        boolean hasPes = placement.isRunning(begun - 1);
        if (!hasPes) {
            return due(parts().get(begun).slot().start(), What.PART_STARTS);
        }
        long end = parts().get(begun - 1).slot().end();
        return due(end, placement.hasPartsToCome() ? What.PART_ENDS : What.RUN_ENDS);
    }

    private AgendaItem due(long at, What what) {
        return new AgendaItem(at, what, id.value());
    }

    /** What takes PEs, or took them, in order: what ended early took them until then. */
    public List<Part> occupied() {
        return switch (state()) {
            case HELD, CONFIRMED, RUNNING -> parts();
            case COMPLETED, CANCELLED, FAILED ->
                parts().stream()
                        .filter(part -> part.slot().start() < status.updatedAt())
                        .map(part -> part.until(status.updatedAt()))
                        .toList();
            case EXPIRED -> List.of();
        };
    }

    /**
     * The same reservation in its next state. One that ends before it began owes nothing.
     *
     * @param at seconds since the epoch
     * @throws IllegalStateException if {@code next} may not follow the present state
     */
    public Reservation becomes(ReservationState next, long at) {
        boolean neverBegan = state() != ReservationState.RUNNING && !next.isLive();
        var then = status.becomes(next, at);
        var place = next == ReservationState.RUNNING ? placement.turned() : placement;
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                place,
                neverBegan ? charge.waived() : charge,
                then,
                next == ReservationState.CONFIRMED ? proposal : Optional.empty(),
                next == ReservationState.RUNNING ? enforcement.settled() : enforcement,
                next == ReservationState.RUNNING ? List.of() : announced);
    }

    /**
     * Its owner gives it up. What has begun owes its price.
     *
     * @param late the share of its price that it still owes where it has not begun, in [0, 1]
     */
    public Reservation givenUp(BigDecimal late, long at) {
        boolean owesShare = state() == ReservationState.CONFIRMED;
        var ended = becomes(ReservationState.CANCELLED, at);
        return owesShare ? ended.with(charge.late(late), ended.status) : ended;
    }

    /** Its owner could not claim it in time, since nobody was there to hear it, and has until {@code by}. */
    public Reservation claimPostponed(long by, long at) {
        return with(charge, status.changed(at).claimBy(OptionalLong.of(by)));
    }

    /** Seconds from its start within which it must be claimed, if it still must be. */
    public OptionalLong claimWithin() {
        var by = status.claimBy();
        return by.isPresent() ? OptionalLong.of(by.getAsLong() - slot().start()) : by;
    }

    /** Its owner has shown up. */
    public Reservation claimed(long at) {
        return with(charge, status.changed(at).claimBy(OptionalLong.empty()));
    }

    /** Nobody has claimed it in time. What has begun owes its price. */
    public Reservation released(long at) {
        return with(charge, status.becomes(ReservationState.CANCELLED, EndReason.NOT_CLAIMED, at));
    }

    /** The provider cannot keep it. It owes nothing, and is credited what was agreed to be paid for; a hold was not. */
    public Reservation failed(EndReason why, Money credit, long at) {
        var breach = state() == ReservationState.HELD ? charge.waived() : charge.credited(credit);
        return with(breach, status.becomes(ReservationState.FAILED, why, at));
    }

    /** The agent has told how far it is in place on the machine. Where that was waited for, its owner has time to claim it from now on. */
    public Reservation enforced(List<Enforcement.Told> told, long at) {
        var next = enforcement.telling(told);
        if (state() != ReservationState.RUNNING) {
            return with(next, status.changed(at));
        }
        var settled = next.settled();
        boolean isLate = enforcement.within().isPresent() && settled.within().isEmpty();
        var claim = claimWithin();
        var changed = status.changed(at);
        return with(
                settled,
                isLate && claim.isPresent() ? changed.claimBy(OptionalLong.of(at + claim.getAsLong())) : changed);
    }

    /**
     * It could not be told to be in place in time, since nobody was there to hear it, and may be until {@code by}. Whether it was is not known if
     * it is over by then, and not asked.
     */
    public Reservation enforcementPostponed(long by, long at) {
        var within = by < slot().end() ? OptionalLong.of(by - slot().start()) : OptionalLong.empty();
        return with(enforcement.within(within), status.changed(at));
    }

    private Reservation with(Enforcement next, Status then) {
        return new Reservation(id, cluster, origin, terms, placement, charge, then, proposal, next, announced);
    }

    /** Another one that belongs together with it has failed. */
    public Reservation degraded(long at) {
        return with(charge, status.degraded(at));
    }

    /** It stays where it is from now on, at that price. */
    public Reservation fixed(Money price, long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                placement.fixed(at),
                Charge.of(price),
                status.changed(at),
                proposal,
                enforcement,
                announced);
    }

    /**
     * Its run begins.
     *
     * @param pes those that its first part gets
     * @param notice the cluster's, in seconds: that of the parts that follow
     */
    public Reservation begins(PeSet pes, long notice, long at) {
        return at(nextPartOn(pes, notice), status).becomes(ReservationState.RUNNING, at);
    }

    /**
     * Its run goes on with the next part.
     *
     * @param pes those that this gets
     * @param notice the cluster's, in seconds: that of the parts that follow
     */
    public Reservation resumes(PeSet pes, long notice, long at) {
        return at(nextPartOn(pes, notice).turned(), status.changed(at));
    }

    private Placement nextPartOn(PeSet pes, long notice) {
        int next = placement.begun();
        long fixesAt = placement.fixesAt();
        boolean isLast = next + 1 == parts().size();
        long fixes = isLast
                ? fixesAt
                : terms.fixing()
                        .nextFixesAt(
                                fixesAt,
                                parts().get(next).slot().start(),
                                parts().get(next + 1).slot().start(),
                                notice);
        return placement.begunOn(pes, fixes);
    }

    /** A part of its run is over, and its PEs are free until the next begins. */
    public Reservation pauses(long at) {
        return at(placement.turned(), status.changed(at));
    }

    private Reservation at(Placement place, Status then) {
        return new Reservation(id, cluster, origin, terms, place, charge, then, proposal, enforcement, announced);
    }

    /** The provider has moved it to another place in its window. */
    public Reservation moved(Placement to, Money price, long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                to,
                Charge.of(price),
                shifted(to, at).moved(),
                proposal,
                enforcement.moved(),
                announced);
    }

    /** Other terms are agreed. A proposal that is still open spoke of the old ones, and is withdrawn. */
    public Reservation renegotiated(Terms agreed, Placement place, Money price, long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                agreed,
                place,
                Charge.of(price),
                shifted(place, at),
                Optional.empty(),
                place.parts().equals(parts()) ? enforcement : enforcement.moved(),
                announced);
    }

    /** It could not be extended, and ends when it was to. */
    public Reservation notExtended(long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                terms.withoutAutoExtension(),
                placement,
                charge,
                status.changed(at),
                proposal,
                enforcement,
                announced);
    }

    /** The provider offers other terms. */
    public Reservation proposed(Terms offered, Money incentive, AccountName by, long expiresAt, long at) {
        var next = status.changed(at);
        return with(next, Optional.of(new Proposal(next.version(), offered, incentive, by, at, expiresAt)));
    }

    /** The owner does not want what the provider offers. */
    public Reservation declined(long at) {
        return with(status.changed(at), Optional.empty());
    }

    private Reservation with(Status then, Optional<Proposal> offer) {
        return new Reservation(id, cluster, origin, terms, placement, charge, then, offer, enforcement, announced);
    }

    private Status shifted(Placement to, long at) {
        return status.changed(at).claimedLater(to.slot().start() - slot().start());
    }

    private Reservation with(Charge next, Status then) {
        var offer = then.state() == ReservationState.CONFIRMED ? proposal : Optional.<Proposal>empty();
        return new Reservation(id, cluster, origin, terms, placement, next, then, offer, enforcement, announced);
    }
}
