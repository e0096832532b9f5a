package berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.database.InstanceMode;
import berth.database.StartRefused;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class InstanceSettingsTest {

    @Test
    void aFormerNameIsRefusedWithThePresentOne() {
        assertThatThrownBy(() -> InstanceSettings.requirePresentNames(variables(Map.of(
                        "BERTH_INSTANCES", "MANY", "BERTH_INSTANCE_URL", "http://10.0.0.7:8080", "BERTH_LEASE", "9s"))))
                .isInstanceOf(StartRefused.class)
                .hasMessage(
                        "BERTH_INSTANCE_URL (berth.instance.url) is now called BERTH_INSTANCES_URL (berth.instances.url)."
                                + " BERTH_INSTANCES (berth.instances) is now called BERTH_INSTANCES_MODE (berth.instances.mode)."
                                + " BERTH_LEASE (berth.lease) is now called BERTH_INSTANCES_LEASE (berth.instances.lease).");
    }

    @Test
    void presentNamesAndEmptyVariablesAreAllowed() {
        assertThatCode(() -> InstanceSettings.requirePresentNames(variables(Map.of(
                        "BERTH_INSTANCES_MODE", "MANY",
                        "BERTH_INSTANCES_URL", "http://10.0.0.7:8080",
                        "BERTH_INSTANCES_LEASE", "9s",
                        "BERTH_INSTANCE_URL", ""))))
                .doesNotThrowAnyException();
    }

    @Test
    void theServiceDoesNotStartWithAFormerNameAndOpensNothing(@TempDir Path directory) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(PersistenceConfiguration.class)
                        .run("--berth.data-dir=" + directory, "--berth.instances=MANY"))
                .hasMessageContaining("BERTH_INSTANCES (berth.instances) is now called BERTH_INSTANCES_MODE");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aShortLeaseIsRefused() {
        assertThatThrownBy(() -> new InstanceSettings(InstanceMode.MANY, "", Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The lease must be at least three seconds.");
    }

    private static Environment variables(Map<String, Object> given) {
        var environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, given));
        ConfigurationPropertySources.attach(environment);
        return environment;
    }
}
