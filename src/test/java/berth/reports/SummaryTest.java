package berth.reports;

import static org.assertj.core.api.Assertions.assertThat;

import berth.engine.ReportRecords.EventSum;
import berth.scheduling.Event.Type;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SummaryTest {

    private static final Currency USD = Currency.getInstance("USD");

    private static EventSum sum(Type type, boolean isFirst, long number, String price, String credit) {
        return new EventSum(0, type, isFirst, number, Optional.of(USD), new BigDecimal(price), new BigDecimal(credit));
    }

    private static Summary summary(Type... types) {
        var summary =
                new Summary(new Slot(0, 3600), new Capacity.Step(7200, 3600, 1800, 900), true, OptionalLong.of(2));
        for (var type : types) {
            summary.add(sum(type, false, 3, "10.00", "1.00"));
        }
        return summary;
    }

    /** The sums by the hour of deleted events have all types, with the price of the reservation at that time. */
    @Test
    void onlyEndsCountAsRevenue() {
        var body = summary(Type.STARTED, Type.CLAIMED, Type.MOVED, Type.HELD, Type.CONFIRMED, Type.RENEGOTIATED)
                .body();

        assertThat(body.revenue()).isEmpty();
        assertThat(body.credits()).isEmpty();
        assertThat(body.moves()).isEqualTo(3);
        assertThat(body.accepted()).isZero();
    }

    @Test
    void firstEventsAreAcceptedRequests() {
        var summary = summary(Type.CONFIRMED);
        summary.add(sum(Type.HELD, true, 6, "8.00", "0"));

        assertThat(summary.body().accepted()).isEqualTo(6);
        assertThat(summary.body().requests()).isEqualTo(8);
        assertThat(summary.body().acceptance()).isEqualTo(0.75);
    }

    @Test
    void whatIsTakenOffLaterMayExceedTheRevenue() {
        var summary = summary();
        summary.add(sum(Type.COMPLETED, false, 1, "2.00", "0"));
        summary.add(sum(Type.RETURN_CREDITED, false, 1, "-2.50", "0"));

        assertThat(summary.body().revenue().getFirst().amount()).isEqualTo("-0.50");
        assertThat(summary.body().slaCompliance()).isEqualTo(1);
    }

    @Test
    void sharesReferToThePesInService() {
        assertThat(summary().body().bookedShare()).isEqualTo(0.5);
        assertThat(summary().body().usedShare()).isEqualTo(0.25);
    }
}
