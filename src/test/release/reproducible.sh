#!/usr/bin/env bash
# Builds the release of HEAD twice, in two directories, time zones and umasks, and compares the jars byte for byte.
# reproducible.sh [options of Maven]
set -euo pipefail
cd "$(dirname "$0")/../../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
  git clone -q . "$work/$1"
  (
    cd "$work/$1"
    umask "$3"
    TZ=$2 mvn -B -ntp -q -Prelease -Dmaven.test.skip=true "${@:4}" package
  )
}

build first UTC 022 "$@"
build another/second Pacific/Auckland 077 "$@"

cd "$work"
for jar in berth.jar berth-lab.jar; do
  sha256sum "first/target/$jar" "another/second/target/$jar"
  if ! cmp "first/target/$jar" "another/second/target/$jar"; then
    diff <(unzip -v "first/target/$jar") <(unzip -v "another/second/target/$jar") >&2 || true
    exit 1
  fi
done
# Maven leaves the bill of materials out when it is offline
unzip -tqq first/target/berth.jar META-INF/sbom/application.cdx.json
