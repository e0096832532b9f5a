package berth.series.web;

import berth.availability.PeSet;
import berth.booking.web.EffectsBody;
import berth.engine.Desks;
import berth.http.Texts;
import berth.series.Maintenance;
import berth.series.Series.Planned;
import berth.series.web.MaintenanceBody.WindowBody;
import berth.series.web.MaintenanceBody.WindowState;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Converts maintenances, with the present state of their windows, into responses. */
@Component
class MaintenanceBodies {

    private final Desks desks;
    private final InstantSource clock;

    MaintenanceBodies(Desks desks, InstantSource clock) {
        this.desks = desks;
        this.clock = clock;
    }

    MaintenanceBody of(Maintenance maintenance) {
        return of(maintenance, maintenance.id(), null);
    }

    /** Returns the response to a dry run. */
    MaintenanceBody tried(Maintenance maintenance, EffectsBody effects) {
        return of(maintenance, null, effects);
    }

    private MaintenanceBody of(Maintenance maintenance, @Nullable UUID id, @Nullable EffectsBody effects) {
        long now = clock.instant().getEpochSecond();
        List<WindowBody> windows = IntStream.range(0, maintenance.planned().size())
                .filter(i -> maintenance.planned().get(i).start()
                                + maintenance.downtime().duration()
                        > now)
                .mapToObj(i -> window(maintenance, i, now))
                .toList();
        return new MaintenanceBody(
                id,
                maintenance.downtime().pes(),
                Texts.orNull(maintenance.downtime().peIds().map(PeSet::toString)),
                Texts.duration(maintenance.downtime().duration()),
                Texts.orNull(maintenance.downtime().reason()),
                RecurrenceBody.of(maintenance.recurrence()),
                windows,
                effects,
                Texts.instant(maintenance.createdAt()));
    }

    private WindowBody window(Maintenance maintenance, int number, long now) {
        var window = maintenance.planned().get(number);
        var state = state(maintenance, window, number);
        long horizon = desks.schedule(maintenance.cluster())
                .orElseThrow()
                .cluster()
                .policy()
                .horizon();
        long before = Math.min(window.start() - now, horizon);
        return new WindowBody(
                window.date().toString(),
                Texts.instant(window.start()),
                Texts.instant(window.start() + maintenance.downtime().duration()),
                state,
                state == WindowState.RECORDED ? maintenance.outage(window).value() : null,
                before > 0 && state != WindowState.LEFT_OUT ? Texts.duration(before) : null);
    }

    private WindowState state(Maintenance maintenance, Planned window, int number) {
        if (number >= maintenance.recorded()) {
            return WindowState.AHEAD;
        }
        return desks.schedule(maintenance.cluster())
                        .flatMap(schedule -> schedule.find(maintenance.outage(window)))
                        .isPresent()
                ? WindowState.RECORDED
                : WindowState.LEFT_OUT;
    }
}
