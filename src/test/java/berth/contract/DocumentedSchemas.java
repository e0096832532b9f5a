package berth.contract;

import static berth.contract.SchemaNames.names;

import berth.http.Patches;
import berth.http.RecordForm;
import berth.http.Required;
import berth.http.SettingKind;
import berth.http.SettingsOf;
import berth.sla.Settable;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.util.AnnotationsUtils;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the document's schemas describe the records. In a request, a {@code @Nullable} field may be left out, and no other fields may be
 * added. In a response, every field is present, and a {@code @Nullable} field may be null; if the record leaves nulls out, the field may be
 * missing instead. The schema of a record used in both makes only those promises that hold in both.
 */
final class DocumentedSchemas {

    private static final String PATCH = "Patch";

    /** The descriptions of settings that say more in one schema than their Javadoc, which is for all schemas. */
    private static final Map<String, String> DESCRIPTIONS = Map.of(
            "Reserve.project", "The project that the client files the reservation under.",
            "NewSeries.project", "The project that the client files the series under.",
            "Coallocate.project", "The project that the client files the runs under.",
            "Coallocate.name", "The client's own label, which the reservations get too.");

    private final Components components;

    /** The names of the schemas whose fields stand in others: alternatives that have been merged, records that are patched. */
    private final Set<String> copied = new LinkedHashSet<>();

    DocumentedSchemas(OpenAPI document) {
        this.components = document.getComponents();
    }

    /** Adds the schema of a type that no operation names. */
    static void add(Class<?> type, Components components) {
        ModelConverters.getInstance(true)
                .resolveAsResolvedSchema(new AnnotatedType(type).resolveAsRef(true))
                .referencedSchemas
                .forEach(components::addSchemas);
    }

    /** Returns a reference to the schema of a JSON merge patch for the record. */
    Schema<?> patchOf(Class<? extends Record> type) {
        var name = names.of(type) + PATCH;
        if (!components.getSchemas().containsKey(name)) {
            components.addSchemas(name, new JsonSchema());
        }
        if (!components.getSchemas().containsKey(names.of(type))) {
            // no other call has it
            add(type, components);
        }
        return reference(name);
    }

    void complete(OpenAPI document) {
        each((name, type) -> {
            if (type.isSealed()) {
                Arrays.stream(type.getPermittedSubclasses()).forEach(permitted -> add(permitted, components));
            }
        });
        each((name, type) -> addSettings(name, type));
        var sent = sent(document);
        each((name, type) -> complete(name, type, sent.contains(name)));
        each((name, type) -> {
            if (type.isSealed()) {
                mergeChoices(name, type);
            }
        });
        for (var name : List.copyOf(components.getSchemas().keySet())) {
            if (schema(name).getTypes() == null && name.endsWith(PATCH)) {
                completePatch(name, name.substring(0, name.length() - PATCH.length()));
            }
        }
        removeCopied(document);
    }

    private void each(BiConsumer<String, Class<?>> action) {
        List.copyOf(components.getSchemas().keySet())
                .forEach(name -> names.type(name).ifPresent(type -> action.accept(name, type)));
    }

    private void complete(String name, Class<?> type, boolean isSent) {
        if (type.isEnum()) {
            describeWords(type, schema(name));
        } else {
            var text = Prose.of(type);
            boolean isOfTheCore = !RecordForm.settings(type).isEmpty();
            schema(name).setDescription(isOfTheCore ? new Prose(text.firstSentence()).asSentence() : text.text());
            if (type.isRecord()) {
                describeFields(name, type, isSent);
            }
        }
    }

    private static void describeWords(Class<?> type, Schema<Object> schema) {
        var lines = new ArrayList<String>();
        lines.add(new Prose(Prose.of(type).firstSentence()).asSentence());
        lines.addAll(Prose.ofConstants(type));
        schema.setDescription(String.join("\n", lines));
    }

    /**
     * Replaces a choice between record types by one schema with the fields of all of them. Clients in most languages cannot tell the
     * alternatives apart, because the JSON does not name its type.
     */
    private void mergeChoices(String name, Class<?> type) {
        var choice = schema(name);
        var lines = new ArrayList<String>();
        lines.add(Prose.of(type).text());
        var all = new LinkedHashMap<String, Schema<Object>>();
        for (var permitted : type.getPermittedSubclasses()) {
            var part = names.of(permitted);
            var fields = fields(schema(part));
            lines.add(
                    "- %s: `%s`".formatted(Prose.of(permitted).firstSentence(), String.join("`, `", fields.keySet())));
            fields.forEach((word, field) -> all.merge(word, field, DocumentedSchemas::described));
            copied.add(part);
        }
        choice.setDescription(String.join("\n", lines));
        choice.setTypes(new LinkedHashSet<>(List.of("object")));
        setFields(choice, all);
    }

    /** Removes the schemas that became part of others, unless something else refers to one. */
    private void removeCopied(OpenAPI document) {
        var text = Json31.pretty(document);
        copied.stream()
                .filter(part -> !text.contains("\"%s%s\"".formatted(Components.COMPONENTS_SCHEMAS_REF, part)))
                .forEach(components.getSchemas()::remove);
    }

    private static Schema<Object> described(Schema<Object> field, Schema<Object> other) {
        field.setDescription(field.getDescription() + " " + other.getDescription());
        return field;
    }

    private void describeFields(String name, Class<?> type, boolean isSent) {
        var schema = schema(name);
        var fields = fields(schema);
        var required = new ArrayList<String>();
        describeFields(name, type, isSent, fields, required);
        setFields(schema, fields);
        schema.setTypes(new LinkedHashSet<>(List.of("object")));
        schema.setAllOf(null);
        schema.setRequired(required);
        if (isSent) {
            schema.setAdditionalProperties(false);
        }
        if (schema.getExample() != null) {
            schema.setExamples(List.of(schema.getExample()));
            schema.setExample(null);
            schema.setExampleSetFlag(false);
        }
    }

    /** Adds the settings of a core record to the schema of the type that has them, and the schemas of their own types. */
    private void addSettings(String name, Class<?> type) {
        for (var component : type.isRecord() ? type.getRecordComponents() : new RecordComponent[0]) {
            var settings = component.getAnnotation(SettingsOf.class);
            if (settings != null) {
                var schema = schema(name);
                var fields = fields(schema);
                fields.remove(component.getName());
                fields.putAll(settings(settings.value()));
                setFields(schema, fields);
                schema.setAdditionalProperties(null);
            } else if (isUnwrapped(component)) {
                var fields = fields(schema(name));
                fields.putAll(settings(component.getType()));
                setFields(schema(name), fields);
                addSettings(name, component.getType());
            }
        }
    }

    private Map<String, Schema<Object>> settings(Class<?> type) {
        var fields = new LinkedHashMap<String, Schema<Object>>();
        RecordForm.settings(type).forEach((name, setting) -> fields.put(name, setting(setting)));
        return fields;
    }

    private Schema<Object> setting(RecordComponent setting) {
        var part = SettingKind.part(setting);
        var schema = new JsonSchema();
        switch (SettingKind.of(setting)) {
            case TRUTH -> schema.addType("boolean");
            case WORD -> {
                add(part, components);
                schema.set$ref(names.of(part));
            }
            case RECORD -> schema.set$ref(nested(part));
            case RECORDS -> {
                schema.addType("array");
                schema.setItems(reference(nested(part)));
            }
            case ACCOUNTS -> {
                schema.addType("array");
                schema.setItems(new JsonSchema());
            }
            case LABELS -> {
                schema.addType("object");
                schema.setAdditionalProperties(new JsonSchema());
            }
            default -> {}
        }
        Vocabulary.of(setting).ifPresent(word -> word.accept(cast(schema)));
        return cast(schema);
    }

    /** Returns the name of the schema of a record in a setting, which it adds. */
    private String nested(Class<?> type) {
        var name = names.of(type);
        var schema = new JsonSchema();
        components.addSchemas(name, schema);
        setFields(cast(schema), settings(type));
        return name;
    }

    private void describeFields(
            String name, Class<?> type, boolean isSent, Map<String, Schema<Object>> fields, List<String> required) {
        boolean leavesSettingsOut = RecordForm.leavesNullsOut(type);
        RecordForm.settings(type).forEach((word, setting) -> {
            var field = Objects.requireNonNull(fields.get(word));
            field.setDescription(DESCRIPTIONS.getOrDefault(name + "." + word, description(setting)));
            boolean isRequired = setting.getAnnotation(Settable.class).isRequired();
            if (isRequired || !isSent && !leavesSettingsOut) {
                required.add(word);
            }
            fields.put(word, isRequired || leavesSettingsOut ? field : orNull(field));
        });
        var descriptions = Prose.ofComponents(type);
        for (var component : type.getRecordComponents()) {
            var settings = component.getAnnotation(SettingsOf.class);
            if (settings != null) {
                describeFields(name, settings.value(), isSent, fields, required);
            }
            if (settings != null || !RecordForm.settings(type).isEmpty()) {
                continue;
            }
            var named = component.getAccessor().getAnnotation(JsonProperty.class);
            var word = named == null ? component.getName() : named.value();
            if (isUnwrapped(component)) {
                describeFields(name, component.getType(), isSent, fields, required);
                copied.add(names.of(component.getType()));
                continue;
            }
            boolean leavesNullsOut = type.isAnnotationPresent(JsonInclude.class)
                    || component.getAccessor().isAnnotationPresent(JsonInclude.class);
            var field = field(name, component, Objects.requireNonNull(fields.get(word)));
            if (descriptions.containsKey(component.getName())) {
                field.setDescription(descriptions.get(component.getName()).asSentence());
            }
            boolean isRequired = isRequired(component);
            if (isRequired || !isSent && !leavesNullsOut) {
                required.add(word);
            }
            fields.put(word, isRequired || leavesNullsOut ? field : orNull(field));
        }
    }

    private static String description(RecordComponent setting) {
        return Prose.ofComponents(setting.getDeclaringRecord())
                .getOrDefault(setting.getName(), new Prose(""))
                .asSentence();
    }

    private static boolean isUnwrapped(RecordComponent component) {
        return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
    }

    private static boolean isRequired(RecordComponent component) {
        return component.isAnnotationPresent(Required.class)
                || !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private Schema<Object> field(String owner, RecordComponent component, Schema<Object> field) {
        var patched = component.getAnnotation(Patches.class);
        if (patched != null) {
            return cast(patchOf(patched.value()));
        }
        if (field.get$ref() == null) {
            Vocabulary.find(owner, component.getName()).ifPresent(word -> word.accept(field));
        }
        return field;
    }

    /** Fills the schema of a merge patch: every field of the patched record, with null for fields that may be removed. */
    private void completePatch(String name, String changed) {
        var patch = schema(name);
        var whole = schema(changed);
        var fields = new LinkedHashMap<String, Schema<Object>>();
        List<String> required = whole.getRequired() == null ? List.of() : whole.getRequired();
        fields(whole).forEach((field, value) -> {
            Schema<Object> copy = cast(AnnotationsUtils.clone(value, true));
            if (copy.getAdditionalProperties() instanceof Schema<?> entry) {
                entry.addType("null");
            }
            fields.put(field, required.contains(field) ? copy : orNull(copy));
        });
        patch.addType("object");
        patch.setDescription(
                "Changes to %s, as a JSON merge patch (RFC 7396): fields left out stay as they are, and null removes a value."
                        .formatted(changed));
        patch.setAdditionalProperties(false);
        setFields(patch, fields);
        copied.add(changed);
    }

    private static Schema<Object> orNull(Schema<Object> field) {
        if (field.get$ref() != null) {
            var either = new JsonSchema();
            either.setDescription(field.getDescription());
            either.setAnyOf(List.of(reference(field.get$ref()), new JsonSchema().types(Set.of("null"))));
            return either;
        }
        if (field.getAnyOf() != null) {
            addNullTo(field);
        } else if (field.getTypes() != null) {
            field.addType("null");
        }
        return field;
    }

    /** Adds null to a choice. The choice itself has no type; each of its alternatives has one. */
    private static void addNullTo(Schema<Object> choice) {
        var none = new JsonSchema().types(Set.of("null"));
        choice.setTypes(null);
        if (!choice.getAnyOf().contains(none)) {
            choice.addAnyOfItem(none);
        }
    }

    /** Returns the names of the schemas that requests use, directly or nested. */
    private Set<String> sent(OpenAPI document) {
        var found = new HashSet<String>();
        document.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .filter(operation -> operation.getRequestBody() != null)
                .flatMap(operation -> operation.getRequestBody().getContent().values().stream())
                .forEach(content -> collect(cast(content.getSchema()), found));
        return found;
    }

    private void collect(Schema<Object> schema, Set<String> found) {
        if (schema.get$ref() != null) {
            var name = schema.get$ref().substring(Components.COMPONENTS_SCHEMAS_REF.length());
            var whole = name.endsWith(PATCH) ? name.substring(0, name.length() - PATCH.length()) : name;
            if (found.add(whole)) {
                collect(schema(whole), found);
            }
        }
        if (schema.getItems() != null) {
            collect(cast(schema.getItems()), found);
        }
        fields(schema).values().forEach(field -> collect(field, found));
        if (schema.getAnyOf() != null) {
            schema.getAnyOf().forEach(choice -> collect(cast(choice), found));
        }
    }

    private Schema<Object> schema(String name) {
        return cast(Objects.requireNonNull(components.getSchemas().get(name), name));
    }

    private static Schema<Object> reference(String name) {
        return new JsonSchema().$ref(name);
    }

    /** Returns a copy of a schema's fields. The alternative of a choice has its fields in an {@code allOf} part. */
    private static Map<String, Schema<Object>> fields(Schema<Object> schema) {
        var fields = new LinkedHashMap<String, Schema<Object>>();
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, field) -> fields.put(name, cast(field)));
        }
        if (schema.getAllOf() != null) {
            schema.getAllOf().forEach(part -> fields.putAll(fields(cast(part))));
        }
        return fields;
    }

    private static void setFields(Schema<Object> schema, Map<String, Schema<Object>> fields) {
        schema.setProperties(new LinkedHashMap<>(fields));
    }

    /** Casts a schema, whose value type the model leaves open. */
    @SuppressWarnings("unchecked")
    private static Schema<Object> cast(Schema<?> schema) {
        return (Schema<Object>) schema;
    }
}
