package berth.rest;

import berth.availability.PeSet;
import berth.reservation.Lead;
import berth.rest.Problem.FieldError;
import berth.security.Project;
import berth.sla.InvalidFigure;
import berth.sla.Money;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a request into core values and collects all that is wrong, so that a client hears of every
 * mistake at once. Instants and durations become whole seconds in the direction that never promises less than was
 * asked: ready times and durations are rounded up, deadlines down.
 */
public final class Fields {

    private static final Pattern AMOUNT = Pattern.compile("\\d{1,15}(\\.\\d{1,6})?");
    /** As a set is as large as its highest number, this is not read without a bound. */
    private static final Pattern PE_IDS = Pattern.compile("\\d{1,8}(-\\d{1,8})?(,\\d{1,8}(-\\d{1,8})?)*+");

    private static final Pattern WHOLE = Pattern.compile("[1-9]\\d{0,7}");

    public static final int MAX_LABEL = 200;

    /** Of the year 9999, the last one that RFC 3339 can write. */
    private static final long LAST_SECOND =
            Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private final Object body;
    private final String path;
    private final Mistakes mistakes;

    /** All that is wrong with a request. */
    private static final class Mistakes {
        private final List<FieldError> errors = new ArrayList<>();
        private ProblemCode code = ProblemCode.MALFORMED;
    }

    /** @param body of the request, for the values that errors show */
    Fields(Object body) {
        this(body, "", new Mistakes());
    }

    private Fields(Object body, String path, Mistakes mistakes) {
        this.body = body;
        this.path = path;
        this.mistakes = mistakes;
    }

    /** The fields of a part of the same request, whose errors are collected with all others. */
    Fields at(String part) {
        return new Fields(body, path + part + ".", mistakes);
    }

    /** For the parameters of a call without a body. */
    Fields() {
        this(List.of());
    }

    /** Notes an error that lies in what the request means. */
    void invalid(String field, @Nullable Object value, String message) {
        mistakes.code = ProblemCode.INVALID_TERMS;
        mistakes.errors.add(new FieldError(path + field, shown(value), message));
    }

    /** Notes an error that lies in how the request is written. */
    void malformed(String field, @Nullable Object value, String message) {
        mistakes.errors.add(new FieldError(path + field, shown(value), message));
    }

    private static @Nullable Object shown(@Nullable Object value) {
        return value instanceof String text ? Texts.shown(text) : value;
    }

    boolean hasErrors() {
        return !mistakes.errors.isEmpty();
    }

    /** @throws Problem if anything was wrong */
    void check() {
        if (hasErrors()) {
            throw new Problem(
                    mistakes.code, "Correct the fields named in errors and send the request again.", mistakes.errors);
        }
    }

    /**
     * What the figures in these fields make, or the error that names the one that is out of range.
     *
     * @param prefix of the fields' paths
     */
    <T> T figures(String prefix, Supplier<T> made, T standIn) {
        try {
            return made.get();
        } catch (InvalidFigure e) {
            var field = prefix + e.field();
            invalid(field, RequestFields.value(body, path + field), e.rule());
            return standIn;
        }
    }

    /** Labels, none of whose values is missing. */
    Map<String, String> labels(String field, @Nullable Map<String, @Nullable String> value) {
        var labels = new HashMap<String, String>();
        if (value != null) {
            value.forEach((name, word) -> {
                if (word == null) {
                    malformed(field + "." + Texts.shown(name), null, "must be a text");
                } else {
                    labels.put(name, word);
                }
            });
        }
        return labels;
    }

    /** Notes that a field is missing. */
    <T> T required(String field, @Nullable T value, T standIn) {
        if (value == null) {
            malformed(field, null, "is required");
            return standIn;
        }
        return value;
    }

    /** The required field {@code id} of what is named by whoever makes it: a project, or a grant. */
    String newId(@Nullable String given) {
        var id = required("id", given, "none");
        if (!Project.isWellFormed(id)) {
            invalid(
                    "id",
                    id,
                    "must have 1 to 63 letters, digits, dots, hyphens and underscores, a letter or digit first");
        }
        return id;
    }

    /**
     * Reads each of a list that is required.
     *
     * @param read a body, and the path of its fields, with a point at its end
     * @throws Problem naming what is wrong with the first that is not well-formed: each of a long list may be wrong in the same way
     */
    <B, T> List<T> each(String field, @Nullable List<@Nullable B> bodies, BiFunction<B, String, T> read) {
        var values = new ArrayList<T>();
        for (var body : required(field, bodies, List.<@Nullable B>of())) {
            var path = "%s[%d]".formatted(field, values.size());
            if (body == null) {
                required(path, null, "");
            } else {
                values.add(read.apply(body, path + "."));
            }
            check();
        }
        check();
        return values;
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
            long second = seconds.apply(OffsetDateTime.parse(value));
            if (second >= 0 && second <= LAST_SECOND) {
                return OptionalLong.of(second);
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

    /** How long ahead starts and ends are announced, in seconds: a few leads, a minute to thirty days each. */
    Set<Long> leads(String field, @Nullable List<@Nullable String> value) {
        var ahead = new HashSet<Long>();
        var given = value == null ? List.<@Nullable String>of() : value;
        if (given.size() > Lead.MAX) {
            invalid(field, given.size(), "must be %d at the most".formatted(Lead.MAX));
            return ahead;
        }
        for (int i = 0; i < given.size(); i++) {
            var each = "%s[%d]".formatted(field, i);
            var seconds = durationUp(each, required(each, given.get(i), "PT1H"));
            if (seconds.isPresent() && (seconds.getAsLong() < Lead.SHORTEST || seconds.getAsLong() > Lead.LONGEST)) {
                invalid(each, given.get(i), "must lie between a minute and thirty days");
            }
            seconds.ifPresent(ahead::add);
        }
        return ahead;
    }

    /** A number of PEs that is the name of a field. */
    OptionalInt whole(String field, String value) {
        if (WHOLE.matcher(value).matches()) {
            return OptionalInt.of(Integer.parseInt(value));
        }
        malformed(field, null, "must be called by a number of PEs, such as 32");
        return OptionalInt.empty();
    }

    /**
     * How many PEs are meant: where that is left out, as many as are named.
     *
     * @param named as they were sent in {@code peIds}
     * @param ids as they were read
     */
    int pes(@Nullable Integer given, @Nullable String named, Optional<PeSet> ids) {
        return given == null && named != null ? ids.map(PeSet::size).orElse(1) : required("pes", given, 1);
    }

    /** PEs by their numbers, none of them more than a cluster can have. */
    Optional<PeSet> peIds(String field, @Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        try {
            if (PE_IDS.matcher(value).matches()) {
                return Optional.of(PeSet.parse(value));
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        malformed(field, value, "must be numbers and ranges of at most 8 digits, ascending, such as 0-31,40");
        return Optional.empty();
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

    /** One of the words of an enumeration, in a parameter. */
    <E extends Enum<E>> Optional<E> word(String field, @Nullable String value, Class<E> words) {
        if (value == null) {
            return Optional.empty();
        }
        var found = Arrays.stream(words.getEnumConstants())
                .filter(word -> word.name().equals(value))
                .findAny();
        if (found.isEmpty()) {
            malformed(field, value, "must be one of " + Arrays.toString(words.getEnumConstants()));
        }
        return found;
    }

    /** Whether a parameter says {@code true}; not, if it is left out. */
    boolean flag(String field, @Nullable String value) {
        if (value != null && !value.equals("true") && !value.equals("false")) {
            malformed(field, value, "must be true or false");
        }
        return "true".equals(value);
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
