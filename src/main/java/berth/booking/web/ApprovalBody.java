package berth.booking.web;

import berth.approval.Approval;
import berth.approval.Approval.Answer;
import berth.approval.Approval.Ask;
import berth.approval.ApprovalRule;
import berth.approval.Side;
import berth.http.RecordForm;
import berth.http.SettingsOf;
import berth.http.Texts;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The approval that a reservation needs, or needed before it was confirmed.
 *
 * @param asked the sides that must approve
 * @param expiresAt when the reservation expires unless all of them have approved
 */
@Schema(name = "Approval")
public record ApprovalBody(List<AskBody> asked, Instant expiresAt) {

    /**
     * A side that must approve a reservation.
     *
     * @param by the side
     * @param rule the rule that asks; null if the site's policy does
     * @param why the reason of the site's policy; null if a rule asks
     * @param decidedBy the account that approved or declined; null until then
     * @param decidedAt when it did so
     * @param reason what it said about it
     */
    @Schema(name = "AskedSide")
    record AskBody(
            Side by,
            @Nullable RuleBody rule,
            @Nullable String why,
            @Nullable String decidedBy,
            @Nullable Instant decidedAt,
            @Nullable String reason) {

        private static AskBody of(Ask ask) {
            return new AskBody(
                    ask.by(),
                    Texts.orNull(ask.rule().map(RuleBody::of)),
                    Texts.orNull(ask.why()),
                    Texts.orNull(ask.answer().map(answer -> answer.by().value())),
                    Texts.orNull(ask.answer().map(answer -> Texts.instant(answer.at()))),
                    Texts.orNull(ask.answer().flatMap(Answer::reason)));
        }
    }

    /**
     * The rule that asks for an approval.
     *
     * @param conditions its conditions, all of which hold
     */
    @Schema(name = "AskingRule")
    record RuleBody(
            @JsonAnyGetter @JsonAnySetter @SettingsOf(ApprovalRule.class)
            Map<String, JsonNode> conditions) {

        private static RuleBody of(ApprovalRule rule) {
            var conditions = new LinkedHashMap<String, JsonNode>();
            RecordForm.show(rule)
                    .properties()
                    .forEach(condition -> conditions.put(condition.getKey(), condition.getValue()));
            return new RuleBody(conditions);
        }
    }

    /** Returns the body of an approval. */
    public static ApprovalBody of(Approval approval) {
        return new ApprovalBody(
                approval.asked().stream().map(AskBody::of).toList(), Texts.instant(approval.expiresAt()));
    }
}
