package berth.rest;

import berth.rest.Problem.FieldError;
import berth.sla.Money;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a request into core values and collects all that is wrong, so that a client hears of every
 * mistake at once. Instants and durations become whole seconds in the direction that never promises less than was
 * asked: ready times and durations are rounded up, deadlines down.
 */
final class Fields {

    private static final Pattern AMOUNT = Pattern.compile("\\d{1,15}(\\.\\d{1,6})?");
    private static final int MAX_LABEL = 200;

    private final List<FieldError> errors = new ArrayList<>();
    private ProblemCode code = ProblemCode.MALFORMED;

    /** Notes an error that lies in what the request means. */
    void invalid(String field, @Nullable Object value, String message) {
        code = ProblemCode.INVALID_TERMS;
        errors.add(new FieldError(field, shown(value), message));
    }

    private void malformed(String field, @Nullable Object value, String message) {
        errors.add(new FieldError(field, shown(value), message));
    }

    private static @Nullable Object shown(@Nullable Object value) {
        return value instanceof String text ? Texts.shown(text) : value;
    }

    /** @throws Problem if anything was wrong */
    void check() {
        if (!errors.isEmpty()) {
            throw new Problem(code, "Correct the fields named in errors and send the request again.", errors);
        }
    }

    /** Notes that a field is missing. */
    <T> T required(String field, @Nullable T value, T standIn) {
        if (value == null) {
            malformed(field, null, "is required");
            return standIn;
        }
        return value;
    }

    OptionalLong instantUp(String field, @Nullable String value) {
        return instant(field, value, time -> time.getNano() == 0 ? time.toEpochSecond() : time.toEpochSecond() + 1);
    }

    OptionalLong instantDown(String field, @Nullable String value) {
        return instant(field, value, OffsetDateTime::toEpochSecond);
    }

    private OptionalLong instant(String field, @Nullable String value, Function<OffsetDateTime, Long> seconds) {
        if (value == null) {
            return OptionalLong.empty();
        }
        try {
            var time = OffsetDateTime.parse(value);
            if (time.getYear() >= 1970 && time.getYear() <= 9999) {
                return OptionalLong.of(seconds.apply(time));
            }
        } catch (DateTimeException e) {
            // said below
        }
        malformed(field, value, "must be an instant with offset, such as 2027-01-31T14:00:00Z");
        return OptionalLong.empty();
    }

    OptionalLong durationUp(String field, @Nullable String value) {
        if (value == null) {
            return OptionalLong.empty();
        }
        try {
            var duration = Duration.parse(value);
            return OptionalLong.of(
                    duration.getNano() == 0 ? duration.toSeconds() : Math.addExact(duration.toSeconds(), 1));
        } catch (DateTimeException | ArithmeticException e) {
            malformed(
                    field, value, "must be an ISO 8601 duration in days, hours, minutes and seconds, such as PT1H30M");
            return OptionalLong.empty();
        }
    }

    Optional<Money> money(String field, @Nullable MoneyBody value) {
        if (value == null) {
            return Optional.empty();
        }
        var amount = amount(field + ".amount", value.amount());
        var currency = currency(field + ".currency", value.currency());
        if (amount.isEmpty() || currency.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Money(amount.get(), currency.get()));
        } catch (IllegalArgumentException e) {
            invalid(field, value, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** A decimal number in a string. */
    Optional<BigDecimal> amount(String field, @Nullable String value) {
        if (value == null) {
            malformed(field, null, "is required");
            return Optional.empty();
        }
        if (!AMOUNT.matcher(value).matches()) {
            malformed(field, value, "must be a decimal number of at most 15 digits, not negative, such as 12.50");
            return Optional.empty();
        }
        return Optional.of(new BigDecimal(value));
    }

    Optional<Currency> currency(String field, @Nullable String value) {
        if (value != null) {
            try {
                return Optional.of(Currency.getInstance(value));
            } catch (IllegalArgumentException e) {
                // said below
            }
        }
        malformed(field, value, "must be an ISO 4217 code, such as USD");
        return Optional.empty();
    }

    /** A text of the client's own, which is kept and shown again. */
    Optional<String> label(String field, @Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        boolean wellFormed = value.codePoints()
                .noneMatch(character ->
                        Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE);
        if (!wellFormed || value.isBlank() || value.length() > MAX_LABEL) {
            malformed(
                    field, value, "must have 1 to %d characters, none of them control characters".formatted(MAX_LABEL));
            return Optional.empty();
        }
        return Optional.of(value);
    }
}
