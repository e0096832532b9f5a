package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void countsTheChecksThatHold() {
        assertThat(claim(3, 0).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(claim(2, 2).verdict()).isEqualTo(Verdict.PARTLY);
        assertThat(claim(1, 2).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(claim(0, 1).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(claim(0, 0).verdict()).isEqualTo(Verdict.NOT_CHECKABLE);
    }

    @Test
    void reportsTheFiguresOfFailedChecks() {
        var text = new StringWriter();
        ClaimReport.print(List.of(claim(2, 1)), new PrintWriter(text));

        assertThat(text.toString())
                .contains("004-C0  PARTLY         2 of 3 checks hold")
                .contains("rule:  it must")
                .contains("fails: check 2 (2 > 3, 4)")
                .doesNotContain("check 1");
    }

    @Test
    void tabulatesEveryCheck() {
        assertThat(ClaimReport.table(List.of(claim(1, 1))).lines())
                .containsExactly(
                        "claim,verdict,check,holds,figures",
                        "004-C0,PARTLY,check 0,true,\"0 > 3, 4\"",
                        "004-C0,PARTLY,check 1,false,\"1 > 3, 4\"");
    }

    private static PaperClaim claim(int holding, int failing) {
        List<Check> checks = new ArrayList<>();
        for (int i = 0; i < holding + failing; i++) {
            checks.add(new Check("check " + i, i < holding, i + " > 3, 4"));
        }
        return PaperClaim.of("004-C0", "It is so.", "it must", checks);
    }
}
