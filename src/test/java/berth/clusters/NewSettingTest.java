package berth.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import berth.ChangedProgram;
import berth.ChangedProgram.Edit;
import berth.scheduling.ShortRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds a setting to the rules of a cluster: the shortest run. These edits are all that it takes for the setting to be read, checked, patched,
 * shown, stored and documented; {@code openapi/berth.yaml} is then written again.
 */
@Tag("full")
class NewSettingTest {

    private static final String LIMITS = "src/main/java/berth/cluster/Limits.java";

    private static final List<Edit> EDITS = List.of(
            // its description
            Edit.of(LIMITS, "* @param maxDuration", "* @param minDuration the shortest run\n * @param maxDuration"),
            // the setting with its bounds
            Edit.of(LIMITS, "@Settable(min = \"1\", example = \"P7D\") OptionalLong maxDuration,", """
                    @Settable(min = "1", max = "86400", example = "PT5M") OptionalLong minDuration,
                    @Settable(min = "1", example = "P7D") OptionalLong maxDuration,
                    """),
            // its default
            Edit.of(
                    LIMITS,
                    "new Limits( 0, OptionalLong.empty(),",
                    "new Limits(0, OptionalLong.empty(), OptionalLong.empty(),"),
            // the check of its bounds
            Edit.of(LIMITS, "checked(Limits.class, \"maxDuration\", maxDuration);", """
                    checked(Limits.class, "maxDuration", maxDuration);
                    checked(Limits.class, "minDuration", minDuration);
                    """),
            // the rule
            Edit.of("src/main/java/berth/scheduling/TermsRule.java", "return least <= most", """
                    long shortest = cluster.policy().limits().minDuration().orElse(0);
                    if (least < shortest) {
                        return Optional.of(Rejection.InvalidTerms.of(
                                "duration", "must be at least %d s on this cluster".formatted(shortest)));
                    }
                    return least <= most"""),
            // the news
            Edit.of(
                    "CHANGELOG.md",
                    "## Unreleased",
                    "## Unreleased\n\n- New: `policy.limits.minDuration`, the shortest run.\n"));

    @Test
    void aSettingOfAClusterIsWrittenInSixPlaces(@TempDir Path directory) throws Exception {
        assumeThat(Files.isDirectory(Path.of("src/main/java/berth")))
                .as("whether the sources are there")
                .isTrue();
        assertThat(EDITS).hasSizeLessThanOrEqualTo(6);
        var changed = ChangedProgram.load(directory, EDITS);

        Map<String, String> came = result(changed, NewSetting.class);

        assertThat(came.get("read")).contains("minDuration=OptionalLong[600]");
        assertThat(came.get("rejected"))
                .isEqualTo("[FieldError[field=policy.limits.minDuration, value=PT0S,"
                        + " message=must be longer than zero and at most 1 day]]");
        assertThat(came.get("patched")).contains("minDuration=OptionalLong[1200]");
        assertThat(came.get("shown")).contains("\"minDuration\":\"PT20M\"");
        assertThat(came.get("stored")).contains("\"minDuration\":600");
        assertThat(came.get("stored by default")).doesNotContain("minDuration");
        assertThat(came.get("read again")).isEqualTo("true");
        assertThat(came.get("documented")).startsWith("DURATION ").contains("example=\"PT5M\"");
        assertThat(NewSettingTest.result(changed, ShortRun.class)).isEqualTo("duration");
    }

    @SuppressWarnings("unchecked")
    private static <T> T result(ClassLoader changed, Class<? extends Supplier<T>> type) throws Exception {
        return ((Supplier<T>) changed.loadClass(type.getName())
                        .getDeclaredConstructor()
                        .newInstance())
                .get();
    }
}
