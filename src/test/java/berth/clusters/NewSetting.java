package berth.clusters;

import berth.cluster.Cluster;
import berth.http.MergePatch;
import berth.http.Problem;
import berth.http.RecordForm;
import berth.http.SettingKind;
import berth.store.JournalFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/** Uses a setting that only the changed program has ({@link NewSettingTest}), and returns what came of it. */
public final class NewSetting implements Supplier<Map<String, String>> {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public Map<String, String> get() {
        var cluster = cluster("PT10M");
        var patched = new MergePatch(JSON)
                .apply(
                        JSON.readTree("{\"policy\":{\"limits\":{\"minDuration\":\"PT20M\"}}}"),
                        ClusterBody.of(cluster),
                        ClusterBody.class)
                .toCluster(1);
        var stored = JournalFormat.json(cluster);
        var setting = Objects.requireNonNull(
                RecordForm.settings(cluster.policy().limits().getClass()).get("minDuration"));
        return Map.of(
                "read", cluster.policy().limits().toString(),
                "rejected", rejected(),
                "patched", patched.policy().limits().toString(),
                "shown", JSON.writeValueAsString(ClusterBody.of(patched)),
                "stored", stored,
                "stored by default", JournalFormat.json(Cluster.of("x", 8)),
                "read again",
                        String.valueOf(JournalFormat.read(stored, Cluster.class).equals(cluster)),
                "documented", SettingKind.of(setting) + " " + setting.getAnnotations()[0]);
    }

    private static Cluster cluster(String minDuration) {
        return JSON.readValue(
                        "{\"id\":\"x\",\"pes\":8,\"policy\":{\"limits\":{\"minDuration\":\"%s\"}}}"
                                .formatted(minDuration),
                        ClusterBody.class)
                .toCluster(0);
    }

    private static String rejected() {
        try {
            return cluster("PT0S").toString();
        } catch (Problem e) {
            return e.errors().toString();
        }
    }
}
