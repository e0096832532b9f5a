package berth.runtime;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Checks of the values of settings. */
public final class SettingChecks {

    private SettingChecks() {}

    /** @throws InvalidConfigurationPropertyValueException if the value is less than 1 */
    public static void requirePositive(String setting, int value) {
        if (value < 1) {
            throw new InvalidConfigurationPropertyValueException(setting, value, "It must be at least 1.");
        }
    }

    /** @throws InvalidConfigurationPropertyValueException if the value is not a whole number from 1 to {@code max} */
    public static void requireUpTo(String setting, int max, String value) {
        if (!value.matches("[1-9]\\d{0,8}") || Integer.parseInt(value) > max) {
            throw new InvalidConfigurationPropertyValueException(
                    setting, value, "It must be a whole number from 1 to %d.".formatted(max));
        }
    }

    /** @throws InvalidConfigurationPropertyValueException if the value is neither {@code true} nor {@code false} */
    public static void requireTrueOrFalse(String setting, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new InvalidConfigurationPropertyValueException(setting, value, "It must be true or false.");
        }
    }
}
