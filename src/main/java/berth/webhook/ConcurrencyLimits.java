package berth.webhook;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The operator's limits on concurrent messages.
 *
 * @param inAll for all accounts together
 * @param perAccount for each account
 */
record ConcurrencyLimits(int inAll, int perAccount) {

    /** @throws InvalidConfigurationPropertyValueException if one of them is less than 1, which would stop all messages */
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
