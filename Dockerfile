# This stage builds and unpacks the jar. The image contains only the files that later stages copy from it.
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /build
COPY pom.xml LICENSE THIRD-PARTY.txt ./
COPY openapi/berth.yaml openapi/berth.yaml
COPY src/main src/main
# the cache keeps Maven's downloads for the next build; tests run in mvn verify, not here
RUN --mount=type=cache,target=/root/.m2 mvn -B -ntp -Prelease package -Dmaven.test.skip=true
# One directory for each layer. The embedded PostgreSQL is large and changes only with its own version, so it gets a layer of
# its own; Java still finds it in lib. Native libraries for other processors are deleted: Java skips entries of the class path
# that do not exist.
RUN java -Djarmode=tools -jar target/berth.jar extract --layers --destination layers \
    && mkdir -p layers/postgresql/lib \
    && mv layers/dependencies/lib/embedded-postgres-binaries-*.jar layers/postgresql/lib/ \
    && case "$(uname -m)" in \
         x86_64) rm -f layers/postgresql/lib/*-linux-arm64v8-*.jar ;; \
         aarch64) rm -f layers/postgresql/lib/*-linux-amd64-*.jar ;; \
       esac

FROM eclipse-temurin:25-jre AS service
# a fixed user id, so that a mounted directory of the host can belong to it; the embedded PostgreSQL needs a user with a name
RUN groupadd --gid 10001 berth \
    && useradd --uid 10001 --gid berth --no-create-home --home-dir /var/lib/berth --shell /usr/sbin/nologin berth \
    && install --directory --owner berth --group berth --mode 700 /var/lib/berth
WORKDIR /opt/berth
# layers that change least come first: a change to Berth changes only the last layer
COPY --from=build /build/layers/postgresql/ ./
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./
COPY bin/berth bin/berth

# Starts Berth once to make an AOT cache: the loaded and linked classes, and the methods worth compiling. The user is the
# service's, because the embedded PostgreSQL refuses root.
FROM service AS start
USER 10001:10001
RUN mkdir /tmp/cache && bin/berth --make-cache /tmp/cache

FROM service
COPY --from=start /tmp/cache/*.aot ./
USER 10001:10001
ENV BERTH_DATA_DIR=/var/lib/berth
VOLUME /var/lib/berth
EXPOSE 8080
# a separate, small Java without the service's Java options; like the service, it reads SERVER_PORT
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m --retries=3 \
    CMD ["env", "-u", "JDK_JAVA_OPTIONS", "-u", "JAVA_TOOL_OPTIONS", \
         "java", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", "berth.jar", "health"]
# The heap gets a share of the container's memory; the rest is for threads, classes and the embedded PostgreSQL. Put more flags
# into JDK_JAVA_OPTIONS, and subcommands after the image's name.
ENTRYPOINT ["/opt/berth/bin/berth", "-XX:MaxRAMPercentage=60"]
