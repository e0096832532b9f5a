#!/usr/bin/env bash
# Makes calls to a running service, at a given rate or as fast as it responds, and prints how long they took:
#
#   src/test/load/load.sh --call probe@200 --call reserve@700 --token-file data/admin.token
#   src/test/load/load.sh --help
#
# Wants a built checkout: it is berth.load in the tests, with the libraries of target/berth.jar.
set -euo pipefail

root=$(cd "$(dirname "$0")/../../.." && pwd)
[[ -e $root/target/berth.jar && -d $root/target/test-classes/berth/load ]] || { echo 'Build Berth first: mvn package -DskipTests' >&2; exit 2; }
exec env -u JDK_JAVA_OPTIONS "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$root/target/berth.jar" \
  -Dloader.path="$root/target/test-classes" -Dloader.main=berth.load.LoadCommand org.springframework.boot.loader.launch.PropertiesLauncher "$@"
