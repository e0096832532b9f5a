package berth.proof;

import berth.availability.PeSet;
import berth.cluster.Outage;
import berth.cluster.OutageId;
import berth.reservation.ReservationId;
import berth.sla.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** The PEs of one cluster and what has them, according to its events. */
final class Room {

    private int pes;
    private final Map<ReservationId, List<Part>> reserved = new HashMap<>();
    private final Map<OutageId, Outage> outages = new HashMap<>();
    private final Map<UUID, Part> jobs = new HashMap<>();

    Room(int pes) {
        this.pes = pes;
    }

    void follow(Recorded.About about) {
        switch (about) {
            case Recorded.OfReservation(var id, var after) -> {
                if (after.isLive()) {
                    reserved.put(id, after.taken());
                } else {
                    reserved.remove(id);
                }
            }
            case Recorded.OfCluster(int now) -> pes = now;
            case Recorded.OfOutage(var outage) -> {
                if (outage.endedAt().isPresent()) {
                    outages.remove(outage.id());
                } else {
                    outages.put(outage.id(), outage);
                }
            }
            case Recorded.OfJob(var id, var runs) ->
                runs.ifPresentOrElse(part -> jobs.put(id, part), () -> jobs.remove(id));
            case Recorded.OfQueue(var run) -> {
                jobs.clear();
                jobs.putAll(run);
            }
            case Recorded.OfRequest _, Recorded.OfDelay _, Recorded.OfBudget _, Recorded.OfSignal _ -> {}
        }
    }

    /** Returns what is promised twice from then on; empty if nothing is. */
    Optional<String> promisedTwice(long from) {
        var taken = new ArrayList<>(jobs.values());
        reserved.values().forEach(taken::addAll);
        taken.removeIf(part -> part.slot().end() <= from);
        return tooMany(taken, from).or(() -> sharedPes(taken));
    }

    private Optional<String> tooMany(List<Part> taken, long from) {
        var changes = new TreeMap<Long, Integer>();
        for (var part : taken) {
            changes.merge(Math.max(from, part.slot().start()), part.pes(), Integer::sum);
            changes.merge(part.slot().end(), -part.pes(), Integer::sum);
        }
        for (var outage : outages.values()) {
            if (outage.slot().end() > from) {
                changes.merge(Math.max(from, outage.from()), 0, Integer::sum);
            }
        }
        int reserved = 0;
        for (var change : changes.entrySet()) {
            reserved += change.getValue();
            int used = reserved + outOfService(change.getKey());
            boolean isTaken = taken.stream().anyMatch(part -> part.slot().contains(change.getKey()));
            if (used > pes && isTaken) {
                return Optional.of(
                        "%d of %d PEs are taken or out of service at %d".formatted(used, pes, change.getKey()));
            }
        }
        return Optional.empty();
    }

    /** Returns how many PEs outages take together: those that any names, and as many more as the others claim. */
    private int outOfService(long second) {
        var out = outages.values().stream()
                .filter(outage -> outage.slot().contains(second))
                .toList();
        var named =
                out.stream().flatMap(outage -> outage.peIdsBelow(pes).stream()).reduce(PeSet.NONE, PeSet::or);
        int unnamed = out.stream()
                .filter(outage -> outage.peIds().isEmpty())
                .mapToInt(Outage::pes)
                .sum();
        return Math.min(pes, named.size() + unnamed);
    }

    private static Optional<String> sharedPes(List<Part> taken) {
        var named = taken.stream().filter(part -> part.peIds().isPresent()).toList();
        for (int i = 0; i < named.size(); i++) {
            for (var other : named.subList(0, i)) {
                var one = named.get(i);
                if (one.slot().overlaps(other.slot())
                        && one.peIds().orElseThrow().intersects(other.peIds().orElseThrow())) {
                    return Optional.of("%s and %s have PEs in common".formatted(one, other));
                }
            }
        }
        return Optional.empty();
    }
}
