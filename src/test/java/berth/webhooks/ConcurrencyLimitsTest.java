package berth.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

class ConcurrencyLimitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 16, berth.webhooks.in-all, 0",
        "-5, 16, berth.webhooks.in-all, -5",
        "512, 0, berth.webhooks.per-account, 0",
        "512, -2147483648, berth.webhooks.per-account, -2147483648",
    })
    void limitsBelowOneAreRejected(int inAll, int perAccount, String setting, String value) {
        assertThatThrownBy(() -> new WebhookConfiguration().messagesAtOnce(inAll, perAccount))
                .isInstanceOf(InvalidConfigurationPropertyValueException.class)
                .hasMessage("Property %s with value '%s' is invalid: It must be at least 1.".formatted(setting, value));
    }

    @Test
    void limitsOfOneAreAccepted() {
        assertThat(new WebhookConfiguration().messagesAtOnce(1, 1)).isEqualTo(new ConcurrencyLimits(1, 1));
    }
}
