package berth.service;

import berth.database.InstanceMode;
import berth.database.StartRefused;
import berth.instances.SharedInstance;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The settings below {@code berth.instances}.
 *
 * @param mode how many instances may use the database at a time
 * @param url the URL at which the other instances reach this one; its machine's name and port if empty
 * @param lease how long the active instance may be silent before the others take its place
 */
@ConfigurationProperties("berth.instances")
record InstanceSettings(
        @DefaultValue("ONE") InstanceMode mode,
        @DefaultValue("") String url,
        @DefaultValue("5s") Duration lease) {

    /** The names of version 0.1.0, each with its present name. */
    private static final Map<String, String> FORMER_NAMES = new TreeMap<>(Map.of(
            "berth.instances", "berth.instances.mode",
            "berth.instance.url", "berth.instances.url",
            "berth.lease", "berth.instances.lease"));

    /** @throws IllegalArgumentException if the lease is too short */
    InstanceSettings {
        if (lease.compareTo(SharedInstance.SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("The lease must be at least three seconds.");
        }
    }

    /**
     * Checks that no setting has its former name, under which it would be ignored.
     *
     * @throws StartRefused if one has
     */
    static void requirePresentNames(Environment environment) {
        var renamed = FORMER_NAMES.entrySet().stream()
                .filter(name -> StringUtils.hasText(environment.getProperty(name.getKey())))
                .map(name -> "%s is now called %s.".formatted(both(name.getKey()), both(name.getValue())))
                .collect(Collectors.joining(" "));
        if (!renamed.isEmpty()) {
            throw new StartRefused(renamed, "Give the same value under the new name, and remove the old one.");
        }
    }

    /** Returns the variable that sets a setting, and its name in files and options. */
    private static String both(String name) {
        return "%s (%s)".formatted(name.toUpperCase(Locale.ROOT).replace('.', '_'), name);
    }
}
