package berth.webhook;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * How many messages may be on their way at one time, as an operator sets it.
 *
 * @param inAll of all accounts together
 * @param perAccount of each
 */
record ConcurrencyLimits(int inAll, int perAccount) {

    /** @throws InvalidConfigurationPropertyValueException if one of them is less than 1: nothing would ever be told */
    ConcurrencyLimits {
        requirePositive("berth.webhooks.in-all", inAll);
        requirePositive("berth.webhooks.per-account", perAccount);
    }

    private static void requirePositive(String setting, int value) {
        if (value < 1) {
            throw new InvalidConfigurationPropertyValueException(setting, value, "It must be at least 1.");
        }
    }
}
