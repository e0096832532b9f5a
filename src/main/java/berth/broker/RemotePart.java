package berth.broker;

import berth.broker.Member.Probed;
import berth.reservation.ReservationId;
import berth.reservation.ReservationState;
import berth.sla.Leeway;
import berth.sla.RequestedTerms;
import berth.time.Slot;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;

/** Parts of co-allocations on a cluster of another Berth. */
record RemotePart(RemoteCluster cluster, Mirrors mirrors, InstantSource clock) implements PartMember {

    /** Seconds to hold, record and confirm, with a request repeated. */
    private static final long LEAD_TIME = 30;

    private static final int SLOTS = 2;

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public long leadTime() {
        return LEAD_TIME;
    }

    @Override
    public Instead others(PartRequest part, Leeway leeway) {
        return cluster.others(part.alone(), leeway);
    }

    @Override
    public Instead at(PartRequest part, long start) {
        return cluster.at(part.terms(), start);
    }

    @Override
    public Asked earliest(PartRequest part, OptionalLong from) {
        var terms = from.isPresent() ? LocalPart.from(part.terms(), from.getAsLong()) : part.terms();
        return switch (cluster.probe(terms, SLOTS)) {
            case Probed.Slots(var found) ->
                found.stream()
                        .map(Member.Found::slot)
                        .min(Comparator.comparingLong(Slot::start))
                        .map(Asked.At::new)
                        .orElseThrow();
            case Probed.NoRoom _ -> new Asked.Nothing();
            case Probed.Never(var reason) -> new Asked.Never(reason);
            case Probed.Unavailable() -> new Asked.Unavailable();
        };
    }

    @Override
    public Held hold(PartRequest part, long start) {
        RequestedTerms terms = LocalPart.pinned(part.terms());
        var held = mirrors.hold(
                cluster.provider(),
                part.id(),
                part.origin(),
                terms,
                OptionalLong.of(start),
                mirrors.holds().elsewhere(),
                Mirror.Owed.NOTHING,
                Optional.empty());
        return held instanceof Mirrors.Holding.Held ? new Held.Granted() : new Held.Lost();
    }

    @Override
    public Confirmed confirm(ReservationId part, long start) {
        var known = mirrors.known(part);
        if (known.isEmpty()) {
            return new Confirmed.Gone();
        }
        var told = mirrors.act(known.get(), Action.CONFIRM, Optional.empty());
        var mirror = told instanceof Mirrors.Told.Done(var done)
                ? done
                : mirrors.find(part).orElseThrow();
        boolean isConfirmed = mirror.state().isLive() && mirror.state() != ReservationState.HELD
                || mirror.state() == ReservationState.COMPLETED;
        if (isConfirmed) {
            return new Confirmed.Done();
        }
        boolean hasEnded = !mirror.state().isLive()
                || clock.instant().getEpochSecond()
                        > mirror.createdAt()
                                + mirrors.holds().elsewhere()
                                + mirrors.holds().doubt();
        return hasEnded ? new Confirmed.Gone() : new Confirmed.Unknown();
    }

    /** The other Berth knows of no other parts: it is marked where it is shown here. */
    @Override
    public boolean degrade(ReservationId part) {
        mirrors.known(part).ifPresent(mirrors::degrade);
        return true;
    }

    /** It is owed from then on, and told again and again: nothing more is to be done by whoever wants it gone. */
    @Override
    public boolean giveUp(ReservationId part) {
        mirrors.known(part).ifPresent(mirrors::giveUp);
        return true;
    }
}
