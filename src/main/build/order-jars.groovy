// Puts the nested jars with the most classes first in the jars of this build. Spring Boot's loader asks one jar after the other for each class,
// and Spring Boot's plugin sorts them by name. docs/adr/0055-a-light-start.md has the gain.
import java.util.zip.ZipEntry
import java.util.zip.ZipFile
import java.util.zip.ZipOutputStream

def classes = project.artifacts.findAll { it.file.name.endsWith('.jar') }.collectEntries { artifact ->
    new ZipFile(artifact.file).withCloseable { jar -> [artifact.file.name, jar.entries().count { it.name.endsWith('.class') }] }
}

['berth.jar', 'berth-lab.jar'].each { name ->
    def given = new File(project.build.directory, name)
    def ordered = new File(project.build.directory, name + '.ordered')
    new ZipFile(given).withCloseable { jar ->
        def entries = jar.entries().toList()
        def (libraries, others) = entries.split { it.name ==~ 'BOOT-INF/lib/.+' }
        libraries.sort { -classes.getOrDefault(it.name - 'BOOT-INF/lib/', 0) }
        def index = libraries.collect { "- \"${it.name}\"\n" }.join().getBytes('UTF-8')
        new ZipOutputStream(ordered.newOutputStream()).withCloseable { out ->
            (others + libraries).each { entry ->
                def copy = new ZipEntry(entry)
                boolean isIndex = entry.name == 'BOOT-INF/classpath.idx'
                if (entry.method == ZipEntry.DEFLATED) copy.compressedSize = -1
                if (isIndex) copy.size = index.length
                out.putNextEntry(copy)
                isIndex ? out.write(index) : jar.getInputStream(entry).withCloseable { it.transferTo(out) }
                out.closeEntry()
            }
        }
    }
    java.nio.file.Files.move(ordered.toPath(), given.toPath(), java.nio.file.StandardCopyOption.REPLACE_EXISTING)
}
