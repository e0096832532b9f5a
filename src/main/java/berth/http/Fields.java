package berth.http;

import berth.availability.PeSet;
import berth.cluster.Cluster;
import berth.http.Problem.FieldError;
import berth.reservation.Lead;
import berth.sla.Components;
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
 * Reads the fields of a request into core values and collects all errors, so that the client learns of every mistake at once. Instants and
 * durations become whole seconds. Both ends of a window are rounded up, and durations too, so a window that is as long as the run stays so,
 * and no run begins before its ready time.
 */
public final class Fields {

    private static final Pattern AMOUNT = Pattern.compile("\\d{1,15}(\\.\\d{1,6})?");
    private static final Pattern PE_IDS = Pattern.compile("\\d{1,8}(-\\d{1,8})?(,\\d{1,8}(-\\d{1,8})?)*+");

    /** The most PEs that the sets of one request may span together, 16 MiB of memory: a few characters can name a range of any size. */
    private static final long MAX_SPANNED_PES = 1L << 27;

    private static final Pattern WHOLE = Pattern.compile("[1-9]\\d{0,7}");

    public static final int MAX_LABEL = 200;

    /** The last second of the year 9999, the last year that RFC 3339 can write. */
    public static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    private final Object body;
    private final String path;
    private final Mistakes mistakes;

    /** The errors of a request. */
    private static final class Mistakes {
        private final List<FieldError> errors = new ArrayList<>();
        private ProblemCode code = ProblemCode.MALFORMED;
        private long spannedPes;
    }

    /** @param body body of the request, for the values shown in errors */
    public Fields(Object body) {
        this(body, "", new Mistakes());
    }

    private Fields(Object body, String path, Mistakes mistakes) {
        this.body = body;
        this.path = path;
        this.mistakes = mistakes;
    }

    /** Returns the fields of a part of the same request. Their errors are collected with all others. */
    public Fields at(String part) {
        return new Fields(body, path + part + ".", mistakes);
    }

    /** Reads the parameters of a call without a body. */
    public Fields() {
        this(List.of());
    }

    /** Adds an error in the meaning of the request. */
    public void invalid(String field, @Nullable Object value, String message) {
        mistakes.code = ProblemCode.INVALID_TERMS;
        mistakes.errors.add(new FieldError(path + field, shown(value), message));
    }

    /** Adds an error in the form of the request. */
    public void malformed(String field, @Nullable Object value, String message) {
        mistakes.errors.add(new FieldError(path + field, shown(value), message));
    }

    private static @Nullable Object shown(@Nullable Object value) {
        return value instanceof String text ? Texts.shown(text) : value;
    }

    public boolean hasErrors() {
        return !mistakes.errors.isEmpty();
    }

    /**
     * Checks that no error was added.
     *
     * @throws Problem with all errors
     */
    public void check() {
        if (hasErrors()) {
            throw new Problem(
                    mistakes.code, "Correct the fields named in errors and send the request again.", mistakes.errors);
        }
    }

    /**
     * Returns what {@code made} returns. If a figure is out of range, adds an error that names its field and returns {@code standIn}.
     *
     * @param prefix prefix of the fields' paths
     */
    public <T extends @Nullable Object> T figures(String prefix, Supplier<T> made, T standIn) {
        try {
            return made.get();
        } catch (InvalidFigure e) {
            var field = prefix + e.field();
            invalid(field, RequestFields.value(body, path + field), e.rule());
            return standIn;
        }
    }

    /** Returns the labels. A value that is missing is an error. */
    public Map<String, String> labels(String field, @Nullable Map<String, @Nullable String> value) {
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

    /** Returns a record that was read as the client sent it, and adds an error for each of its settings that is out of bounds. */
    public <R extends Record> R checked(R sent) {
        RecordForm.settings(sent.getClass()).forEach((name, setting) -> {
            var value = Components.value(setting, sent);
            if (value instanceof Optional<?> text) {
                label(name, (String) text.orElse(null));
            } else {
                Components.broken(setting, value)
                        .ifPresent(rule -> invalid(name, RequestFields.value(body, path + name), rule));
            }
        });
        return sent;
    }

    /** Returns the value. If it is missing, adds an error and returns {@code standIn}. */
    public <T extends @Nullable Object> T required(String field, @Nullable T value, T standIn) {
        if (value == null) {
            malformed(field, null, "is required");
            return standIn;
        }
        return value;
    }

    /**
     * Reads each element of a required list.
     *
     * @param read reads an element, given its body and the path of its fields, which ends with a dot
     * @throws Problem with the errors of the first invalid element only, because every element of a long list may have the same error
     */
    public <B, T> List<T> each(String field, @Nullable List<@Nullable B> bodies, BiFunction<B, String, T> read) {
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

    public OptionalLong instantUp(String field, @Nullable String value) {
        return instant(field, value, time -> time.getNano() == 0 ? time.toEpochSecond() : time.toEpochSecond() + 1);
    }

    public OptionalLong instantDown(String field, @Nullable String value) {
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
            // reported below
        }
        malformed(field, value, "must be an instant with offset, such as 2027-01-31T14:00:00Z");
        return OptionalLong.empty();
    }

    public OptionalLong durationUp(String field, @Nullable String value) {
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

    /**
     * Reads leads, in seconds: how long before starts and ends announcements are sent. There may be a few, each a minute to thirty days.
     */
    public Set<Long> leads(String field, @Nullable List<@Nullable String> value) {
        var ahead = new HashSet<Long>();
        var given = value == null ? List.<@Nullable String>of() : value;
        if (given.size() > Lead.MAX) {
            invalid(field, given.size(), "must be at most %d".formatted(Lead.MAX));
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

    /** Reads a number of PEs. */
    public OptionalInt number(String field, String value) {
        if (WHOLE.matcher(value).matches()) {
            return OptionalInt.of(Integer.parseInt(value));
        }
        malformed(field, value, "must be a number of PEs, such as 32");
        return OptionalInt.empty();
    }

    /** Reads a number of PEs that is the name of a field. */
    public OptionalInt whole(String field, String value) {
        if (WHOLE.matcher(value).matches()) {
            return OptionalInt.of(Integer.parseInt(value));
        }
        malformed(field, null, "must have a number of PEs as its name, such as 32");
        return OptionalInt.empty();
    }

    /**
     * Returns the number of PEs. If it is left out, returns the number of PEs in {@code ids}.
     *
     * @param named {@code peIds} as sent
     * @param ids {@code peIds} as read
     */
    public int pes(@Nullable Integer given, @Nullable String named, Optional<PeSet> ids) {
        return given == null && named != null ? ids.map(PeSet::size).orElse(1) : required("pes", given, 1);
    }

    /** Reads PEs by number. No number may exceed what a cluster can have, and all sets of a request have a bound together. */
    public Optional<PeSet> peIds(String field, @Nullable String value) {
        if (value == null) {
            return Optional.empty();
        }
        if (mistakes.spannedPes > MAX_SPANNED_PES) {
            invalid(
                    field,
                    value,
                    "is one set of PEs too many: those of a request may span %d PEs together; send fewer"
                            .formatted(MAX_SPANNED_PES));
            return Optional.empty();
        }
        try {
            if (PE_IDS.matcher(value).matches()) {
                var pes = PeSet.parse(value, Cluster.MAX_PES);
                mistakes.spannedPes += pes.span();
                return Optional.of(pes);
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        malformed(
                field,
                value,
                "must be numbers and ranges below %d, ascending, such as 0-31,40".formatted(Cluster.MAX_PES));
        return Optional.empty();
    }

    public Optional<Money> money(String field, @Nullable MoneyBody value) {
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

    /** Reads a decimal number in a string. */
    public Optional<BigDecimal> amount(String field, @Nullable String value) {
        if (value == null) {
            malformed(field, null, "is required");
            return Optional.empty();
        }
        if (!AMOUNT.matcher(value).matches()) {
            malformed(
                    field,
                    value,
                    "must be a decimal number that is not negative and has at most 15 digits, such as 12.50");
            return Optional.empty();
        }
        return Optional.of(new BigDecimal(value));
    }

    public Optional<Currency> currency(String field, @Nullable String value) {
        if (value != null) {
            try {
                return Optional.of(Currency.getInstance(value));
            } catch (IllegalArgumentException e) {
                // reported below
            }
        }
        malformed(field, value, "must be an ISO 4217 code, such as USD");
        return Optional.empty();
    }

    /** Reads a parameter whose value is a constant of an enumeration. */
    public <E extends Enum<E>> Optional<E> word(String field, @Nullable String value, Class<E> words) {
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

    /** Returns whether a parameter is {@code true}; if it is left out, returns {@code false}. */
    public boolean flag(String field, @Nullable String value) {
        if (value != null && !value.equals("true") && !value.equals("false")) {
            malformed(field, value, "must be true or false");
        }
        return "true".equals(value);
    }

    /** Reads a text that the client chooses freely and that Berth stores and returns. */
    public Optional<String> label(String field, @Nullable String value) {
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
