package berth.database;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a refused start in two sentences, the problem and what to do, instead of a stack trace. */
final class StartRefusedAnalyzer extends AbstractFailureAnalyzer<StartRefused> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartRefused refused) {
        return new FailureAnalysis(refused.getMessage(), refused.remedy(), refused);
    }
}
