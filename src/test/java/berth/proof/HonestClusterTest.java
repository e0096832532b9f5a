package berth.proof;

import static org.assertj.core.api.Assertions.assertThat;

import berth.cluster.Cluster;
import berth.engine.SettableClock;
import berth.proof.History.Act;
import berth.proof.History.Heard;
import berth.proof.History.Reserve;
import berth.reservation.ReservationId;
import berth.scheduling.Basis;
import berth.scheduling.ClusterSchedule;
import berth.scheduling.Decision;
import berth.scheduling.Event;
import berth.scheduling.Event.ReservationEvent;
import berth.scheduling.Event.Type;
import berth.scheduling.RandomCommands;
import berth.scheduling.commands.AcceptProposal;
import berth.scheduling.commands.AdvanceClock;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.Cancel;
import berth.scheduling.commands.ChangeUsers;
import berth.scheduling.commands.Claim;
import berth.scheduling.commands.Collect;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Complete;
import berth.scheduling.commands.Confirm;
import berth.scheduling.commands.Decline;
import berth.scheduling.commands.DeclineProposal;
import berth.scheduling.commands.Fix;
import berth.scheduling.commands.Propose;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.Transfer;
import berth.scheduling.commands.WaitForRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The checker finds nothing wrong in the decisions of a cluster. */
class HonestClusterTest {

    private static final int SEEDS = 200;
    private static final int COMMANDS = 150;
    private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

    @Test
    void theCheckerFindsNoFaultInAnHonestCluster() {
        int acknowledged = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            var verdict = new World(seed).played();
            assertThat(verdict.findings()).as("seed %d", seed).isEmpty();
            acknowledged += verdict.acknowledged();
        }
        assertThat(acknowledged).isGreaterThan(SEEDS);
    }

    private static final class World {

        private final Random random;
        private final SettableClock clock = new SettableClock(NOON);
        private final Cluster cluster = Cluster.of("honest", 8);
        private final RandomCommands commands;
        private final History history = new History();
        private final List<Event> events = new ArrayList<>();
        private ClusterSchedule schedule = ClusterSchedule.empty(cluster);

        World(long seed) {
            random = new Random(seed);
            commands = new RandomCommands(random, () -> new UUID(random.nextLong(), random.nextLong()), cluster, clock);
        }

        Verdict played() {
            for (int i = 0; i < COMMANDS; i++) {
                clock.advance(Duration.ofSeconds(random.nextInt(600)));
                long now = clock.instant().getEpochSecond();
                while (schedule.nextDue().filter(due -> due.at() <= now).isPresent()) {
                    decide(new AdvanceClock(10), now);
                }
                decide(new AdvanceClock(10), now);
                decide(commands.next(schedule), now);
            }
            return Checker.check(history, told());
        }

        private void decide(Command command, long now) {
            var decision = command.decide(new Basis(schedule, now));
            if (decision instanceof Decision.Accepted(var happened, var next)) {
                events.addAll(happened);
                schedule = next;
            }
            ask(command).ifPresent(ask -> history.add(ask, heard(command, decision)));
        }

        private Optional<History.Ask> ask(Command command) {
            return switch (command) {
                case berth.scheduling.commands.Reserve reserve -> Optional.of(reserve(reserve.id(), reserve.origin()));
                case Collect collect -> Optional.of(reserve(collect.id(), collect.origin()));
                case WaitForRoom wait -> Optional.of(reserve(wait.id(), wait.origin()));
                case Confirm(var target) -> act(target, Type.CONFIRMED);
                case Cancel(var target, var _) -> act(target, Type.CANCELLED);
                case Claim(var target) -> act(target, Type.CLAIMED);
                case ChangeUsers(var target, var _) -> act(target, Type.USERS_CHANGED);
                case Complete(var target) -> act(target, Type.COMPLETED);
                case Fix(var target, var _) -> act(target, Type.FIXED);
                case Renegotiate renegotiate -> act(renegotiate.target(), Type.RENEGOTIATED);
                case Propose propose -> act(propose.target(), Type.PROPOSED);
                case AcceptProposal accept -> act(accept.target(), Type.ACCEPTED);
                case DeclineProposal decline -> act(decline.target(), Type.DECLINED);
                case Approve approve -> act(approve.target(), Type.APPROVED);
                case Decline decline -> act(decline.target(), Type.APPROVAL_DECLINED);
                case Transfer transfer -> act(transfer.target(), Type.TRANSFERRED);
                default -> Optional.empty();
            };
        }

        private Reserve reserve(ReservationId id, berth.reservation.Origin origin) {
            return new Reserve(origin.owner(), cluster.id(), label(id), Optional.of("key"), Optional.empty());
        }

        private static Optional<History.Ask> act(berth.scheduling.Target target, Type wish) {
            return Optional.of(new Act(target.reservation(), wish));
        }

        private static Heard heard(Command command, Decision decision) {
            return switch (decision) {
                case Decision.Rejected(var reason) ->
                    new History.Refused(reason.code().word());
                case Decision.Accepted(var happened, var _) ->
                    switch (command) {
                        case Collect collect -> new History.Collected(collect.id());
                        case WaitForRoom wait -> new History.Collected(wait.id());
                        case berth.scheduling.commands.Reserve _ -> {
                            var granted = ((ReservationEvent) happened.getLast()).reservation();
                            yield new History.Promised(Promise.of(granted, label(granted.id())));
                        }
                        default -> new History.Done();
                    };
            };
        }

        private Told told() {
            var recorded = new ArrayList<Recorded>();
            var last = new LinkedHashMap<ReservationId, Promise>();
            var requests = new LinkedHashMap<ReservationId, Told.Request>();
            for (var event : events) {
                recorded.add(Recorded.of(cluster.id(), recorded.size() + 1, event));
                switch (event) {
                    case ReservationEvent(var _, var after, var _, var _, var _, var _) -> {
                        last.put(after.id(), Promise.of(after, label(after.id())));
                        requests.remove(after.id());
                    }
                    case Event.RequestEvent(var _, var request, var _) ->
                        requests.put(
                                request.id(),
                                new Told.Request(
                                        request.id(),
                                        cluster.id(),
                                        request.origin().owner(),
                                        label(request.id()),
                                        request.state()));
                    default -> {}
                }
            }
            return new Told(
                    Map.of(cluster.id(), cluster.pes()),
                    List.copyOf(last.values()),
                    List.copyOf(requests.values()),
                    recorded,
                    Map.of());
        }

        private static String label(ReservationId id) {
            return id.value().toString();
        }
    }
}
