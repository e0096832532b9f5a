package berth;

public final class Berth {
    private Berth() {}

    public static void main(String[] args) {}
}
