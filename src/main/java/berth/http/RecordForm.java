package berth.http;

import berth.cluster.HostList;
import berth.cluster.Nodes;
import berth.sla.AccountName;
import berth.sla.Components;
import berth.sla.Inline;
import berth.sla.LeavesOutEmpty;
import berth.sla.Settable;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and shows the settings of core records as JSON. A record is an object with a field for each {@link Settable} component, those
 * of its {@link Inline} records included; {@link SettingKind} has the form of each.
 *
 * <p>A field that is missing or null has the value of a standard record. So a request may leave fields out, and a merge patch that removes a
 * field restores its default.
 */
public final class RecordForm {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** What a component that is optional has if it is left out and there is no standard. */
    private static final Map<Class<?>, Object> LEFT_OUT = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty());

    /** Finding the annotations takes longer than reading a small object. */
    private static final ClassValue<Map<String, RecordComponent>> SETTINGS = new ClassValue<>() {
        @Override
        protected Map<String, RecordComponent> computeValue(Class<?> type) {
            return settingsOf(type);
        }
    };

    private RecordForm() {}

    /** Returns the settings of a type by the names that clients use, in the order in which they are shown; none if it has no settings. */
    public static Map<String, RecordComponent> settings(Class<?> type) {
        return SETTINGS.get(type);
    }

    private static Map<String, RecordComponent> settingsOf(Class<?> type) {
        var settings = new LinkedHashMap<String, RecordComponent>();
        for (var component : type.isRecord() ? type.getRecordComponents() : new RecordComponent[0]) {
            if (component.isAnnotationPresent(Inline.class)) {
                settings.putAll(settings(component.getType()));
            } else if (component.isAnnotationPresent(Settable.class)) {
                settings.put(Components.name(component), component);
            }
        }
        return Collections.unmodifiableMap(settings);
    }

    /** Whether objects of a type leave out what is empty; in the others it is null. */
    public static boolean leavesNullsOut(Class<?> type) {
        return type.isAnnotationPresent(LeavesOutEmpty.class);
    }

    /**
     * Checks that an object has only fields of the type, and that each has a value of its form, or null.
     *
     * @throws Problem naming the first field that is unknown or has another form
     */
    public static void require(Class<?> type, ObjectNode object) {
        require(type, object, "");
    }

    /**
     * Checks an object in a request as {@link #require(Class, ObjectNode)}.
     *
     * @param path the path of the object with a dot behind it
     */
    public static void require(Class<?> type, ObjectNode object, String path) {
        mistake(type, object, path).ifPresent(mistake -> {
            throw mistake;
        });
    }

    private static Optional<Problem> mistake(Class<?> type, JsonNode object, String path) {
        var settings = settings(type);
        return object.properties().stream()
                .flatMap(field -> {
                    var name = path + Texts.shown(field.getKey());
                    var setting = settings.get(field.getKey());
                    return (setting == null
                                    ? Optional.of(
                                            ProblemHandler.unknownField(name, RequestFields.shown(field.getValue())))
                                    : mistake(setting, field.getValue(), name))
                            .stream();
                })
                .findFirst();
    }

    private static Optional<Problem> mistake(RecordComponent setting, JsonNode value, String path) {
        var kind = SettingKind.of(setting);
        if (value.isNull()) {
            return Optional.empty();
        } else if (!kind.fits(value)) {
            return Optional.of(wrong(
                    path, value, kind == SettingKind.WORD ? words(setting) : ProblemHandler.form(kind.written())));
        }
        return switch (kind) {
            case WORD ->
                word(setting, value).isEmpty() ? Optional.of(wrong(path, value, words(setting))) : Optional.empty();
            case LABELS ->
                value.properties().stream()
                        .filter(label -> !label.getValue().isNull() && !SettingKind.MONEY.fits(label.getValue()))
                        .map(label -> wrong(
                                path + "." + Texts.shown(label.getKey()),
                                label.getValue(),
                                ProblemHandler.form(String.class)))
                        .findFirst();
            case ACCOUNTS -> {
                var names = new ArrayList<Optional<Problem>>();
                for (var name : value.values()) {
                    names.add(
                            name.isString()
                                    ? Optional.empty()
                                    : Optional.of(wrong(
                                            "%s[%d]".formatted(path, names.size()),
                                            name,
                                            ProblemHandler.form(String.class))));
                }
                yield names.stream().flatMap(Optional::stream).findFirst();
            }
            case RECORD -> mistake(setting.getType(), value, path + ".");
            case RECORDS -> {
                var items = new ArrayList<Optional<Problem>>();
                for (var item : value.values()) {
                    var each = "%s[%d]".formatted(path, items.size());
                    items.add(
                            SettingKind.RECORD.fits(item)
                                    ? mistake(SettingKind.part(setting), item, each + ".")
                                    : item.isNull()
                                            ? Optional.empty()
                                            : Optional.of(wrong(each, item, ProblemHandler.form(Record.class))));
                }
                yield items.stream().flatMap(Optional::stream).findFirst();
            }
            default -> Optional.empty();
        };
    }

    private static Problem wrong(String path, JsonNode value, String form) {
        return Problem.field(ProblemCode.MALFORMED, path, RequestFields.shown(value), form);
    }

    private static String words(RecordComponent setting) {
        return ProblemHandler.words(SettingKind.part(setting));
    }

    private static Optional<Object> word(RecordComponent setting, JsonNode value) {
        return Arrays.<Object>stream(SettingKind.part(setting).getEnumConstants())
                .filter(word -> word.toString().equals(value.asString()))
                .findAny();
    }

    /** Returns what can be read of an object from another Berth, which may have fields that are unknown here or have another form. */
    public static ObjectNode readable(Class<?> type, JsonNode told) {
        var readable = JSON.objectNode();
        settings(type).forEach((name, setting) -> {
            var value = told.path(name);
            if (SettingKind.of(setting) == SettingKind.RECORD && value.isObject()) {
                readable.set(name, readable(setting.getType(), value));
            } else if (!value.isMissingNode()
                    && !value.isNull()
                    && mistake(setting, value, name).isEmpty()) {
                readable.set(name, value);
            } else if (!leavesNullsOut(type)) {
                readable.putNull(name);
            }
        });
        return readable;
    }

    /**
     * Reads a record from an object that has only fields of its type, each in its form.
     *
     * @param standard the values of the fields that are missing or null, and of the components that are no settings
     * @param fields collects the values that are out of bounds or break another rule of the record
     * @return the record; if anything was wrong, the standard instead of the record concerned
     */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R read(ObjectNode object, R standard, Fields fields) {
        return (R) Objects.requireNonNull(read(standard.getClass(), object, standard, fields, ""));
    }

    private static @Nullable Record read(
            Class<? extends Record> type, JsonNode object, @Nullable Record standard, Fields fields, String path) {
        var components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        boolean isWhole = true;
        for (int i = 0; i < components.length; i++) {
            var otherwise = standard == null ? null : Components.value(components[i], standard);
            var value = value(components[i], object, otherwise, fields, path);
            isWhole &= value.isPresent();
            values[i] = value.orElse(null);
        }
        return isWhole ? fields.figures(path, () -> Components.make(type, values), standard) : standard;
    }

    /** Returns the value of a component; empty if what was sent is wrong, or required and missing. */
    private static Optional<Object> value(
            RecordComponent component, JsonNode object, @Nullable Object standard, Fields fields, String path) {
        if (component.isAnnotationPresent(Inline.class)) {
            var part = component.getType().asSubclass(Record.class);
            return Optional.ofNullable(read(part, object, (Record) standard, fields, path));
        }
        var name = path + Components.name(component);
        var sent = object.path(Components.name(component));
        if (!component.isAnnotationPresent(Settable.class) || sent.isMissingNode() || sent.isNull()) {
            var left = standard == null ? LEFT_OUT.get(component.getType()) : standard;
            if (left == null) {
                fields.malformed(name, null, "is required");
            }
            return Optional.ofNullable(left);
        }
        var value = parsed(component, sent, standard, fields, name);
        var broken = value.flatMap(figure -> Components.broken(component, figure));
        broken.ifPresent(rule -> fields.invalid(name, RequestFields.shown(sent), rule));
        return broken.isPresent() ? Optional.empty() : value;
    }

    private static Optional<Object> parsed(
            RecordComponent setting, JsonNode sent, @Nullable Object standard, Fields fields, String path) {
        return switch (SettingKind.of(setting)) {
            case WHOLE -> Optional.of(optional(setting, sent.decimalValue().intValueExact(), OptionalInt::of));
            case NUMBER -> Optional.of(sent.decimalValue());
            case TRUTH -> Optional.of(sent.booleanValue());
            case WORD -> word(setting, sent).map(word -> optional(setting, word));
            case TEXT -> fields.label(path, sent.asString()).map(Optional::of);
            case LETTERS -> Optional.of(sent.asString());
            case DURATION -> {
                var seconds = fields.durationUp(path, sent.asString());
                yield seconds.isEmpty()
                        ? Optional.empty()
                        : Optional.of(optional(setting, seconds.getAsLong(), OptionalLong::of));
            }
            case MONEY -> fields.amount(path, text(sent)).map(amount -> optional(setting, amount));
            case CURRENCY -> fields.currency(path, sent.asString()).map(currency -> currency);
            case NODES -> {
                var names = fields.figures("", () -> Nodes.expanded(sent.asString()), List.<String>of());
                yield names.isEmpty() ? Optional.empty() : Optional.of(names);
            }
            case LABELS -> {
                var labels = new LinkedHashMap<String, @Nullable String>();
                sent.properties().forEach(label -> labels.put(label.getKey(), text(label.getValue())));
                yield Optional.of(fields.labels(path, labels));
            }
            case ACCOUNTS -> {
                var names = new ArrayList<AccountName>();
                for (var name : sent.values()) {
                    fields.label("%s[%d]".formatted(path, names.size()), name.asString())
                            .map(AccountName::new)
                            .ifPresent(names::add);
                }
                yield names.size() < sent.size()
                        ? Optional.empty()
                        : Optional.of(names.stream().distinct().toList());
            }
            case RECORD ->
                Optional.ofNullable(
                        read(setting.getType().asSubclass(Record.class), sent, (Record) standard, fields, path + "."));
            case RECORDS -> {
                var type = SettingKind.part(setting).asSubclass(Record.class);
                var records = new ArrayList<@Nullable Record>();
                for (var item : sent.values()) {
                    var each = "%s[%d]".formatted(path, records.size());
                    var required = fields.required(each, item.isNull() ? null : item, null);
                    records.add(required == null ? null : read(type, required, null, fields, each + "."));
                }
                yield records.contains(null) ? Optional.empty() : Optional.of(List.copyOf(records));
            }
        };
    }

    private static Object optional(RecordComponent setting, Object value) {
        return setting.getType() == Optional.class ? Optional.of(value) : value;
    }

    private static <T> Object optional(RecordComponent setting, T value, Function<T, Object> present) {
        return setting.getType().isPrimitive() ? value : present.apply(value);
    }

    private static @Nullable String text(JsonNode value) {
        return value.isNull() ? null : value.isNumber() ? NumberOrText.text(value.decimalValue()) : value.asString();
    }

    /** Returns a record as clients read it. */
    public static ObjectNode show(Record record) {
        var shown = JSON.objectNode();
        show(record, shown, leavesNullsOut(record.getClass()));
        return shown;
    }

    private static void show(Record record, ObjectNode to, boolean leavesNullsOut) {
        for (var component : record.getClass().getRecordComponents()) {
            var value = Components.value(component, record);
            if (component.isAnnotationPresent(Inline.class)) {
                show((Record) value, to, leavesNullsOut);
            } else if (component.isAnnotationPresent(Settable.class)) {
                var node = node(SettingKind.of(component), value);
                if (!leavesNullsOut || !node.isNull()) {
                    to.set(Components.name(component), node);
                }
            }
        }
    }

    private static JsonNode node(SettingKind kind, Object value) {
        return switch (value) {
            case Optional<?> label -> text(label.map(String::valueOf).orElse(null));
            case OptionalInt number -> number.isPresent() ? JSON.numberNode(number.getAsInt()) : JSON.nullNode();
            case OptionalLong seconds -> text(Texts.duration(seconds));
            case Integer number -> JSON.numberNode(number);
            case Long seconds -> text(Texts.duration(seconds));
            case BigDecimal amount when kind == SettingKind.MONEY -> text(amount.toPlainString());
            case BigDecimal number -> JSON.numberNode(number);
            case Boolean truth -> JSON.booleanNode(truth);
            case Currency currency -> text(currency.getCurrencyCode());
            case Record part -> show(part);
            case Map<?, ?> labels -> {
                var shown = JSON.objectNode();
                new TreeMap<>(labels).forEach((name, label) -> shown.put(String.valueOf(name), String.valueOf(label)));
                yield shown;
            }
            case List<?> records
            when kind == SettingKind.RECORDS -> {
                var shown = JSON.arrayNode();
                records.forEach(each -> shown.add(show((Record) each)));
                yield shown;
            }
            case List<?> accounts
            when kind == SettingKind.ACCOUNTS -> {
                var shown = JSON.arrayNode();
                accounts.forEach(each -> shown.add(String.valueOf(each)));
                yield shown;
            }
            case List<?> names ->
                text(
                        names.isEmpty()
                                ? null
                                : HostList.foldInOrder(
                                        names.stream().map(String::valueOf).toList()));
            default -> text(value.toString());
        };
    }

    private static JsonNode text(@Nullable String text) {
        return text == null ? JSON.nullNode() : JSON.stringNode(text);
    }
}
