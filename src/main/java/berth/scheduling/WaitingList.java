package berth.scheduling;

import berth.intake.IntakeRequest;
import berth.reservation.AgendaItem;
import berth.reservation.AgendaItem.What;
import berth.reservation.ReservationId;
import berth.sla.AccountName;
import berth.sla.RequestedTerms;
import berth.sla.Shape;
import berth.sla.Violation;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The requests of a cluster that wait for room, in the order of their tickets, in which they are tried. Immutable; changes and lookups take
 * O(log n) for n requests.
 */
public final class WaitingList {

    /** The most requests on a cluster's waiting list. */
    public static final int MAX = 10_000;

    /** The most requests of one account on it. */
    public static final int MAX_PER_ACCOUNT = 1_000;

    static final WaitingList NONE = new WaitingList(
            TreePMap.empty(), HashTreePMap.empty(), TreePMap.empty(), HashTreePMap.empty(), TreePSet.empty());

    private final TreePMap<Long, IntakeRequest> byTicket;
    private final PMap<ReservationId, IntakeRequest> byId;

    /** The requests by the fewest PEs on which each can run. */
    private final TreePMap<Integer, TreePMap<Long, IntakeRequest>> byPes;

    private final PMap<AccountName, TreePMap<Long, IntakeRequest>> byOwner;
    private final TreePSet<AgendaItem> ends;

    private WaitingList(
            TreePMap<Long, IntakeRequest> byTicket,
            PMap<ReservationId, IntakeRequest> byId,
            TreePMap<Integer, TreePMap<Long, IntakeRequest>> byPes,
            PMap<AccountName, TreePMap<Long, IntakeRequest>> byOwner,
            TreePSet<AgendaItem> ends) {
        this.byTicket = byTicket;
        this.byId = byId;
        this.byPes = byPes;
        this.byOwner = byOwner;
        this.ends = ends;
    }

    public boolean isEmpty() {
        return byTicket.isEmpty();
    }

    /** Returns the number of requests. */
    public int size() {
        return byTicket.size();
    }

    /** Returns all requests in order. */
    public Collection<IntakeRequest> all() {
        return byTicket.values();
    }

    /** Returns the requests of an account in order. */
    public List<IntakeRequest> of(AccountName owner) {
        return List.copyOf(byOwner.getOrDefault(owner, TreePMap.empty()).values());
    }

    public Optional<IntakeRequest> find(ReservationId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns the position of a request, from 1; empty if it is not on the list. */
    public OptionalInt rank(ReservationId id) {
        var request = byId.get(id);
        return request == null
                ? OptionalInt.empty()
                : OptionalInt.of(byTicket.headMap(ticket(request)).size() + 1);
    }

    /** Returns why the list accepts no more requests of an account; empty if it does. The violation names the bound. */
    public Optional<Violation> refusal(AccountName owner) {
        int own = byOwner.getOrDefault(owner, TreePMap.empty()).size();
        if (own >= MAX_PER_ACCOUNT) {
            return full(
                    "%d requests of this account wait on the cluster already, the largest number allowed; cancel one",
                    own);
        }
        return size() >= MAX
                ? full("%d requests wait on the cluster already, the largest number allowed; try again later", size())
                : Optional.empty();
    }

    private static Optional<Violation> full(String message, int number) {
        return Optional.of(new Violation("wait", message.formatted(number)));
    }

    /** Returns the next ticket, which is higher than all others. */
    public long nextTicket() {
        return isEmpty() ? 1 : byTicket.lastKey() + 1;
    }

    /** Returns when the first of the requests stops waiting. */
    Optional<AgendaItem> nextDue() {
        return ends.isEmpty() ? Optional.empty() : Optional.of(ends.first());
    }

    public Optional<IntakeRequest> find(long ticket) {
        return Optional.ofNullable(byTicket.get(ticket));
    }

    /**
     * Returns the requests after a ticket that can run on {@code pes} PEs or fewer, in order. O(k log n) for k numbers of PEs, then O(log
     * k) for each request.
     */
    public Iterator<IntakeRequest> after(long ticket, int pes) {
        var heads = new PriorityQueue<Head>(Comparator.comparing(head -> ticket(head.next)));
        for (var alike : byPes.headMap(pes, true).values()) {
            advance(alike.tailMap(ticket, false).values().iterator(), heads);
        }
        return new Iterator<>() {

            @Override
            public boolean hasNext() {
                return !heads.isEmpty();
            }

            @Override
            public IntakeRequest next() {
                var head = heads.remove();
                advance(head.others, heads);
                return head.next;
            }
        };
    }

    /** The first of the requests with the same fewest PEs, and the others. */
    private record Head(IntakeRequest next, Iterator<IntakeRequest> others) {}

    private static void advance(Iterator<IntakeRequest> alike, PriorityQueue<Head> heads) {
        if (alike.hasNext()) {
            heads.add(new Head(alike.next(), alike));
        }
    }

    /** Returns the list with the present state of a request, which is on the list only while it waits. */
    WaitingList with(IntakeRequest request) {
        var before = byId.get(request.id());
        var rest = before == null ? this : without(before);
        return request.state() == IntakeRequest.State.WAITING ? rest.plus(request) : rest;
    }

    private WaitingList plus(IntakeRequest request) {
        long ticket = ticket(request);
        int pes = fewestPes(request.terms());
        var owner = request.origin().owner();
        return new WaitingList(
                byTicket.plus(ticket, request),
                byId.plus(request.id(), request),
                byPes.plus(pes, alike(byPes.get(pes)).plus(ticket, request)),
                byOwner.plus(owner, alike(byOwner.get(owner)).plus(ticket, request)),
                ends.plus(end(request)));
    }

    private WaitingList without(IntakeRequest request) {
        long ticket = ticket(request);
        int pes = fewestPes(request.terms());
        var owner = request.origin().owner();
        var alike = alike(byPes.get(pes)).minus(ticket);
        var own = alike(byOwner.get(owner)).minus(ticket);
        return new WaitingList(
                byTicket.minus(ticket),
                byId.minus(request.id()),
                alike.isEmpty() ? byPes.minus(pes) : byPes.plus(pes, alike),
                own.isEmpty() ? byOwner.minus(owner) : byOwner.plus(owner, own),
                ends.minus(end(request)));
    }

    private static TreePMap<Long, IntakeRequest> alike(@Nullable TreePMap<Long, IntakeRequest> there) {
        return there == null ? TreePMap.empty() : there;
    }

    private static long ticket(IntakeRequest request) {
        return request.ticket().orElseThrow();
    }

    private static AgendaItem end(IntakeRequest request) {
        return new AgendaItem(
                request.waitUntil().orElseThrow(), What.WAIT_ENDS, request.id().value());
    }

    private static int fewestPes(RequestedTerms terms) {
        return terms.moldability()
                .map(moldability -> moldability.shapes(terms.duration()).stream()
                        .mapToInt(Shape::pes)
                        .min()
                        .orElse(1))
                .orElse(terms.pes());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WaitingList that && byTicket.equals(that.byTicket);
    }

    @Override
    public int hashCode() {
        return byTicket.hashCode();
    }

    @Override
    public String toString() {
        return byTicket.values().toString();
    }
}
