package berth.projects.web;

import berth.approval.ApprovalRules;
import berth.http.Fields;
import berth.http.RecordForm;
import berth.http.SettingsOf;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Which reservations of a project its owners must approve before they are confirmed.
 *
 * @param settings the rules
 */
@Schema(name = "ProjectApproval", example = "{\"rules\":[{\"peHoursAbove\":500}],\"expires\":\"P2D\"}")
record ProjectApprovalBody(
        @JsonAnyGetter @SettingsOf(ApprovalRules.class) Map<String, JsonNode> settings) {

    @JsonCreator
    static ProjectApprovalBody sent(@JsonAnySetter @Nullable Map<String, JsonNode> settings) {
        return new ProjectApprovalBody(settings == null ? Map.of() : settings);
    }

    static ProjectApprovalBody of(ApprovalRules rules) {
        var settings = new LinkedHashMap<String, JsonNode>();
        RecordForm.show(rules).forEachEntry(settings::put);
        return new ProjectApprovalBody(settings);
    }

    /** Returns the rules. What is left out has its default. */
    ApprovalRules toRules(Fields fields) {
        var object = JsonNodeFactory.instance.objectNode().setAll(settings);
        RecordForm.require(ApprovalRules.class, object, "approval.");
        return RecordForm.read(object, ApprovalRules.NONE, fields.at("approval"));
    }
}
