# The jar is built and taken apart here; nothing of this stage is in the image but what is copied from it.
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml LICENSE THIRD-PARTY.txt ./
COPY src/main src/main
# the downloads outlive the build; the tests are the business of mvn verify
RUN --mount=type=cache,target=/root/.m2 mvn -B -ntp -Prelease package -Dmaven.test.skip=true
# One directory for each layer. The embedded PostgreSQL is large and changes with its own version alone, so it gets one
# too; the jar's class path finds it in lib all the same. Native libraries for other processors stay behind: Java skips what
# its class path names and is not there.
RUN java -Djarmode=tools -jar target/berth.jar extract --layers --destination layers \
    && mkdir -p layers/postgresql/lib \
    && mv layers/dependencies/lib/embedded-postgres-binaries-*.jar layers/postgresql/lib/ \
    && case "$(uname -m)" in \
         x86_64) rm -f layers/postgresql/lib/*-linux-arm64v8-*.jar ;; \
         aarch64) rm -f layers/postgresql/lib/*-linux-amd64-*.jar layers/dependencies/lib/ortools-linux-x86-64-*.jar ;; \
       esac

FROM eclipse-temurin:25-jre AS service
# the number is fixed, for directories of the host that are mounted; the name is wanted by the embedded PostgreSQL
RUN groupadd --gid 10001 berth \
    && useradd --uid 10001 --gid berth --no-create-home --home-dir /var/lib/berth --shell /usr/sbin/nologin berth \
    && install --directory --owner berth --group berth --mode 700 /var/lib/berth
WORKDIR /opt/berth
# what changes least comes first: a change of Berth alone is a change of the last layer
COPY --from=build /build/layers/postgresql/ ./
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./

# One start, and what Java learns from it: the classes as they are loaded and linked, and which methods are worth
# compiling. It is made by the service's own user, since the embedded PostgreSQL refuses root, and belongs to root then.
# The heap is bounded: its size decides how long an address is, and the cache is for short ones.
FROM service AS start
USER 10001:10001
RUN BERTH_DATA_DIR=/tmp/first java -Xmx512m -XX:+UseParallelGC -XX:MaxNewSize=160m -XX:+UseCompactObjectHeaders \
    -XX:AOTCacheOutput=/tmp/berth.aot -Dspring.context.exit=onRefresh -jar berth.jar

FROM service
COPY --from=start /tmp/berth.aot ./
USER 10001:10001
ENV BERTH_DATA_DIR=/var/lib/berth
VOLUME /var/lib/berth
EXPOSE 8080
# a Java of its own, small and untouched by what is set for the service; it reads SERVER_PORT as the service does
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m --retries=3 \
    CMD ["env", "-u", "JDK_JAVA_OPTIONS", "-u", "JAVA_TOOL_OPTIONS", \
         "java", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", "berth.jar", "health"]
# The heap gets a share of the container's memory; the rest is for threads, classes and the embedded PostgreSQL. Out of
# memory, Berth ends at once, to be started again. More flags go to JDK_JAVA_OPTIONS, subcommands after the image's name.
# A cache that does not fit the flags is not used; that single entries of it are not is nobody's business.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=60", "-XX:+ExitOnOutOfMemoryError", \
    "-XX:+UseParallelGC", "-XX:MaxNewSize=160m", "-XX:+UseCompactObjectHeaders", "-XX:AOTCache=/opt/berth/berth.aot", "-Xlog:aot*=error", \
    "-jar", "berth.jar"]
