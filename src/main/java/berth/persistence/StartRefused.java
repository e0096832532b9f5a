package berth.persistence;

/** Berth will not serve in this state of affairs; the message says why, {@link #remedy} what to do. */
public sealed class StartRefused extends RuntimeException permits DataDirectory.InUse {

    private final String remedy;

    StartRefused(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
