package berth.service;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.io.Resource;
import org.springframework.web.servlet.resource.ResourceTransformer;
import org.springframework.web.servlet.resource.ResourceTransformerChain;
import org.springframework.web.servlet.resource.TransformedResource;

/**
 * Sends a module of the page together with all that it imports, because over a slow line a request for each module takes longer than their
 * text. {@code main.js} contains the libraries and what every view needs; all other modules come without these.
 *
 * <p>In a bundle each module is a function that returns its exports. It keeps its text, except for imports, exports and lines that are only
 * comments. The modules of the page write imports and exports in few ways, and import each other in no circle; nothing else is understood.
 */
final class ModuleBundles implements ResourceTransformer {

    private static final String MAIN = "main.js";

    /** The files of the libraries, by the names that modules import. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "htm", "lib/htm-3.1.1.min.js",
            "preact", "lib/preact-11.2.0.min.js",
            "preact/hooks", "lib/preact-hooks-11.2.0.min.js",
            "@preact/signals", "lib/preact-signals-2.11.4.min.js",
            "@preact/signals-core", "lib/preact-signals-core-1.14.5.min.js");

    /** Imports, and exports of what another module exports: at the start of a line, in a library also behind others. */
    private static final Pattern IMPORT =
            Pattern.compile("(?:^|(?<=;))(import|export) ?(\\{[^}]*}|\\w+) ?from ?\"([^\"]+)\";?", Pattern.MULTILINE);

    private static final Pattern LIST = Pattern.compile("(?<=[;}])export ?\\{([^}]*)};?");
    private static final Pattern DEFAULT = Pattern.compile("(?<=[;}])export default ");
    private static final Pattern DECLARATION =
            Pattern.compile("^export (?=(?:(?:async )?function|const|class) (\\w+))", Pattern.MULTILINE);
    private static final Pattern OTHER = Pattern.compile("^(import|export)\\b(?!\\().*", Pattern.MULTILINE);

    private static final Pattern COMMENT = Pattern.compile(
            "^ */\\*\\*[^*]*+(?:\\*(?!/)[^*]*+)*+\\*/\\n|^ *//.*\\n|//# sourceMappingURL=.*", Pattern.MULTILINE);

    /**
     * A module as a function.
     *
     * @param exports an expression for each exported name
     */
    private record Module(Set<String> imports, Map<String, String> exports, String function, long lastModified) {}

    /** The modules as they were read last, by their names. */
    private final Map<String, Module> read = new ConcurrentHashMap<>();

    @Override
    public Resource transform(HttpServletRequest request, Resource entry, ResourceTransformerChain chain)
            throws IOException {
        return bundle(entry);
    }

    /** Returns the bundle of a module, which is as old as the newest module that it depends on. */
    TransformedResource bundle(Resource entry) throws IOException {
        var name = String.valueOf(entry.getFilename());
        var all = new LinkedHashMap<String, Module>();
        collect(entry, MAIN, all);
        var known = name.equals(MAIN) ? Set.<String>of() : Set.copyOf(all.keySet());
        var module = collect(entry, name, all);
        var text = new StringBuilder(
                name.equals(MAIN) ? "export const modules = {};\n" : "import { modules } from \"./main.js\";\n");
        all.forEach((each, its) -> {
            if (!known.contains(each)) {
                // another bundle may have brought it
                text.append("modules[\"%s\"] ??= ".formatted(each)).append(its.function);
            }
        });
        if (!name.equals(MAIN)) {
            text.append("export const { %s } = modules[\"%s\"];\n"
                    .formatted(String.join(", ", module.exports.keySet()), name));
        }
        var changed = all.values().stream().mapToLong(Module::lastModified).max();
        return new TransformedResource(entry, text.toString().getBytes(StandardCharsets.UTF_8)) {
            @Override
            public long lastModified() {
                return changed.orElseThrow();
            }
        };
    }

    /** Returns a module, and adds it behind those that it imports. */
    private Module collect(Resource beside, String name, Map<String, Module> all) throws IOException {
        var there = all.get(name);
        if (there != null) {
            return there;
        }
        var file = beside.createRelative(LIBRARIES.getOrDefault(name, name));
        var module = read.get(name);
        if (module == null || module.lastModified != file.lastModified()) {
            module = read(file);
            read.put(name, module);
        }
        for (var each : module.imports) {
            collect(beside, each, all);
        }
        all.put(name, module);
        return module;
    }

    private static Module read(Resource file) throws IOException {
        var imports = new LinkedHashSet<String>();
        var exports = new LinkedHashMap<String, String>();
        var text =
                COMMENT.matcher(file.getContentAsString(StandardCharsets.UTF_8)).replaceAll("");
        text = IMPORT.matcher(text).replaceAll(found -> {
            var from = found.group(3).replaceFirst("^\\./", "");
            imports.add(from);
            var module = "modules[\"%s\"]".formatted(from);
            var names = found.group(2).startsWith("{") ? names(found.group(2)) : Map.of(found.group(2), "default");
            if (found.group(1).equals("export")) {
                names.forEach((name, theirs) -> exports.put(name, module + "." + theirs));
                return "";
            }
            var parts = names.entrySet().stream().map(each -> each.getValue() + ": " + each.getKey());
            return Matcher.quoteReplacement(
                    "const { %s } = %s;".formatted(parts.collect(Collectors.joining(", ")), module));
        });
        text = LIST.matcher(text).replaceAll(found -> {
            exports.putAll(names(found.group(1)));
            return "";
        });
        text = DEFAULT.matcher(text).replaceAll(found -> {
            exports.put("default", "byDefault");
            return "const byDefault = ";
        });
        text = DECLARATION.matcher(text).replaceAll(found -> {
            exports.put(found.group(1), found.group(1));
            return "";
        });
        var other = OTHER.matcher(text);
        if (other.find()) {
            throw new IllegalStateException("Berth cannot bundle this line of %s: %s".formatted(file, other.group()));
        }
        var parts = exports.entrySet().stream().map(each -> each.getKey() + ": " + each.getValue());
        var function = "(() => {\n%s\nreturn { %s };\n})();\n".formatted(text, parts.collect(Collectors.joining(", ")));
        return new Module(imports, exports, function, file.lastModified());
    }

    /** Returns the names that a list such as {@code {a, b as c}} gives, each with the name that it renames. */
    private static Map<String, String> names(String list) {
        var names = new LinkedHashMap<String, String>();
        for (var each : list.replaceAll("[{}]", "").split(",")) {
            var parts = each.strip().split(" as ");
            names.put(parts[parts.length - 1], parts[0]);
        }
        return names;
    }
}
