package berth.yard;

import berth.booking.BookedReservation;
import berth.booking.Reservations.ActionOutcome;
import berth.engine.KeyUse;
import berth.reservation.Reservation;
import berth.reservation.ReservationState;
import berth.scheduling.Event;
import berth.scheduling.Target;
import berth.scheduling.commands.Approve;
import berth.scheduling.commands.Command;
import berth.scheduling.commands.Decline;
import berth.sla.AccountName;
import berth.yard.Yard.Heard;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** Approves and declines the reservations of others, sometimes ones for which it may not answer or which wait no longer. */
final class Approver extends Caller {

    private enum Reply {
        APPROVE,
        TURN_DOWN
    }

    private int number;

    Approver(Yard yard, Site site, AccountName account, Random random) {
        super(yard, site, account.value(), account, random);
    }

    @Override
    void run() {
        for (int i = 0; i < yard.swarm().asks(); i++) {
            think();
            subject().ifPresent(this::answer);
        }
    }

    private Optional<Reservation> subject() {
        boolean isAny = random.nextInt(8) == 0;
        var all = site.watch().reservations().stream()
                .filter(one -> isAny || one.state() == ReservationState.PENDING)
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void answer(Reservation before) {
        yard.coverage().count("commands");
        var reply = random.nextInt(4) > 0 ? Reply.APPROVE : Reply.TURN_DOWN;
        var key = random.nextInt(3) == 0
                ? Optional.of(new KeyUse(account, "%s %d".formatted(name, ++number), reply + " " + before.id()))
                : Optional.<KeyUse>empty();
        var version = random.nextInt(4) == 0
                ? OptionalInt.of(before.status().version() - random.nextInt(2))
                : OptionalInt.empty();
        var wish = site.watch()
                .wish(
                        before.id(),
                        reply == Reply.APPROVE ? Event.Type.APPROVED : Event.Type.APPROVAL_DECLINED,
                        account);
        for (int attempt = 0; attempt < (key.isPresent() ? 2 : 1); attempt++) {
            wish.again();
            Heard<ActionOutcome> heard = call(berth ->
                    berth.broker().reservations().answer(before, version, target -> command(reply, target), key));
            reached(reply, word(heard, Caller::word), Optional.of(before));
            heard(wish, heard);
            if (heard instanceof Heard.Said<ActionOutcome>(ActionOutcome.Done(BookedReservation.Here(var after)))) {
                site.watch().told(after);
            }
        }
    }

    private Command command(Reply reply, Target target) {
        return reply == Reply.APPROVE
                ? new Approve(target, account, Optional.empty())
                : new Decline(target, account, "no");
    }
}
