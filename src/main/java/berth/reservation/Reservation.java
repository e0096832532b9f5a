package berth.reservation;

import berth.approval.Approval;
import berth.availability.PeSet;
import berth.reservation.AgendaItem.What;
import berth.sla.AccountName;
import berth.sla.Money;
import berth.sla.Part;
import berth.sla.Terms;
import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * An accepted agreement with its place. Immutable: a change creates another value with the same id.
 *
 * @param id the permanent id
 * @param cluster the cluster
 * @param origin who requested it
 * @param terms the agreed terms
 * @param placement its slots inside the window of the terms, and its PEs
 * @param charge what it owes and is credited
 * @param status its state and history
 * @param proposal terms that the provider offers; empty if there are none, or if they were answered or withdrawn
 * @param enforcement how far it is in place on the machine; journal rows older than this field lack it
 * @param announced the announcements of its start and, once it runs, of its end; at most one for each lead. Journal rows older than this
 *     field lack it
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

    /** Creates a reservation without announcements. */
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

    /** Creates a reservation without enforcement reports. */
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
            throw new IllegalArgumentException("Reservation %s is placed at %s, which its terms do not allow: %s."
                    .formatted(id, placement.parts(), terms));
        }
    }

    /** Returns its state. */
    public ReservationState state() {
        return status.state();
    }

    /** Returns its version, which rises with each change. It continues the versions of the request under the same id. */
    public int version() {
        return origin.firstVersion().orElse(0) + status.version();
    }

    /** Returns the slot from the start of its first part to the end of its last. */
    public Slot slot() {
        return placement.slot();
    }

    /** Returns its parts. */
    public List<Part> parts() {
        return placement.parts();
    }

    /** Returns the number of the running part, otherwise of the next one, otherwise of the last one. */
    public int currentPart() {
        int last = placement.begun() - 1;
        return placement.isRunning(last) || !placement.hasPartsToCome() ? Math.max(0, last) : last + 1;
    }

    /** Returns what it owes. */
    public Money price() {
        return charge.price();
    }

    /**
     * Whether the provider may still move it for others at {@code now}, even if there is no other place: its place is not final, and it has
     * not been moved as often as agreed. For a running reservation this concerns the parts that have not begun.
     */
    public boolean isMovable(long now) {
        var left = terms.mobility().left(status.moves().count());
        return isOpen(now) && (left.isEmpty() || left.getAsInt() > 0);
    }

    /** Whether the provider may still give it another time or shape for others at {@code now}, whatever the cluster's notice. */
    public boolean hasChoice(long now) {
        int begun = placement.begun();
        long ready =
                begun == 0 ? now : Math.max(now, parts().get(begun - 1).slot().end());
        var within = mayLieIn();
        return isMovable(now)
                && terms.leaveAChoice(parts(), begun, Math.max(within.readyTime(), ready), within.deadline());
    }

    /**
     * Returns the time in which it must lie wherever it is moved for others: its window, as far as it begins no sooner and ends no later
     * than agreed by more than the agreed shift.
     */
    public Window mayLieIn() {
        var window = terms.window();
        var shift = terms.mobility().maxShift();
        if (shift.isEmpty()) {
            return window;
        }
        var agreed = status.moves().agreed().orElseGet(this::slot);
        return new Window(
                Math.max(window.readyTime(), agreed.start() - shift.getAsLong()),
                Math.min(window.deadline(), agreed.end() + shift.getAsLong()));
    }

    /**
     * Whether its place, or that of its parts to come, is not final at {@code now}. If it loses PEs, it then gets another place inside its
     * window, however often it was moved.
     */
    public boolean isOpen(long now) {
        boolean hasPlaceAhead = switch (state()) {
            case CONFIRMED -> !awaitsPes();
            case RUNNING -> placement.hasPartsToCome();
            case HELD, PENDING, COMPLETED, CANCELLED, EXPIRED, FAILED -> false;
        };
        return hasPlaceAhead && now < placement.fixesAt();
    }

    /** Returns the next action of the clock; empty once the reservation has ended. */
    public Optional<AgendaItem> due() {
        return switch (state()) {
            case HELD -> Optional.of(due(status.holdExpiresAt().orElseThrow(), What.HOLD_EXPIRES));
            case PENDING -> Optional.of(due(status.approval().orElseThrow().expiresAt(), What.HOLD_EXPIRES));
            case CONFIRMED -> Optional.of(due(slot().start(), awaitsPes() ? What.PES_CHANGE : What.RUN_STARTS));
            case RUNNING -> {
                var next = nextChange();
                var enforceBy = enforceBy();
                if (enforceBy.isPresent()) {
                    // the owner cannot claim what is not in place
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
     * Returns the next action of the clock, including announcements of the start and, while it runs, of the end; empty once the reservation
     * has ended.
     *
     * @param leads how long ahead the owner and the administrators want announcements
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

    /**
     * Returns when it is extended automatically, in seconds since the epoch; empty unless it runs, is in place and claimed if that is
     * required, and its terms allow another extension.
     */
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

    /** Returns the planned time of the next start or end that can be announced; empty if there is none. */
    private OptionalLong announceable() {
        return switch (state()) {
            case CONFIRMED -> OptionalLong.of(slot().start());
            case RUNNING -> OptionalLong.of(slot().end());
            case HELD, PENDING, COMPLETED, CANCELLED, EXPIRED, FAILED -> OptionalLong.empty();
        };
    }

    private boolean isTold(Lead lead, long planned) {
        return announced.stream().anyMatch(one -> one.lead() == lead.seconds() && one.planned() == planned);
    }

    /**
     * Returns when the announcement for a lead is due. It is due late if that time had passed before the plan was made or the lead
     * requested.
     */
    private long dueAt(Lead lead, long planned) {
        return Math.max(planned - lead.seconds(), Math.max(lead.since(), status.updatedAt()));
    }

    /** Returns the reservation with announcements for all of these leads that are due by {@code at} and were not made yet. */
    public Reservation announced(Collection<Lead> leads, long at) {
        long planned = announceable().orElseThrow();
        var then = status.changed(at);
        var asked = leads.stream()
                .flatMap(lead -> !isTold(lead, planned) && dueAt(lead, planned) <= at
                        ? Stream.of(new Announcement(lead.seconds(), planned, then.version()))
                        : announced.stream().filter(one -> one.lead() == lead.seconds()))
                .toList();
        // an announcement is not repeated even if its lead is dropped and requested again
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

    /** Returns the leads of the announcements that its last event made, in seconds, ascending; empty if the event was something else. */
    public List<Long> leadsJustTold() {
        return announced.stream()
                .filter(one -> one.version() == status.version())
                .map(Announcement::lead)
                .sorted()
                .toList();
    }

    /**
     * Returns when it must be in place on the machine, in seconds since the epoch, at the latest at its end; empty if that is not required.
     */
    private OptionalLong enforceBy() {
        var within = enforcement.within();
        return within.isPresent()
                ? OptionalLong.of(slot().start() + Math.min(within.getAsLong(), slot().duration()))
                : within;
    }

    private AgendaItem nextChange() {
        var turn = nextTurn();
        long change = placement.losses().changesAt();
        return change < turn.at() ? due(change, What.PES_CHANGE) : turn;
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

    /**
     * Returns the parts that take or took PEs, in order. A part that ended early is cut at its end. A running part takes the PEs that it
     * has now.
     */
    public List<Part> occupied() {
        return switch (state()) {
            case HELD, PENDING, CONFIRMED, RUNNING -> placement.piecesNow();
            case COMPLETED, CANCELLED, FAILED ->
                placement.pieces().stream()
                        .filter(part -> part.slot().start() < status.updatedAt())
                        .map(part -> part.until(status.updatedAt()))
                        .toList();
            case EXPIRED -> List.of();
        };
    }

    /**
     * Returns the same reservation in its next state. One that ends before it has begun owes nothing; one that has begun and ends owes at
     * least what is due for late changes.
     *
     * @param at seconds since the epoch
     * @throws IllegalStateException if {@code next} cannot follow the present state
     */
    public Reservation becomes(ReservationState next, long at) {
        boolean neverBegan = state() != ReservationState.RUNNING && !next.isLive();
        var then = status.becomes(next, at);
        var place = next == ReservationState.RUNNING ? placement.turned() : placedAfter(then);
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                place,
                next.isLive() ? charge : neverBegan ? charge.waived() : charge.whenFinal(),
                then,
                next == ReservationState.CONFIRMED ? proposal : Optional.empty(),
                next == ReservationState.RUNNING ? enforcement.onceGiven() : enforcedAfter(then),
                next == ReservationState.RUNNING ? List.of() : announced);
    }

    /** Returns its placement in that state; once it has ended, the losses are known. */
    private Placement placedAfter(Status then) {
        var losses = placement.losses();
        return then.state().isLive() || losses.areNone()
                ? placement
                : placement.with(losses.at(then.updatedAt(), losses.from(then.updatedAt())));
    }

    /** Returns how far it is in place in that state; once it has ended, it is known what jobs of others took. */
    private Enforcement enforcedAfter(Status then) {
        return then.state().isLive()
                ? enforcement
                : enforcement.with(enforcement.taken().ended(then.updatedAt()));
    }

    /**
     * Returns the reservation, which has ended, owing no PE-seconds that it lost to outages or to jobs of others. One that its owner ended
     * while it lacked PEs, or was to lose some, owes only those that it had.
     *
     * @param credit returns what the provider owes for the loss of PE-seconds of that price
     */
    public Reservation withoutLosses(UnaryOperator<Money> credit) {
        if (lost() == 0 && !isLeftEarly()) {
            return this;
        }
        long work = placement.work();
        var lost = new Quantity(charge.ofParts(), 0).share(lost(), work).money();
        return with(charge.reduced(workOwed(), work, credit.apply(lost)), status);
    }

    /** Returns the PE-seconds of its parts that it owes, if it has begun: those that were agreed and not lost. */
    public long workOwed() {
        long agreed = isLeftEarly() ? occupied().stream().mapToLong(Part::work).sum() : placement.work();
        return agreed - lost();
    }

    /** Whether it has ended while it lacked PEs, was to lose some, or shared some with jobs of others. */
    private boolean isLeftEarly() {
        return !state().isLive() && isIncomplete(status.updatedAt());
    }

    /**
     * Whether its run lacks PEs at {@code at}, is to lose some, or shares some with jobs of others. Its owner then owes nothing for PE-time
     * that is returned.
     */
    public boolean isIncomplete(long at) {
        return !placement.losses().from(at).isEmpty()
                || !enforcement.taken().ended(at).now().isEmpty();
    }

    /** Returns the PE-seconds that the run lost to outages and to jobs of others, as far as they are final. */
    public long lost() {
        return placement.losses().lost() + enforcement.taken().lost();
    }

    /** Whether it runs and lacks PEs now. */
    public boolean lacksPes() {
        return state() == ReservationState.RUNNING
                && placement.losses().present().isPresent();
    }

    /** Whether it has not begun and keeps its place although it lacks PEs, because they may be back before its start. */
    public boolean awaitsPes() {
        return state().isLive()
                && state() != ReservationState.RUNNING
                && !placement.losses().lacks().isEmpty();
    }

    /** Whether it can be put in place in a part: not before its start while it {@linkplain #awaitsPes awaits} all PEs of the part. */
    public boolean hasSomeOf(int part) {
        return !awaitsPes() || placement.hasSomeOf(part);
    }

    /** Returns the reservation with all its PEs if it {@linkplain #awaitsPes awaits} some; otherwise itself. */
    public Reservation whole() {
        return awaitsPes() ? with(placement.with(Losses.NONE)) : this;
    }

    /** Returns the reservation in that place, without another version. */
    public Reservation with(Placement place) {
        return at(place, status);
    }

    /**
     * Returns the run after it has lost PEs, got others or them back, or after it was told of a loss.
     *
     * @param place its place, with other losses and perhaps other PEs
     */
    public Reservation goingOn(Placement place, long at) {
        return at(place, status.changed(at)).with(enforcement.on(place.pesNow(), at));
    }

    /** Returns the new reservation as it is if it must be approved before it is confirmed. */
    public Reservation asking(Approval needed) {
        return with(charge, status.asking(needed));
    }

    /** Returns the hold after its owner has confirmed it, if it must be approved first. */
    public Reservation asking(Approval needed, long at) {
        return with(charge, status.changed(at).asking(needed));
    }

    /** Returns the reservation after an answer that approves for some sides: confirmed if no other side must approve. */
    public Reservation approved(Approval answered, long at) {
        return with(charge, status.approved(answered, at));
    }

    /** Returns the reservation after an answer that declines. It owes nothing. */
    public Reservation refused(Approval answered, long at) {
        return with(charge.waived(), status.declined(answered, at));
    }

    /**
     * Returns the reservation after its owner has cancelled it. If it has begun, it owes its price.
     *
     * @param late the share of the price that it owes if it has not begun, in [0, 1]
     */
    public Reservation givenUp(BigDecimal late, long at) {
        boolean owesShare = state() == ReservationState.CONFIRMED;
        var ended = becomes(ReservationState.CANCELLED, at);
        return owesShare ? ended.with(charge.late(late), ended.status) : ended;
    }

    /** Returns what the reservation would owe if its owner cancelled it before its start for this share of its price. */
    public Money owedIfGivenUp(BigDecimal late) {
        return charge.late(late).price();
    }

    /** Returns the run with another charge, after its owner has returned PE-time. */
    public Reservation charged(Charge other) {
        return with(other, status);
    }

    /**
     * Returns the reservation after more of the price of the time that its owner returned was credited. If it has ended, it still owes at least
     * what is due for late changes.
     *
     * @param left the returned time of which a rest may still be credited
     */
    public Reservation crediting(Quantity more, List<OpenReturn> left, long at) {
        var after = charge.crediting(more, left);
        return state().isLive() ? with(after, status.changed(at)) : with(after.whenFinal(), status.chargedAnew());
    }

    /** Returns the reservation owing at least this much, however its owner ends it. */
    public Reservation owingAtLeast(Quantity due) {
        return with(charge.atLeast(due), status);
    }

    /**
     * Returns the reservation with the claim postponed until {@code by}, because the service was unavailable when the owner could have
     * claimed it.
     */
    public Reservation claimPostponed(long by, long at) {
        return with(charge, status.changed(at).claimBy(OptionalLong.of(by)));
    }

    /** Returns how soon after its start it must be claimed, in seconds; empty if no claim is needed any more. */
    public OptionalLong claimWithin() {
        var by = status.claimBy();
        return by.isPresent() ? OptionalLong.of(by.getAsLong() - slot().start()) : by;
    }

    /** Returns the reservation after its owner has claimed it. */
    public Reservation claimed(long at) {
        return with(charge, status.changed(at).claimBy(OptionalLong.empty()));
    }

    /** Returns the reservation after Berth has released it because nobody claimed it. If it has begun, it owes its price. */
    public Reservation released(long at) {
        return with(charge.whenFinal(), status.becomes(ReservationState.CANCELLED, EndReason.NOT_CLAIMED, at));
    }

    /**
     * Returns the reservation after the provider has broken the agreement. It owes nothing and gets a credit, unless it was not confirmed.
     */
    public Reservation failed(EndReason why, Money credit, long at) {
        var breach = state().isAgreed() ? charge.credited(credit) : charge.waived();
        return with(breach, status.becomes(ReservationState.FAILED, why, at));
    }

    /** Returns the reservation, which has failed, with the first time at which it would have fitted then. */
    public Reservation fitting(Slot nearest) {
        return at(placement, status.fitting(nearest));
    }

    /** Whether it should be in place on the machine at {@code now}, and never was. */
    public boolean isOverdue(long now) {
        return state() == ReservationState.RUNNING
                && enforcement.within().isPresent()
                && now >= Math.min(slot().start() + Enforcement.PATIENCE, slot().end());
    }

    /**
     * Returns the reservation after the provider has ended it because the machine does not know one of its users.
     *
     * @param late the share of the price that it owes, in [0, 1]
     */
    public Reservation unusable(BigDecimal late, long at) {
        return with(charge.late(late), status.becomes(ReservationState.CANCELLED, EndReason.USERS_UNKNOWN, at));
    }

    /** Whether its whole price is due once it has ended: it has begun, and the machine could have it. */
    public boolean isOwedInFull() {
        return placement.begun() > 0 && !status.reason().equals(Optional.of(EndReason.USERS_UNKNOWN));
    }

    /**
     * Returns the reservation after the agent's report. If it is now in place as required, the time to claim it starts now.
     *
     * @param taken the PEs that jobs of others have
     */
    public Reservation enforced(List<Enforcement.Report> reports, TakenPes taken, long at) {
        var next = enforcement.with(reports).with(taken);
        if (state() != ReservationState.RUNNING) {
            return with(next, status.changed(at));
        }
        var given = next.onceGiven();
        boolean isLate = enforcement.within().isPresent() && given.within().isEmpty();
        var claim = claimWithin();
        var changed = status.changed(at);
        return with(
                given,
                isLate && claim.isPresent() ? changed.claimBy(OptionalLong.of(at + claim.getAsLong())) : changed);
    }

    /**
     * Returns the reservation with enforcement postponed until {@code by}, because the service could not receive reports. If the
     * reservation ends before then, enforcement is not checked.
     */
    public Reservation enforcementPostponed(long by, long at) {
        var within = by < slot().end() ? OptionalLong.of(by - slot().start()) : OptionalLong.empty();
        return with(enforcement.within(within), status.changed(at));
    }

    private Reservation with(Enforcement next) {
        return with(next, status);
    }

    private Reservation with(Enforcement next, Status then) {
        return new Reservation(id, cluster, origin, terms, placement, charge, then, proposal, next, announced);
    }

    /**
     * Returns the reservation after its owner has said who may run jobs in it.
     *
     * @param users their names on the machine; empty means the owner
     */
    public Reservation usedBy(List<String> users, long at) {
        return of(origin.withUsers(users), at);
    }

    /** Returns the reservation as it is about to be handed over. */
    public Reservation assigned(Assignment how, long at) {
        return of(origin.assigned(how), at);
    }

    /** Returns the reservation after the account to which it is assigned has become its owner. */
    public Reservation received(long at) {
        return of(origin.received(), at);
    }

    private Reservation of(Origin other, long at) {
        return new Reservation(
                id, cluster, other, terms, placement, charge, status.changed(at), proposal, enforcement, announced);
    }

    /** Returns the reservation after another reservation of its co-allocation has failed. */
    public Reservation degraded(long at) {
        return with(charge, status.degraded(at));
    }

    /** Returns the reservation with a final place and that price. */
    public Reservation fixed(Money price, long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                placement.fixed(at),
                charge.agreed(price),
                status.changed(at),
                proposal,
                enforcement,
                announced);
    }

    /**
     * Returns the reservation after its run has begun.
     *
     * @param pes the PEs of its first part
     * @param notice the cluster's notice for the parts that follow, in seconds
     */
    public Reservation begins(PeSet pes, long notice, long at) {
        return at(nextPartOn(pes, notice), status).becomes(ReservationState.RUNNING, at);
    }

    /**
     * Returns the reservation after the next part of its run has begun.
     *
     * @param pes the PEs of that part
     * @param notice the cluster's notice for the parts that follow, in seconds
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
                : terms.finality()
                        .nextFixesAt(
                                fixesAt,
                                parts().get(next).slot().start(),
                                parts().get(next + 1).slot().start(),
                                notice);
        return placement.begunOn(pes, fixes);
    }

    /** Returns the reservation after a part has ended. Its PEs are free until the next part begins. */
    public Reservation pauses(long at) {
        var then = status.changed(at);
        var losses = placement.losses();
        var place = losses.areNone() ? placement : placement.with(losses.at(at, losses.from(at)));
        return at(place.turned(), then).with(enforcement.on(PeSet.NONE, at));
    }

    private Reservation at(Placement place, Status then) {
        return new Reservation(id, cluster, origin, terms, place, charge, then, proposal, enforcement, announced);
    }

    /** Returns the reservation after the provider has moved it inside its window, which counts toward the agreed bound. */
    public Reservation moved(Placement to, Money price, long at) {
        return at(to, price, status.moves().moved(slot()), at);
    }

    /** Returns the reservation after the provider has moved it inside its window for its own sake, which does not count. */
    public Reservation movedForItself(Placement to, Money price, long at) {
        return at(to, price, status.moves().movedForItself(slot()), at);
    }

    /** Returns the reservation after the provider has given it other PEs at the same time, which is no move in time and does not count. */
    public Reservation onOtherPes(Placement to, long at) {
        return at(to, price(), status.moves(), at);
    }

    private Reservation at(Placement to, Money price, MoveHistory moves, long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                terms,
                to,
                charge.agreed(price),
                shifted(to, at).moved(moves),
                proposal,
                enforcement.moved(),
                announced);
    }

    /** Returns the reservation with other terms. An open proposal refers to the old terms and is withdrawn. */
    public Reservation renegotiated(Terms agreed, Placement place, Charge charged, long at) {
        return new Reservation(
                id,
                cluster,
                origin,
                agreed,
                place,
                charged,
                shifted(place, at).agreedAnew(),
                Optional.empty(),
                (place.parts().equals(parts()) ? enforcement : enforcement.moved()).on(place.pesNow(), at),
                announced);
    }

    /** Returns the reservation after an extension has failed. It ends as planned. */
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

    /** Returns the reservation with the provider's proposal of other terms. */
    public Reservation proposed(Terms offered, Money incentive, AccountName by, long expiresAt, long at) {
        var next = status.changed(at);
        return with(next, Optional.of(new Proposal(next.version(), offered, incentive, by, at, expiresAt)));
    }

    /** Returns the reservation after its owner has declined the proposal. */
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
        return new Reservation(
                id, cluster, origin, terms, placedAfter(then), next, then, offer, enforcedAfter(then), announced);
    }
}
