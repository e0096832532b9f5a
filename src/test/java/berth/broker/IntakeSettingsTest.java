package berth.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.cluster.Intake;
import berth.cluster.IntakeOrder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class IntakeSettingsTest {

    private static Intake read(Map<String, Object> settings) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("settings", settings));
        return IntakeSettings.read(environment);
    }

    @Test
    void withoutSettingsEachRequestIsDecidedAsItComes() {
        assertThat(read(Map.of())).isEqualTo(Intake.STANDARD);
    }

    @Test
    void whatIsSetHolds() {
        assertThat(read(Map.of(
                        "berth.broker.intake.order", "DPSAR",
                        "berth.broker.intake.window", "PT10S",
                        "berth.broker.intake.levels", "4",
                        "berth.broker.intake.jobs-per-user", "7")))
                .isEqualTo(new Intake(IntakeOrder.DPSAR, 10, 4, 7));
        assertThat(read(Map.of("berth.broker.intake.window", "2m")).window()).isEqualTo(120);
    }

    @ParameterizedTest
    @CsvSource({
        "order, dpsar, must be one of",
        "window, soon, such as 10s",
        "window, 500ms, whole seconds",
        "window, PT2H, nor exceed an hour",
        "window, -1s, must not be negative",
        "levels, 1, between 2 and 10",
        "levels, many, whole number",
        "jobs-per-user, 0, between 1 and 1000"
    })
    void aWrongValueStopsTheStartAndNamesItself(String name, String value, String why) {
        var property = "berth.broker.intake." + name;

        assertThatThrownBy(() -> read(Map.of(property, value)))
                .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, refused -> {
                    assertThat(refused.getName()).isEqualTo(property);
                    assertThat(refused.getValue()).isEqualTo(value);
                    assertThat(refused.getReason()).contains(why);
                });
    }
}
