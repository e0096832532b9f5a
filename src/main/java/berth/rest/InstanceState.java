package berth.rest;

import berth.desk.Instance;

/** What an instance does. */
public enum InstanceState {
    /** Passes calls on to the active one, and takes its place when that ends. */
    STANDBY,
    /** Decides. */
    ACTIVE,
    /** Ends, and lets another one decide. */
    LEAVING;

    static InstanceState of(Instance.State state) {
        return switch (state) {
            case STANDBY -> STANDBY;
            case ACTIVE -> ACTIVE;
            case LEAVING -> LEAVING;
        };
    }
}
