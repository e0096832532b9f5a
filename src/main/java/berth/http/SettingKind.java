package berth.http;

import berth.sla.AccountName;
import berth.sla.Settable;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** How clients write a {@link Settable} component; it follows from the type of the component. */
public enum SettingKind {
    WHOLE(Integer.class),
    NUMBER(BigDecimal.class),
    TRUTH(Boolean.class),
    WORD(Enum.class),
    /** A text that the client chooses freely. */
    TEXT(String.class),
    /** A word that the client chooses. */
    LETTERS(String.class),
    /** A text in ISO 8601 for a number of seconds. */
    DURATION(String.class),
    /** A text, so that no reader of JSON rounds it; a number is read as well. */
    MONEY(String.class),
    CURRENCY(String.class),
    /** A list of nodes in Slurm's notation. */
    NODES(String.class),
    /** The names of accounts. */
    ACCOUNTS(List.class),
    LABELS(Map.class),
    RECORD(Record.class),
    RECORDS(List.class);

    private static final Map<Class<?>, SettingKind> BY_TYPE = Map.of(
            int.class, WHOLE,
            OptionalInt.class, WHOLE,
            BigDecimal.class, NUMBER,
            boolean.class, TRUTH,
            long.class, DURATION,
            OptionalLong.class, DURATION,
            Optional.class, TEXT,
            String.class, LETTERS,
            Currency.class, CURRENCY,
            Map.class, LABELS);

    private final Class<?> written;

    SettingKind(Class<?> written) {
        this.written = written;
    }

    /** Returns the kind of a {@link Settable} component. */
    public static SettingKind of(RecordComponent setting) {
        var type = setting.getType();
        if (part(setting).isEnum()) {
            return WORD;
        } else if (type.isRecord()) {
            return RECORD;
        } else if (type == List.class) {
            return part(setting) == AccountName.class ? ACCOUNTS : part(setting).isRecord() ? RECORDS : NODES;
        } else if (setting.getAnnotation(Settable.class).isMoney()) {
            return MONEY;
        }
        var kind = BY_TYPE.get(type);
        if (kind == null) {
            throw new IllegalArgumentException("Clients cannot write a %s, as %s is.".formatted(type, setting));
        }
        return kind;
    }

    /** Returns the type of a component, of the items of a list, or of what an optional value may be. */
    public static Class<?> part(RecordComponent setting) {
        return setting.getGenericType() instanceof ParameterizedType list
                        && list.getActualTypeArguments()[0] instanceof Class<?> item
                ? item
                : setting.getType();
    }

    /** Whether a value that is not null has the form of this kind. */
    boolean fits(JsonNode value) {
        return switch (this) {
            case WHOLE -> value.isNumber() && WholeNumbers.isWhole(value.decimalValue());
            case NUMBER -> value.isNumber();
            case TRUTH -> value.isBoolean();
            case WORD, TEXT, LETTERS, DURATION, CURRENCY, NODES -> value.isString();
            case MONEY -> value.isString() || value.isNumber();
            case LABELS, RECORD -> value.isObject();
            case ACCOUNTS, RECORDS -> value.isArray();
        };
    }

    /** Returns the type whose form the values have. */
    Class<?> written() {
        return written;
    }
}
