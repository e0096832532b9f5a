package berth.webhooks;

import berth.runtime.SettingChecks;
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
        SettingChecks.requirePositive("berth.webhooks.in-all", inAll);
        SettingChecks.requirePositive("berth.webhooks.per-account", perAccount);
    }
}
