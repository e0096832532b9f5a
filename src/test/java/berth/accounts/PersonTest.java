package berth.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PersonTest {

    private static final Map<String, Object> CLAIMS = Map.of(
            "groups",
            List.of("/hpc/ml", "staff", "staff"),
            "group",
            "staff",
            "realm_access",
            Map.of("roles", List.of("berth-ops"), "a.b", Map.of("c", "deep")),
            "wlcg.groups",
            List.of("/wlcg"),
            "https://example.org/groups",
            List.of("namespaced"),
            "mixed",
            List.of("one", 2, List.of("three"), Map.of("four", 4), true),
            "number",
            7);

    @Test
    void groupsAreInAClaimOrInAFieldOfAnObject() {
        assertThat(Person.groups(CLAIMS, "groups")).isEqualTo(Set.of("/hpc/ml", "staff"));
        assertThat(Person.groups(CLAIMS, "group")).isEqualTo(Set.of("staff"));
        assertThat(Person.groups(CLAIMS, "realm_access.roles")).isEqualTo(Set.of("berth-ops"));
        assertThat(Person.groups(CLAIMS, "wlcg.groups")).isEqualTo(Set.of("/wlcg"));
        assertThat(Person.groups(CLAIMS, "https://example.org/groups")).isEqualTo(Set.of("namespaced"));
    }

    @Test
    void whatIsNoTextIsNoGroup() {
        assertThat(Person.groups(CLAIMS, "mixed")).isEqualTo(Set.of("one"));
        for (var path : List.of("number", "none", "realm_access", "realm_access.roles.x", "groups.0", ".", "..", "")) {
            assertThat(Person.groups(CLAIMS, path)).as(path).isEmpty();
        }
    }

    @Test
    void onlyAnAddressThatTheIssuerHasCheckedCounts() {
        var email = "zoe@example.org";

        assertThat(Person.email(Map.of("email", email, "email_verified", true))).contains(email);
        assertThat(Person.email(Map.of("email", email, "email_verified", "true")))
                .contains(email);
        for (var claims : List.<Map<String, Object>>of(
                Map.of("email", email),
                Map.of("email", email, "email_verified", false),
                Map.of("email", email, "email_verified", "yes"),
                Map.of("email", List.of(email), "email_verified", true),
                Map.of("email_verified", true))) {
            assertThat(Person.email(claims)).as("%s", claims).isEmpty();
        }
    }

    @Test
    void aNameHasNoCharactersThatControlHowTextIsShown() {
        assertThat(Person.name("  Zoë \u0000\n Ünal ")).contains("Zoë Ünal");
        assertThat(Person.name("evil\u202Enimda\u2028x\uD800y")).contains("evil nimda x y");
        assertThat(Person.name("山田 太郎 🙂")).contains("山田 太郎 🙂");
        assertThat(Person.name("🙂".repeat(500))).contains("🙂".repeat(Person.MAX_NAME));
        Stream.of("", " \t ", "\u202E", 7, List.of("Zoë"), Map.of(), null)
                .forEach(claim -> assertThat(Person.name(claim)).as("%s", claim).isEmpty());
    }
}
