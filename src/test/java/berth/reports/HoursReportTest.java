package berth.reports;

import static org.assertj.core.api.Assertions.assertThat;

import berth.time.Slot;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoursReportTest {

    private static final Capacity.Step QUARTER = new Capacity.Step(900, 0, 900, 0);

    private static HoursReport.HoursBody hours(String from, int steps, String zone) {
        long start = Instant.parse(from).getEpochSecond();
        var asked = new Asked(List.of(), new Slot(start, start + steps * HoursReport.STEP), Optional.empty(), true);
        var figures = new Capacity.Step[steps];
        java.util.Arrays.fill(figures, QUARTER);
        return HoursReport.body(asked, ZoneId.of(zone), figures, null);
    }

    private static double booked(HoursReport.HoursBody body, int weekday, int hour) {
        return body.hours().get(weekday * 24 + hour).booked().doubleValue();
    }

    /** 29 November 2026 is a Sunday. */
    @Test
    void aQuarterBelongsToTheHourOfItsZone() {
        var kathmandu = hours("2026-11-29T18:00:00Z", 4, "Asia/Kathmandu");

        assertThat(booked(kathmandu, 6, 23)).isEqualTo(0.25);
        assertThat(booked(kathmandu, 0, 0)).isEqualTo(0.75);
        assertThat(booked(hours("2026-11-29T18:00:00Z", 4, "UTC"), 6, 18)).isEqualTo(1);
    }

    /** At 3:00 on 25 October 2026, clocks in Berlin go back to 2:00. */
    @Test
    void theHourThatComesTwiceCountsTwice() {
        var berlin = hours("2026-10-24T22:00:00Z", 25 * 4, "Europe/Berlin");

        assertThat(booked(berlin, 6, 2)).isEqualTo(2);
        assertThat(booked(berlin, 6, 3)).isEqualTo(1);
        assertThat(booked(berlin, 0, 0)).isZero();
    }
}
