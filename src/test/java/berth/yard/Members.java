package berth.yard;

import berth.instances.Instance;
import berth.instances.Roll;
import berth.runtime.StorageUnavailable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The simulated database's list of the instances that share it, and the holder of the lock of the active one. */
final class Members {

    /** How long the server keeps the session of a process that it cannot reach. */
    private static final Duration KEPT = Duration.ofSeconds(9);

    private final Yard yard;
    private final Map<UUID, Entry> entries = new LinkedHashMap<>();
    private @Nullable Session holder;

    private record Entry(Berth berth, Instance instance, Duration beatAt) {}

    Members(Yard yard) {
        this.yard = yard;
    }

    Roll open(Berth berth) {
        var session = new Session(berth);
        session.ask();
        return session;
    }

    private Optional<Session> holder() {
        return Optional.ofNullable(holder).filter(Session::isThere);
    }

    /** A session, which ends with its process. */
    private final class Session implements Roll {
        private final Berth berth;
        private boolean isEnded;

        Session(Berth berth) {
            this.berth = berth;
        }

        boolean isThere() {
            isEnded |= !berth.process().isAlive() || berth.cutOff().compareTo(KEPT) > 0;
            return !isEnded;
        }

        /** Takes the time of a query, which may fail. */
        void ask() {
            berth.process().pause(yard.upTo(Duration.ofMillis(5)));
            yard.mayDie(berth);
            if (!isThere() || berth.cutOff().isPositive() || yard.happens(Fault.STORE_FAILS)) {
                throw new StorageUnavailable(new IllegalStateException("as the yard wants it"));
            }
        }

        @Override
        public void enter(Instance self) {
            ask();
            entries.put(self.id(), new Entry(berth, self, yard.simulation().elapsed()));
        }

        @Override
        public boolean beat(UUID self, Instance.State state) {
            ask();
            return entries.computeIfPresent(
                            self,
                            (_, entry) -> new Entry(
                                    berth,
                                    entry.instance.in(state),
                                    yard.simulation().elapsed()))
                    != null;
        }

        @Override
        public List<Row> all() {
            ask();
            return entries.values().stream()
                    .map(entry -> new Row(
                            entry.instance,
                            yard.simulation().elapsed().minus(entry.beatAt),
                            holder().filter(session -> session.berth == entry.berth)
                                    .isPresent()))
                    .toList();
        }

        @Override
        public Optional<String> successor() {
            ask();
            return berth.site().hasLostItsPlace(berth) ? Optional.of("another one") : Optional.empty();
        }

        @Override
        public Optional<String> obstacle() {
            // clocks are not wrong at a takeover here
            return Optional.empty();
        }

        @Override
        public boolean tryLock() {
            ask();
            if (holder().isEmpty()) {
                holder = this;
            }
            return holder == this;
        }

        @Override
        public void unlock() {
            ask();
            if (holder == this) {
                holder = null;
            }
        }

        @Override
        public void endSessions(UUID instance) {
            ask();
            holder().filter(session -> session.berth
                            == Optional.ofNullable(entries.get(instance))
                                    .map(Entry::berth)
                                    .orElse(null))
                    .ifPresent(session -> session.isEnded = true);
        }

        @Override
        public void remove(UUID instance) {
            ask();
            entries.remove(instance);
        }

        /** Ends the session once the server notices. */
        @Override
        public void close() {
            isEnded |= !berth.cutOff().isPositive();
        }
    }
}
