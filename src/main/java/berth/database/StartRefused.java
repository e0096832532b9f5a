package berth.database;

/** Berth refuses to start; the message says why and {@link #remedy} what to do. */
public sealed class StartRefused extends RuntimeException permits DataDirectory.InUse {

    private final String remedy;

    public StartRefused(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
