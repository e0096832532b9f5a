package berth.booking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class BrokerSettingsTest {

    private static BrokerSettings read(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate("berth", BrokerSettings.class);
    }

    @Test
    void withoutSettingsTheBrokerDecidesRequestsAtOnce() {
        assertThat(read(Map.of()).broker().intake().rules()).isEqualTo(Intake.STANDARD);
        assertThat(read(Map.of()).holds().times()).isEqualTo(new HoldTimes(60, 120, 30));
    }

    @Test
    void theBrokerUsesTheGivenSettings() {
        assertThat(read(Map.of(
                                "berth.broker.intake.order", "DPSAR",
                                "berth.broker.intake.window", "PT10S",
                                "berth.broker.intake.levels", "4",
                                "berth.broker.intake.jobs-per-user", "7"))
                        .broker()
                        .intake()
                        .rules())
                .isEqualTo(new Intake(IntakeOrder.DPSAR, 10, 4, 7));
    }

    @ParameterizedTest
    @CsvSource({
        "broker.intake.order, first, IntakeOrder.first",
        "broker.intake.window, soon, 'soon'",
        "broker.intake.window, 500ms, whole seconds",
        "broker.intake.window, PT2H, nor exceed 60 minutes",
        "broker.intake.window, -1s, must not be negative",
        "broker.intake.levels, 1, between 2 and 10",
        "broker.intake.levels, many, 'many'",
        "broker.intake.jobs-per-user, 0, between 1 and 1000",
        "holds.here, 80s, must be longer than the sum of berth.holds.elsewhere"
    })
    void aWrongValueStopsTheStartAndIsNamed(String name, String value, String why) {
        assertThatThrownBy(() -> read(Map.of("berth." + name, value)))
                .isInstanceOfSatisfying(
                        BindException.class,
                        refused -> assertThat("berth." + name)
                                .startsWith(refused.getName().toString()))
                .rootCause()
                .hasMessageContaining(why);
    }
}
