package berth.sla;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Copies records, and checks them against the bounds that {@link Settable} gives. */
public final class Components {

    /** The most decimals of a figure. */
    public static final int MAX_DECIMALS = 6;

    private static final long DAY = 24 * 3600;

    private static final ClassValue<Type> TYPES = new ClassValue<>() {
        @Override
        @SuppressWarnings("unchecked")
        protected Type computeValue(Class<?> type) {
            return Type.of((Class<? extends Record>) type);
        }
    };

    private Components() {}

    /** A record type, with what reflection finds slowly. */
    private record Type(Constructor<?> constructor, List<Component> components, Map<String, Component> byName) {

        static Type of(Class<? extends Record> type) {
            var components =
                    Arrays.stream(type.getRecordComponents()).map(Component::of).toList();
            var types = Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            try {
                var constructor = type.getDeclaredConstructor(types);
                constructor.setAccessible(true);
                return new Type(
                        constructor,
                        components,
                        components.stream().collect(Collectors.toMap(Component::name, component -> component)));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("Every record has a constructor with its components.", e);
            }
        }
    }

    /**
     * A component.
     *
     * @param setting the name that clients use
     */
    private record Component(
            String name,
            String setting,
            Method accessor,
            Optional<BigDecimal> min,
            Optional<BigDecimal> max,
            String rule) {

        static Component of(RecordComponent component) {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            var setting = Optional.ofNullable(component.getAnnotation(Settable.class));
            return new Component(
                    component.getName(),
                    setting.map(Settable::name).filter(name -> !name.isEmpty()).orElse(component.getName()),
                    accessor,
                    setting.map(Settable::min).filter(min -> !min.isEmpty()).map(BigDecimal::new),
                    setting.map(Settable::max).filter(max -> !max.isEmpty()).map(BigDecimal::new),
                    setting.map(given -> rule(given, component.getType())).orElse(""));
        }

        private static String rule(Settable setting, Class<?> type) {
            boolean isDuration = type == long.class || type == OptionalLong.class;
            var rule = isDuration
                    ? duration(setting)
                    : "must lie between %s and %s".formatted(setting.min(), setting.max());
            return setting.hint().isEmpty() ? rule : rule + "; " + setting.hint();
        }

        private static String duration(Settable setting) {
            boolean mayBeZero = setting.min().equals("0");
            if (setting.max().isEmpty()) {
                return mayBeZero ? "must not be negative" : "must be longer than zero";
            }
            long most = Long.parseLong(setting.max());
            var words = most % DAY == 0 ? number(most / DAY, "day") : number(most / 60, "minute");
            return (mayBeZero ? "must not be negative, nor exceed " : "must be longer than zero and at most ") + words;
        }

        private static String number(long number, String unit) {
            return "%d %s%s".formatted(number, unit, number == 1 ? "" : "s");
        }

        Optional<String> broken(BigDecimal figure) {
            boolean isInside = min.stream().allMatch(least -> figure.compareTo(least) >= 0)
                    && max.stream().allMatch(most -> figure.compareTo(most) <= 0);
            return isInside ? Optional.empty() : Optional.of(rule);
        }
    }

    /**
     * Returns a copy of a record in which one component has another value.
     *
     * @throws InvalidFigure as the constructor of the record does
     */
    @SuppressWarnings("unchecked")
    static <R extends Record> R with(R record, String name, Object value) {
        var type = (Class<R>) record.getClass();
        var changed = component(type, name);
        return make(
                type,
                TYPES.get(type).components.stream()
                        .map(component -> component == changed ? value : value(component.accessor, record))
                        .toArray());
    }

    /**
     * Makes a record.
     *
     * @param values the values of all its components, in order
     * @throws InvalidFigure as the constructor of the record does
     */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R make(Class<R> type, @Nullable Object... values) {
        try {
            return (R) TYPES.get(type).constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException wrong ? wrong : new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A constructor that is accessible can be called.", e);
        }
    }

    /** Returns the value of a component. */
    public static Object value(RecordComponent component, Record record) {
        return value(component(component.getDeclaringRecord(), component.getName()).accessor, record);
    }

    private static Object value(Method accessor, Record record) {
        try {
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Every component of a record can be read.", e);
        }
    }

    /** Returns the name under which clients set a component. */
    public static String name(RecordComponent component) {
        return component(component.getDeclaringRecord(), component.getName()).setting;
    }

    /**
     * Returns the value, if it is within the bounds of its component; a decimal number without zeros at its end, so that equal figures make
     * equal records.
     *
     * @throws InvalidFigure if it is not
     */
    @SuppressWarnings("unchecked")
    public static <T> T checked(Class<? extends Record> type, String name, T value) {
        var component = component(type, name);
        broken(component, value).ifPresent(rule -> {
            throw new InvalidFigure(
                    component.setting,
                    number(value).<Object>map(figure -> figure).orElse(value),
                    rule);
        });
        return value instanceof BigDecimal figure ? (T) stripped(figure) : value;
    }

    /** Returns the rule that a value breaks, if it is out of the bounds of its component. */
    public static Optional<String> broken(RecordComponent component, Object value) {
        return broken(component(component.getDeclaringRecord(), component.getName()), value);
    }

    private static Optional<String> broken(Component component, Object value) {
        return number(value)
                .flatMap(component::broken)
                .or(() -> value instanceof BigDecimal figure && stripped(figure).scale() > MAX_DECIMALS
                        ? Optional.of("must have at most %d decimals".formatted(MAX_DECIMALS))
                        : Optional.empty());
    }

    /** Returns a number without zeros behind its last decimal. */
    public static BigDecimal stripped(BigDecimal figure) {
        var stripped = figure.stripTrailingZeros();
        return stripped.setScale(Math.max(0, stripped.scale()));
    }

    private static Optional<BigDecimal> number(Object value) {
        return switch (value) {
            case BigDecimal figure -> Optional.of(figure);
            case Integer whole -> Optional.of(BigDecimal.valueOf(whole));
            case Long whole -> Optional.of(BigDecimal.valueOf(whole));
            case OptionalInt whole when whole.isPresent() -> Optional.of(BigDecimal.valueOf(whole.getAsInt()));
            case OptionalLong whole when whole.isPresent() -> Optional.of(BigDecimal.valueOf(whole.getAsLong()));
            case Optional<?> given
            when given.isPresent() && given.get() instanceof BigDecimal figure -> Optional.of(figure);
            default -> Optional.empty();
        };
    }

    private static Component component(Class<?> type, String name) {
        var component = TYPES.get(type).byName.get(name);
        if (component == null) {
            throw new IllegalArgumentException("%s has no component %s.".formatted(type, name));
        }
        return component;
    }
}
