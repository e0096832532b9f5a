package berth.proof;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import berth.intake.IntakeRequest;
import berth.proof.Finding.Rule;
import berth.proof.History.Act;
import berth.proof.History.Exchange;
import berth.proof.History.Heard;
import berth.proof.History.Reserve;
import berth.reservation.ClusterId;
import berth.reservation.ReservationId;
import berth.scheduling.Event;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares clients' requests and answers with the final state of the service, after all clients have ended and every keyed request without
 * an answer was repeated ({@link History#inDoubt}).
 */
public final class Checker {

    private final Told told;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<Reserve, List<Heard>> requests = new LinkedHashMap<>();
    private final Map<String, Reserve> byTheirLabel = new HashMap<>();
    private final List<Exchange> acts = new ArrayList<>();
    private final Map<ReservationId, Promise> reservations = new LinkedHashMap<>();
    private final Map<ReservationId, Told.Request> collected = new LinkedHashMap<>();
    private final Map<ReservationId, Life> lives = new LinkedHashMap<>();

    /** Collected requests that were decided later; a repetition gets their state at that time. */
    private final Set<ReservationId> decidedLater = new HashSet<>();

    /** The reservations and undecided requests by label. */
    private final Map<String, Set<ReservationId>> byLabel = new HashMap<>();

    private Checker(History history, Told told) {
        this.told = told;
        for (var exchange : history.exchanges()) {
            switch (exchange.ask()) {
                case Reserve reserve -> {
                    requests.computeIfAbsent(reserve, _ -> new ArrayList<>()).add(exchange.heard());
                    byTheirLabel.put(reserve.label(), reserve);
                }
                case Act _ -> acts.add(exchange);
            }
        }
        for (var promise : told.reservations()) {
            if (reservations.put(promise.id(), promise) != null) {
                find(Rule.INVENTED, "%s is told twice", promise.id());
            }
            byLabel.computeIfAbsent(promise.label(), _ -> new HashSet<>()).add(promise.id());
        }
        for (var request : told.requests()) {
            collected.put(request.id(), request);
            byLabel.computeIfAbsent(request.label(), _ -> new HashSet<>()).add(request.id());
        }
        for (var event : told.events()) {
            switch (event.about()) {
                case Recorded.OfReservation(var id, var after) ->
                    lives.computeIfAbsent(id, Life::new).add(event, after);
                case Recorded.OfRequest(var id, var _) -> decidedLater.add(id);
                default -> {}
            }
        }
    }

    /** Checks a history; returns the errors and figures. */
    public static Verdict check(History history, Told told) {
        return new Checker(history, told).verdict();
    }

    private Verdict verdict() {
        requests.forEach(this::isKept);
        for (var act : acts) {
            if (act.heard() instanceof History.Promised(var promise)) {
                stood(promise);
            }
        }
        reservations.values().forEach(this::wasAskedFor);
        collected.values().forEach(this::wasAskedFor);
        lives.forEach(this::isInOrder);
        onlyWhatWasWished();
        noPesTwice();
        noGaps();
        told.seen().forEach(this::seesItsOwn);
        return new Verdict(
                count(History.Promised.class) + count(History.Collected.class),
                (int) requests.values().stream()
                        .filter(heard -> heard.stream().allMatch(History.Refused.class::isInstance))
                        .count(),
                count(History.Nothing.class),
                (int) requests.entrySet().stream()
                        .filter(request -> request.getValue().stream().anyMatch(History.Nothing.class::isInstance))
                        .filter(request -> byLabel.containsKey(request.getKey().label()))
                        .count(),
                List.copyOf(findings));
    }

    private int count(Class<? extends Heard> kind) {
        return (int) requests.values().stream()
                .filter(heard -> heard.stream().anyMatch(kind::isInstance))
                .count();
    }

    private void isKept(Reserve request, List<Heard> heard) {
        var ids = new HashSet<ReservationId>();
        var standings = new HashSet<Standing>();
        boolean isGranted = false;
        for (var answer : heard) {
            switch (answer) {
                case History.Promised(var promise) -> {
                    ids.add(promise.id());
                    standings.add(promise.standing());
                    isGranted = true;
                    stood(promise);
                    if (!promise.owner().equals(request.owner())
                            || !promise.label().equals(request.label())) {
                        find(Rule.STRANGER, "%s was answered with %s", request, promise);
                    }
                }
                case History.Collected(var id) -> {
                    ids.add(id);
                    // a repetition of a request that was rejected later gets the rejection
                    var later = collected.get(id);
                    isGranted |= later == null || later.state() != IntakeRequest.State.REJECTED;
                    if (!reservations.containsKey(id) && !collected.containsKey(id)) {
                        find(Rule.LOST, "%s was collected as %s", request, id);
                    }
                }
                case History.Refused _ -> {
                    if (isGranted && request.key().isPresent()) {
                        find(Rule.TWO_ANSWERS, "%s was promised, then refused", request);
                    }
                }
                case History.Done _ ->
                    throw new IllegalArgumentException("It is not told what has become of " + request);
                case History.Nothing _ -> {}
            }
        }
        if (request.key().isPresent()) {
            if (ids.size() > 1 || standings.size() > 1 && !decidedLater.containsAll(ids)) {
                find(Rule.TWO_ANSWERS, "%s was promised %s, %s", request, ids, standings);
            }
            if (heard.getLast() instanceof History.Nothing) {
                find(Rule.UNSETTLED, "%s was not answered in the end", request);
            }
        }
    }

    /** Checks that a promised state was once, or is, the actual one. */
    private void stood(Promise promise) {
        var life = lives.get(promise.id());
        var now = reservations.get(promise.id());
        if (life == null || now == null) {
            find(Rule.LOST, "%s is not there any more", promise);
        } else if (!life.stood(promise.standing())) {
            find(Rule.CHANGED, "%s was never so", promise);
        } else if (!now.owner().equals(promise.owner()) && !life.isHandedOver()
                || !now.cluster().equals(promise.cluster())
                || !now.label().equals(promise.label())) {
            find(Rule.CHANGED, "%s is %s", promise, now);
        }
    }

    private void wasAskedFor(Promise promise) {
        var life = lives.get(promise.id());
        if (life == null) {
            find(Rule.LOST, "no event tells of %s", promise);
            return;
        }
        var request = byTheirLabel.get(promise.label());
        var owner = life.isHandedOver() && request != null ? request.owner() : promise.owner();
        wasAskedFor(promise.id(), promise.cluster(), owner, promise.label(), false);
        if (!life.last().equals(promise.standing())) {
            find(Rule.CHANGED, "%s was %s after its last event", promise, life.last());
        }
        if (request != null
                && request.terms()
                        .filter(terms -> !terms.equals(life.first().terms()))
                        .isPresent()) {
            find(Rule.INVENTED, "%s was agreed on other terms than %s", promise, request);
        }
    }

    private void wasAskedFor(Told.Request request) {
        boolean isRejected = request.state() == IntakeRequest.State.REJECTED;
        wasAskedFor(request.id(), request.cluster(), request.owner(), request.label(), isRejected);
    }

    /**
     * Checks that a client requested it.
     *
     * @param isRejected whether it was collected and rejected, which only a repetition shows
     */
    private void wasAskedFor(ReservationId id, ClusterId cluster, AccountName owner, String label, boolean isRejected) {
        var request = byTheirLabel.get(label);
        long asked = 0;
        if (request != null
                && request.owner().equals(owner)
                && request.cluster().equals(cluster)) {
            long sent = requests.getOrDefault(request, List.of()).stream()
                    .filter(heard -> isRejected || !(heard instanceof History.Refused))
                    .count();
            asked = request.key().isPresent() ? Math.min(1, sent) : sent;
        }
        if (byLabel.getOrDefault(label, Set.of()).size() > asked) {
            find(
                    Rule.INVENTED,
                    "%s of %s is there, '%s' was asked for %d times: %s",
                    id,
                    owner,
                    label,
                    asked,
                    request == null ? List.of() : requests.getOrDefault(request, List.of()));
        }
    }

    private void isInOrder(ReservationId id, Life life) {
        life.fault().ifPresent(fault -> find(Rule.CHANGED, "%s", fault));
        if (!reservations.containsKey(id)) {
            find(Rule.LOST, "%s had events and is not there any more", id);
        }
    }

    private void onlyWhatWasWished() {
        var wishes = new HashMap<ReservationId, Map<Event.Type, Integer>>();
        for (var exchange : acts) {
            if (exchange.ask() instanceof Act(var id, var wish) && !(exchange.heard() instanceof History.Refused)) {
                wishes.computeIfAbsent(id, _ -> new EnumMap<>(Event.Type.class)).merge(wish, 1, Integer::sum);
            }
        }
        lives.forEach((id, life) -> {
            var asked = wishes.getOrDefault(id, Map.of());
            life.wished().stream().collect(groupingBy(type -> type, counting())).forEach((type, times) -> {
                if (times > asked.getOrDefault(type, 0)) {
                    find(Rule.INVENTED, "%s: %s %d times, asked for %s", id, type, times, asked);
                }
            });
        });
    }

    private void noPesTwice() {
        var byCluster = told.events().stream().collect(groupingBy(Recorded::cluster));
        byCluster.forEach((cluster, events) -> {
            var room = new Room(told.pes().getOrDefault(cluster, 0));
            for (int i = 0; i < events.size(); i++) {
                var event = events.get(i);
                room.follow(event.about());
                // events of one decision have one time; in between, a reservation may have moved although the newcomer
                // is not there yet
                boolean isWhole = i + 1 == events.size() || events.get(i + 1).at() != event.at();
                if (isWhole) {
                    room.promisedTwice(event.at())
                            .ifPresent(what -> find(Rule.DOUBLE_BOOKED, "%s, after %s", what, event));
                }
            }
        });
    }

    private void noGaps() {
        var last = new HashMap<ClusterId, Long>();
        for (var event : told.events()) {
            long before = last.getOrDefault(event.cluster(), 0L);
            if (event.sequence() != before + 1) {
                find(Rule.GAP, "%d follows %d on %s", event.sequence(), before, event.cluster());
            }
            last.put(event.cluster(), event.sequence());
        }
    }

    private void seesItsOwn(AccountName account, Told.Seen seen) {
        var own = reservations.values().stream()
                .filter(promise -> promise.owner().equals(account))
                .map(Promise::id)
                .collect(toSet());
        collected.values().stream()
                .filter(request -> request.owner().equals(account))
                .forEach(request -> own.add(request.id()));
        if (!seen.reservations().equals(own)) {
            find(Rule.STRANGER, "%s is told of %s instead of %s", account, seen.reservations(), own);
        }
        var happened = told.events().stream()
                .filter(event -> switch (event.about()) {
                    case Recorded.OfReservation(var id, var _) -> own.contains(id);
                    case Recorded.OfRequest(var id, var _) -> own.contains(id);
                    case Recorded.OfDelay(var owner) -> owner.equals(account);
                    default -> false;
                })
                .collect(toSet());
        var heard = new HashSet<>(seen.events());
        if (!heard.equals(happened)) {
            var less = new HashSet<>(happened);
            less.removeAll(heard);
            heard.removeAll(happened);
            find(Rule.STRANGER, "%s is told %s, and not %s", account, heard, less);
        }
    }

    private void find(Rule rule, String what, Object... about) {
        findings.add(new Finding(rule, what.formatted(about)));
    }
}
