package berth.sla;

/** Texts of clients and of other programs, as Berth can store and show them. */
public final class Excerpt {

    private Excerpt() {}

    /**
     * Returns the beginning of a text. It never ends within a character, and has a question mark for each character that PostgreSQL does not
     * store: NUL, and half of a surrogate pair.
     *
     * @param most the most characters (Unicode code points), at least 0
     */
    public static String of(String text, int most) {
        return text.codePoints()
                .limit(most)
                .map(character ->
                        character == 0 || Character.getType(character) == Character.SURROGATE ? '?' : character)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
